import type { ApiFailure } from './failure.ts';

/** Why there is no connection, from what `fetch` threw; throws what is no such error. */
export function unreachable(error: unknown): ApiFailure {
  // Fetch throws a TypeError with the reason as its cause, or the reason its signal was aborted with.
  if (!(error instanceof Error) || (error instanceof TypeError && error.cause === undefined)) throw error;
  return { kind: 'unreachable', reason: reasonOf(error) };
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name cannot be looked up now',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no reply in time',
  UND_ERR_BODY_TIMEOUT: 'the reply stopped in the middle',
  UND_ERR_SOCKET: 'the connection was closed',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS: is it http://?',
  // WHATWG Fetch 2.9, which gives no code.
  'bad port': 'the port belongs to another protocol',
};

function reasonOf(error: Error): string {
  const { cause } = error;
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause;
  const reason: unknown = inner ?? error;
  if (!(reason instanceof Error)) return error.message;
  const code = 'code' in reason && typeof reason.code === 'string' ? reason.code : '';
  if (code.startsWith('HPE_')) return 'it does not speak HTTP';
  return REASONS[code] ?? REASONS[reason.message] ?? reason.message;
}
