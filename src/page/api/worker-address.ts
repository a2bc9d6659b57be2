/**
 * Starts the worker whose program is `NAME-worker.ts`. The build gives each such file a name with a hash, and the page
 * lists them in its head.
 */
export function startWorker(name: 'draw' | 'what-if'): Worker {
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
