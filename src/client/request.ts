import { type ApiAnswer, failed } from './failure.ts';
import { createPatience } from './patience.ts';
import { readReply } from './reply.ts';
import { resourceUrl } from './server-url.ts';
import { unreachable } from './unreachable.ts';

/** One call of the API. */
interface ApiCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** How long a whole reply may take. */
const PATIENCE_MS = 60_000;

/** Calls the API and reads the reply, up to a size that no result reaches. */
export async function request(
  server: URL,
  { method, path, body }: ApiCall,
  signal: AbortSignal,
): Promise<ApiAnswer<unknown>> {
  const content =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  if (signal.aborted) return failed({ kind: 'stopped' });
  const patience = createPatience(PATIENCE_MS, signal);
  const init = { method, redirect: 'manual', ...content } as const;
  try {
    const reply = await fetch(resourceUrl(server, path), { ...init, signal: patience.signal });
    const { status, headers } = reply;
    return readReply({ status, headers, body: await readText(reply) }, Date.now());
  } catch (error) {
    return failed(signal.aborted ? { kind: 'stopped' } : unreachable(error));
  } finally {
    patience.end();
  }
}

const MOST_BYTES = 256 * 1024 * 1024;

/** The text of a reply's body. Throws when it exceeds 256 MiB. */
export async function readText({ body }: Response): Promise<string> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error('the reply is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
