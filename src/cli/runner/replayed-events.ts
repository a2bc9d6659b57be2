import type { TraversalEvent } from '../../document/events.ts';
import type { TraversalResult } from '../../document/result.ts';
import { hearAgain } from '../../explore/hear-again.ts';
import type { Recording } from '../../explore/recording.ts';
import { conclusionOf } from '../../reading/conclusion.ts';
import { exchangeEvent } from '../../traverse.ts';

/** The events of a traversal, made again from what it recorded: all but those of its progress. */
export function* replayedEvents(recording: Recording, result: TraversalResult): Generator<TraversalEvent> {
  const { query, options, startedAt } = result;
  yield { event: 'started', query, options, startedAt };
  for (const heard of hearAgain(recording)) yield exchangeEvent(heard);
  yield { event: 'complete', ...conclusionOf(result) };
}
