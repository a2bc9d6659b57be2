import type { Software } from '../fingerprint/software.ts';
import type { TraversalEvent } from '../traverse.ts';
import type { Name } from '../wire/name.ts';

/** What a server told when asked about itself. */
export interface ToldRow {
  readonly status: 'answer' | 'refused' | 'timeout' | 'error' | 'empty';
  readonly text?: string;
  readonly rcode?: string;
  readonly failure?: 'unreachable' | 'malformed';
}

/** A row of the server list (contract, section 2). */
export interface ListedServer {
  readonly address: string;
  readonly names: readonly Name[];
  readonly zones: readonly Name[];
  readonly versionBind: ToldRow;
  readonly hostnameBind?: ToldRow;
  readonly idServer?: ToldRow;
  readonly nsid?: ToldRow;
  readonly software?: Software;
}

/** The server list, as it is when it is ready. */
export interface ServerList {
  readonly status: 'ready';
  readonly servers: readonly ListedServer[];
}

/** How a job's traversal ended. */
export type CompleteEvent = Extract<TraversalEvent, { readonly event: 'complete' }>;

/** What happens in the life of a job: the events of its traversal, and the server list as the last. */
export type JobEvent = TraversalEvent | ({ readonly event: 'servers' } & ServerList);
