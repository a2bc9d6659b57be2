import type { ServerContact } from '../../client/events.ts';
import type { ApiAnswer } from '../../client/failure.ts';

/** Makes a call of a service, perhaps again where that may help. Once `signal` is aborted it waits no longer. */
export type CallPolicy = <T>(call: () => Promise<ApiAnswer<T>>, signal: AbortSignal) => Promise<ApiAnswer<T>>;

/** How the calls for a job are made. */
export interface RemoteCalls {
  /** The one that starts it. */
  readonly start: CallPolicy;
  /** Those that follow it, and read what came of it. */
  readonly read: CallPolicy;
  /** Whether the one that follows a started job waits for its first connection, as for any other; absent: `read` does. */
  readonly contact?: ServerContact;
}

/** Each call once. */
export const ONCE: RemoteCalls = { start: (call) => call(), read: (call) => call(), contact: 'made' };
