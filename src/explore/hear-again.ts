import type { Exchanged } from '../exchanged.ts';
import { type Pausable, Pauses } from '../pausable.ts';
import type { Name } from '../wire/name.ts';
import { Exploration } from './exploration.ts';
import { DENY_NOTHING } from './policy.ts';
import type { Recording } from './recording.ts';
import type { ServerNames, ShownNames } from './server-names.ts';

/** An exchange as exploring heard it, and the names under which the server's address was known by then. */
export interface HeardExchange extends ShownNames {
  /** In the order heard, counted from 1. */
  readonly position: number;
  readonly exchanged: Exchanged;
  /** The zone of the step that asked first. */
  readonly zone: Name;
}

/**
 * Hears a recording again, in the order in which it was heard. Exchanges that exploring had no
 * question for are left out: only a file from elsewhere can hold such.
 */
export function* hearAgain(recording: Recording): Generator<HeardExchange> {
  const exploration = explorationOf(recording);
  const zones = new Map<string, Name>();
  let position = 0;
  for (const [key, exchanged] of recording.exchanges) {
    position += 1;
    for (const wanted of exploration.takeZoneQuestions())
      if (!zones.has(wanted.key)) zones.set(wanted.key, wanted.zone);
    for (const wanted of exploration.takeWanted()) zones.set(wanted.key, wanted.zone);
    exploration.learn(exchanged);
    const zone = zones.get(key);
    const names = exploration.serverNames.of(exchanged.address);
    if (zone !== undefined) yield { position, exchanged, zone, ...names };
  }
}

/**
 * Every name under which exploring came to each address: on paths, behind lookups that only another
 * pending one would hide, and beyond a limit.
 */
export function* serverNamesIn(recording: Recording): Pausable<ServerNames> {
  const { exchanges } = recording;
  const exploration = explorationOf(recording);
  const pauses = new Pauses();
  for (const exchanged of exchanges.values()) {
    exploration.learn(exchanged);
    if (pauses.due(1)) yield;
  }
  return exploration.serverNames;
}

/** The exploration that asked all of a recording's questions. */
function explorationOf({ scope }: Recording): Exploration {
  return new Exploration(scope, DENY_NOTHING, scope.check === 'on' ? 'warm' : 'cold');
}
