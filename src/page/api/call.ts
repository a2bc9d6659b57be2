import { type ApiAnswer, failed, map, ok } from '../../client/failure.ts';
import { readReply } from '../../client/reply.ts';
import { readShape, type Shape, ShapeError } from '../../shape/shape.ts';

/** One call of the service that the page comes from. */
interface PageCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Calls the service and reads what it sends. */
export async function callService<T>(
  asked: PageCall,
  shape: Shape<T>,
  signal: AbortSignal,
): Promise<ApiAnswer<T>> {
  const reply = await sendCall(asked, signal);
  return map(reply, ({ value }) => readAs(shape, value));
}

/** The JSON of a reply, and its Date header in milliseconds, if it has one. */
interface SentReply {
  readonly value: unknown;
  readonly date: number | undefined;
}

/** Calls the service; gives the JSON that it sends, as it is. */
export async function sendCall(
  { method, path, body }: PageCall,
  signal: AbortSignal,
): Promise<ApiAnswer<SentReply>> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
  try {
    const reply = await fetch(path, { method, headers, signal, cache: 'no-store', ...sent });
    const octets = new Uint8Array(await reply.arrayBuffer());
    const { status, headers: sentHeaders } = reply;
    const answer = readReply({ status, headers: sentHeaders, body: octets }, Date.now());
    const date = Date.parse(sentHeaders.get('Date') ?? '');
    return map(answer, (value) => ok({ value, date: Number.isNaN(date) ? undefined : date }));
  } catch (error) {
    if (signal.aborted) return failed({ kind: 'stopped' });
    // All that browsers say of a connection that fails (WHATWG Fetch 5.6).
    if (error instanceof TypeError) return failed({ kind: 'unreachable', reason: 'no connection' });
    throw error;
  }
}

/** A value as what it should be. */
export function readAs<T>(shape: Shape<T>, value: unknown): ApiAnswer<T> {
  try {
    return ok(readShape(shape, value));
  } catch (error) {
    if (error instanceof ShapeError) return failed({ kind: 'not-a-service', detail: error.message });
    throw error;
  }
}
