import type { TraversalResult } from '../../document/result.ts';
import { classify } from '../../explore/classify.ts';
import { Exploration } from '../../explore/exploration.ts';
import type { Recording } from '../../explore/recording.ts';
import { conclusionOf } from '../../reading/conclusion.ts';
import { exchangeHead } from '../../report/result/exchange-row.ts';
import type { TraversalEvent } from '../../traverse.ts';
import type { Name } from '../../wire/name.ts';

/** The events of a traversal, made again from what it recorded: all but those of its progress. */
export function* replayedEvents(recording: Recording, result: TraversalResult): Generator<TraversalEvent> {
  const { query, options, startedAt } = result;
  yield { event: 'started', query, options, startedAt };
  yield* exchangeEvents(recording);
  yield { event: 'complete', ...conclusionOf(result) };
}

/** Explores again, hearing everything in the order in which it was heard: that tells who asked first. */
function* exchangeEvents({ scope: plan, exchanges }: Recording): Generator<TraversalEvent> {
  const exploration = new Exploration(plan);
  const zones = new Map<string, Name>();
  let count = 0;
  for (const [key, exchanged] of exchanges) {
    for (const wanted of exploration.takeWanted()) zones.set(wanted.key, wanted.zone);
    exploration.learn(exchanged);
    count += 1;
    const zone = zones.get(key);
    // A foreign file may hold exchanges that no path contains.
    if (zone === undefined) continue;
    const { kind } = classify(exchanged.outcome, exchanged.question, zone);
    yield { event: 'exchange', ...exchangeHead(`x${count}`, exchanged, []), zone, class: kind };
  }
}
