/**
 * Lets the page start workers from files of its own. The service's policy lets texts become neither scripts nor markup,
 * and this is the only way past it.
 */
export function trustOwnScripts(): void {
  window.trustedTypes?.createPolicy('default', { createScriptURL: ownProgram });
}

/** The part of Trusted Types (W3C) that the page uses. */
interface ScriptPolicies {
  readonly createPolicy: (
    name: 'default',
    rules: { readonly createScriptURL: (address: string) => string },
  ) => unknown;
}

declare global {
  interface Window {
    readonly trustedTypes?: ScriptPolicies;
  }
}

/** Programs of workers: files of our own, whose names have a hash. */
const PROGRAM = /^\/assets\/[\w-]+\.js$/;

/** The address of a program. Throws a TypeError for any other. */
export function ownProgram(address: string): string {
  if (!PROGRAM.test(address)) throw new TypeError(`not a program of this page: ${address}`);
  return address;
}

/**
 * Starts the worker whose program is `NAME-worker.ts`. The build gives each such file a name with a hash, and the page
 * lists them in its head.
 */
export function startWorker(name: 'result' | 'times'): Worker {
  const listed = document.querySelector<HTMLMetaElement>(`meta[name="${name}-worker"]`);
  if (listed === null) throw new Error(`the page has no worker ${name}`);
  return new Worker(listed.content, { type: 'module' });
}

/** Sends a worker a numbered request, and settles with its reply or failure. The function returned stops listening. */
export function askWorker<
  Request extends { readonly number: number },
  Reply extends { readonly number: number },
>(worker: Worker, request: Request, settle: (reply: Reply | 'failed') => void): () => void {
  const hear = ({ data }: MessageEvent<Reply>) => {
    if (data.number === request.number) settle(data);
  };
  const fail = () => settle('failed');
  worker.addEventListener('message', hear);
  worker.addEventListener('error', fail);
  worker.postMessage(request);
  return () => {
    worker.removeEventListener('message', hear);
    worker.removeEventListener('error', fail);
  };
}
