import { setImmediate as turn } from 'node:timers/promises';
import { onAbort } from '../../base/abort.ts';
import { MOST_OCTETS, octetsText, readBeginning, readOctets } from '../../base/octets.ts';
import { isSuccess, readReply } from '../../document/api/read-response.ts';
import { failed, type RunAnswer, type RunFailure } from '../../document/run-answer.ts';

/** Calls the API and reads the reply. */
export async function request(server: URL, call: ApiCall, signal: AbortSignal): Promise<RunAnswer<unknown>> {
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

/** One call of the API. */
interface ApiCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The most octets that the reply can have. */
  readonly mostOctets?: number;
  /** Is called when all octets of the reply are there, with their number, before they are read. */
  readonly heardAll?: ((octets: number) => void) | undefined;
}

/** How long a whole reply may take. */
const TIMEOUT_MS = 60_000;

const STOPPED = failed({ kind: 'stopped' });

function initOf({ method, body, headers = {} }: ApiCall) {
  const init = { method, redirect: 'manual' } as const;
  if (body === undefined) return { ...init, headers };
  return { ...init, body: JSON.stringify(body), headers: { ...headers, 'Content-Type': 'application/json' } };
}

async function answerIn(
  reply: Response,
  { mostOctets: most = MOST_OCTETS.reply, heardAll }: ApiCall,
  signal: AbortSignal,
): Promise<RunAnswer<unknown>> {
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

/**
 * Reads the address of a service: an http or https URL without user, query or fragment; undefined for
 * anything else. A path is kept, since a proxy may put the service anywhere, without the API's own "/api"
 * at its end.
 */
export function readServerUrl(text: string): URL | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/api$/, '')}/`;
  return url;
}

/** The URL of a path such as "api/traverse" below the service. */
export function resourceUrl(server: URL, path: string): URL {
  return new URL(path, server);
}

/** Why there is no connection, from what `fetch` threw. Throws any other error. */
export function unreachable(error: unknown): RunFailure {
  // `fetch` throws a TypeError with the reason as its cause, or the reason its signal was aborted with.
  if (!(error instanceof Error) || (error instanceof TypeError && error.cause === undefined)) throw error;
  return { kind: 'unreachable', reason: reasonOf(error) };
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'its name cannot be looked up at the moment',
  ETIMEDOUT: 'connecting timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connecting timed out',
  UND_ERR_HEADERS_TIMEOUT: 'no reply in time',
  UND_ERR_BODY_TIMEOUT: 'the reply broke off',
  UND_ERR_SOCKET: 'connection closed',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS: is it http://?',
  // WHATWG Fetch 2.9, which gives no code.
  'bad port': 'that port is reserved for another protocol',
};

function reasonOf(error: Error): string {
  const { cause } = error;
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause;
  const reason: unknown = inner ?? error;
  if (!(reason instanceof Error)) return error.message;
  if (reason.name === 'HTTPParserError') return 'it does not speak HTTP';
  const code = 'code' in reason && typeof reason.code === 'string' ? reason.code : '';
  return REASONS[code] ?? REASONS[reason.message] ?? reason.message;
}

/** A timeout of a server that may never reply. */
export interface ReplyTimeout {
  /** Aborted when the timeout expires, and with the caller's signal. */
  readonly signal: AbortSignal;
  readonly state: () => 'waiting' | 'expired' | 'over';
  /** Something came: starts the time again, with its first length or another. */
  readonly renew: (ms?: number) => void;
  /** Nothing is left to wait for. */
  readonly end: () => void;
}

/**
 * Starts a timeout of `ms` milliseconds. (`AbortSignal.any` and `AbortSignal.timeout` would not do: a signal held
 * by those alone may be collected as garbage before it is aborted.)
 */
export function startTimeout(ms: number, signal: AbortSignal): ReplyTimeout {
  const controller = new AbortController();
  let state: ReturnType<ReplyTimeout['state']> = 'waiting';
  const end = () => {
    if (state === 'waiting') state = 'over';
    clearTimeout(timer);
    forget();
  };
  const expire = () => {
    state = 'expired';
    forget();
    controller.abort(new Error('no reply in time'));
  };
  let timer = setTimeout(expire, ms);
  const forget = onAbort(signal, () => {
    end();
    controller.abort(signal.reason);
  });
  const renew = (otherMs = ms) => {
    if (state !== 'waiting') return;
    clearTimeout(timer);
    timer = setTimeout(expire, otherMs);
  };
  return { signal: controller.signal, state: () => state, renew, end };
}
