import type { Exchanged, QueryRank } from '../exchanged.ts';
import { type Pausable, Pauses } from '../pausable.ts';
import type { Name } from '../wire/name.ts';
import { Exploration } from './exploration.ts';
import { DENY_NOTHING } from './policy/policy.ts';
import type { WantedQuery } from './questions.ts';
import type { Recording } from './recording.ts';
import type { ServerNames, ShownNames } from './server-names.ts';
import type { MainZone } from './zone-questions.ts';

/** An exchange as exploring heard it, and the names under which the server's address was known by then. */
export interface HeardExchange extends ShownNames {
  /** In the order heard, counted from 1. */
  readonly position: number;
  readonly exchanged: Exchanged;
  /** The zone of the step that asked first. */
  readonly zone: Name;
  /** What it had been asked for by then. */
  readonly rank: QueryRank;
}

/**
 * Hears a recording again, in the order in which it was heard. Exchanges that exploring had no
 * question for are left out: only a file from elsewhere can hold such.
 */
export function* hearAgain(recording: Recording): Generator<HeardExchange> {
  const rehearsal = new Rehearsal(recording);
  let position = 0;
  for (const [key, exchanged] of recording.exchanges) {
    position += 1;
    rehearsal.learn(exchanged);
    const zone = rehearsal.zones.get(key);
    const names = rehearsal.names.of(exchanged.address);
    if (zone !== undefined) yield { position, exchanged, zone, ...names, rank: rehearsal.rankOf(key) };
  }
}

/** What exploring knew of servers and questions in the end. */
export interface Known {
  /**
   * Every name under which exploring came to each address: on paths, behind lookups that only another
   * pending one would hide, and beyond a limit.
   */
  readonly names: ServerNames;
  /** The zones of the main walk; none without `--check`. */
  readonly mainZones: readonly MainZone[];
  /** What a question, by its key, was asked for. */
  rankOf(key: string): QueryRank;
}

/** Hears a whole recording again, for what was known in the end. */
export function* knownIn(recording: Recording): Pausable<Known> {
  const rehearsal = new Rehearsal(recording);
  const pauses = new Pauses();
  for (const exchanged of recording.exchanges.values()) {
    rehearsal.learn(exchanged);
    if (pauses.due(1)) yield;
  }
  return rehearsal;
}

/** The explorations that asked a recording's questions, made again. */
class Rehearsal implements Known {
  readonly #cold: Exploration;
  readonly #warm: Exploration | undefined;
  readonly #ofColdWalk = new Set<string>();
  /** By key of each question: the zone of the step that asked first. */
  readonly zones = new Map<string, Name>();

  constructor({ scope }: Recording) {
    this.#cold = new Exploration(scope);
    this.#warm = scope.check === 'on' ? new Exploration(scope, DENY_NOTHING, 'warm') : undefined;
    this.#takeWanted();
  }

  get names(): ServerNames {
    return (this.#warm ?? this.#cold).serverNames;
  }

  get mainZones(): readonly MainZone[] {
    return this.#warm?.mainZones ?? [];
  }

  rankOf(key: string): QueryRank {
    return this.#ofColdWalk.has(key) ? 'cold' : 'check';
  }

  learn(exchanged: Exchanged): void {
    this.#cold.learn(exchanged);
    this.#warm?.learn(exchanged);
    this.#takeWanted();
  }

  #takeWanted(): void {
    for (const wanted of this.#cold.takeWanted()) {
      this.#ofColdWalk.add(wanted.key);
      this.#note(wanted);
    }
    for (const wanted of this.#warm?.takeWanted() ?? []) this.#note(wanted);
    for (const wanted of this.#warm?.takeZoneQuestions() ?? []) this.#note(wanted);
  }

  #note({ key, zone }: WantedQuery): void {
    if (!this.zones.has(key)) this.zones.set(key, zone);
  }
}
