import { type Exchanged, type Query, type QueryRank, queryKey, RANKS } from '../exchanged.ts';
import type { Pausable } from '../pausable.ts';
import type { Name } from '../wire/name.ts';
import { Exploration } from './exploration.ts';
import { DENY_NOTHING } from './policy/policy.ts';
import type { WantedQuery } from './questions.ts';
import { ranksBesides, WALKS } from './ranks.ts';
import type { Recording } from './recording.ts';
import { allNames, type ServerNames, type ShownNames } from './server-names.ts';
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
  /** Every question that was to be asked. */
  readonly asked: readonly Query[];
  /** What a question, by its key, was asked for. */
  rankOf(key: string): QueryRank;
}

/** Hears a whole recording again, for what was known in the end. */
export function* knownIn(recording: Recording): Pausable<Known> {
  const rehearsal = new Rehearsal(recording);
  for (const exchanged of recording.exchanges.values()) {
    rehearsal.learn(exchanged);
    yield;
  }
  return rehearsal;
}

/** What exploring would ask beyond what a recording holds, or says is missing: its replies are judged by something else now. */
export function* lackingIn(recording: Recording): Pausable<readonly Query[]> {
  const known = yield* knownIn(recording);
  const { exchanges, unasked } = recording;
  return known.asked.filter((query) => !exchanges.has(queryKey(query)) && !unasked.has(queryKey(query)));
}

/** The explorations that asked a recording's questions, made again. */
class Rehearsal implements Known {
  /** In the order of `RANKS`, as far as there are such. */
  readonly #explorations: ReadonlyMap<QueryRank, Exploration>;
  /** That of exchanges which no walk has a question for. */
  readonly #lastRank: QueryRank;
  /** By key of each question: the first of the ranks that has it. */
  readonly #ranks = new Map<string, QueryRank>();
  /** By key of each question: the zone of the step that asked first. */
  readonly zones = new Map<string, Name>();
  readonly asked: Query[] = [];

  constructor({ scope }: Recording) {
    const besides = ranksBesides(scope);
    const ranks: readonly QueryRank[] = ['cold', ...besides];
    // What proof needs depends on what replies are judged by, which a replay can change.
    this.#lastRank = besides[0] ?? 'cold';
    this.#explorations = new Map(
      ranks.map((rank) => [rank, new Exploration(scope, DENY_NOTHING, WALKS[rank])]),
    );
    this.#takeWanted();
  }

  get names(): ServerNames {
    return allNames([...this.#explorations.values()].map(({ serverNames }) => serverNames));
  }

  get mainZones(): readonly MainZone[] {
    return this.#explorations.get('check')?.mainZones ?? [];
  }

  /** A walk may come to a question only after another has had a reply to it. */
  rankOf(key: string): QueryRank {
    const noted = this.#ranks.get(key);
    for (const [rank, exploration] of this.#explorations)
      if (rank === noted || exploration.contains(key)) return rank;
    return this.#lastRank;
  }

  learn(exchanged: Exchanged): void {
    for (const exploration of this.#explorations.values()) exploration.learn(exchanged);
    this.#takeWanted();
  }

  #takeWanted(): void {
    for (const [rank, exploration] of this.#explorations)
      for (const wanted of [...exploration.takeWanted(), ...exploration.takeZoneQuestions()])
        this.#note(wanted, rank);
  }

  #note({ key, zone, address, question }: WantedQuery, rank: QueryRank): void {
    if (!this.zones.has(key)) {
      this.zones.set(key, zone);
      this.asked.push({ address, question });
    }
    if (isBefore(rank, this.#ranks.get(key))) this.#ranks.set(key, rank);
  }
}

/** Whether a question has to be told of with this rank rather than with one that it had before. */
function isBefore(rank: QueryRank, before: QueryRank | undefined): boolean {
  return before === undefined || RANKS.indexOf(rank) < RANKS.indexOf(before);
}
