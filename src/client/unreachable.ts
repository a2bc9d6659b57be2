import type { ApiFailure } from './failure.ts';

/** Why there is no connection, from what `fetch` threw. Throws any other error. */
export function unreachable(error: unknown): ApiFailure {
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
