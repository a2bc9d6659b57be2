import { setImmediate as turn } from 'node:timers/promises';
import { MOST_OCTETS, octetsText, readBeginning, readOctets } from '../octets.ts';
import { type ApiAnswer, failed } from './failure.ts';
import { startTimeout } from './patience.ts';
import { isSuccess, readReply } from './reply.ts';
import { resourceUrl } from './server-url.ts';
import { unreachable } from './unreachable.ts';

/** One call of the API. */
interface ApiCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The most octets that the reply can have. */
  readonly mostOctets?: number;
  /** Is called when all octets of the reply are there, with their number, before they are read. */
  readonly heardAll?: ((octets: number) => void) | undefined;
}

/** How long a whole reply may take. */
const TIMEOUT_MS = 60_000;

/** Calls the API and reads the reply. */
export async function request(server: URL, call: ApiCall, signal: AbortSignal): Promise<ApiAnswer<unknown>> {
  if (signal.aborted) return STOPPED;
  const timeout = startTimeout(TIMEOUT_MS, signal);
  try {
    const reply = await fetch(resourceUrl(server, call.path), { ...initOf(call), signal: timeout.signal });
    const answer = await answerIn(reply, call, signal);
    // Reading a large reply takes a while, in which nobody hears of an interruption.
    await turn();
    return signal.aborted ? STOPPED : answer;
  } catch (error) {
    return signal.aborted ? STOPPED : failed(unreachable(error));
  } finally {
    timeout.end();
  }
}

const STOPPED = failed({ kind: 'stopped' });

function initOf({ method, body }: ApiCall) {
  const init = { method, redirect: 'manual' } as const;
  if (body === undefined) return init;
  return { ...init, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
}

async function answerIn(
  reply: Response,
  { mostOctets: most = MOST_OCTETS.reply, heardAll }: ApiCall,
  signal: AbortSignal,
): Promise<ApiAnswer<unknown>> {
  const { status, headers } = reply;
  const body = isSuccess(status) ? await readOctets(reply.body ?? [], most) : await readReplyBody(reply);
  heardAll?.(body?.length ?? 0);
  if (signal.aborted) return STOPPED;
  if (body !== undefined) return readReply({ status, headers, body }, Date.now());
  return failed({ kind: 'not-a-service', detail: `its reply is larger than ${octetsText(most)}` });
}

/** As much of a reply's body as is wanted of one that brings no result. */
export async function readReplyBody({ body }: Response): Promise<Buffer> {
  return await readBeginning(body ?? [], MOST_OCTETS.reply);
}
