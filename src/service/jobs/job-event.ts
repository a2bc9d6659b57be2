import type { ServerList } from '../../fingerprint/server-list.ts';
import type { TraversalEvent } from '../../traverse.ts';

/** What happens in the life of a job: the events of its traversal, then the server list as the last. */
export type JobEvent = TraversalEvent | ({ readonly event: 'servers' } & ServerList);
