import type { TraversalBody } from '../../client/jobs.ts';
import type { JobEvent, TraversalEvent } from '../../document/events.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { Watch } from '../view/watch-traversal.ts';
import { valueIn } from './complaint.ts';
import { traverseThere } from './traverse-there.ts';

/** Has a server traverse while somebody watches. Throws a `CommandError` when it cannot be done. */
export async function traverseAt(
  server: URL,
  body: TraversalBody,
  { emit, signal }: Pick<Watch, 'emit' | 'signal'>,
): Promise<TraversalResult> {
  const tell = (event: JobEvent) => {
    if (isOfTraversal(event)) emit(event);
  };
  const sight = { emit: tell, signal, identified: () => {}, connection: () => {} };
  return valueIn(await traverseThere(server, body, sight), server);
}

function isOfTraversal(event: JobEvent): event is JobEvent & TraversalEvent {
  return event.event !== 'servers' && !(event.event === 'complete' && event.status === 'failed');
}
