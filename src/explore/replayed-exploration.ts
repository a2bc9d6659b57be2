import { getOrMake } from '../base/memo.ts';
import type { Name } from '../dns/name.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { type Query, type QueryRank, queryKey, RANKS } from '../exchange/query.ts';
import { followedAliases } from './alias-turns.ts';
import { Exploration, type MainStep } from './exploration/exploration.ts';
import { wantedBy } from './exploration/extra-walk.ts';
import type { WantedQuery } from './exploration/questions.ts';
import type { MainZone } from './exploration/zone-questions.ts';
import { extraRanks, type MainWalkKind, walkOf } from './main-walks.ts';
import { DENY_NOTHING } from './policy.ts';
import type { Recording } from './recording.ts';
import { allNames, type ServerNames, type ShownNames } from './server-names.ts';

/** What exploring knows of the servers that it has met, the main walks, and the purposes of questions. */
export interface Known {
  /** Every name under which exploring came to each address. */
  readonly names: ServerNames;
  /** The steps of the main walks: of the cold one first. */
  mainSteps(): readonly MainStep[];
  /** The purpose of a question that was asked, by its key. */
  rankOf(key: string): QueryRank;
}

/** The same as data, of one recording: it can be sent to another thread, which need not explore again then. */
export interface KnownData {
  readonly names: ReadonlyMap<string, ShownNames>;
  readonly steps: readonly MainStep[];
  readonly ranks: ReadonlyMap<string, QueryRank>;
}

export function knownData(known: Known, { exchanges, unasked, probes }: Recording): KnownData {
  const asked = [...exchanges.values(), ...[...unasked.values()].map(({ query }) => query), ...probes];
  return {
    names: new Map(asked.map(({ address }) => [address, known.names.of(address)])),
    steps: known.mainSteps(),
    ranks: new Map([...exchanges.keys()].map((key) => [key, known.rankOf(key)])),
  };
}

/** What was sent. Only names that are shown are among it. */
export function knownFrom({ names, steps, ranks }: KnownData): Known {
  const none: ShownNames = { names: [] };
  return {
    names: { of: (address) => names.get(address) ?? none, ofMany: () => undefined },
    mainSteps: () => steps,
    rankOf: (key) => ranks.get(key) ?? 'cold',
  };
}

/**
 * The explorations that asked a recording's questions, made again. Once it has learnt all exchanges of the recording, it
 * says what exploring knew in the end; the caller feeds the exchanges in.
 */
export class ReplayedExploration implements Known {
  /** Every question that was to be asked. */
  readonly asked: Query[] = [];
  /** In the order of `RANKS`, as far as the traversal had them. Ranks of the same walk share its exploration. */
  readonly #explorations: ReadonlyMap<QueryRank, Exploration>;
  /** The rank of exchanges which no walk has a question for. */
  readonly #lastRank: QueryRank;
  /** By key of each question: the first of the ranks that has it, and the zone of the step that asked first. */
  readonly #wanted = new Map<string, { rank: QueryRank; readonly zone: Name }>();

  /** By key of their question: other aliases that the address gave. */
  readonly #aliases: ReadonlyMap<string, readonly Exchanged[]>;

  constructor({ scope, ...heard }: Recording) {
    this.#aliases = followedAliases(heard);
    const extra = extraRanks(scope);
    const ranks: readonly QueryRank[] = ['cold', ...extra];
    // What proof needs depends on what replies are validated by, which a replay can change.
    this.#lastRank = extra.find((rank) => rank === 'dnssec') ?? extra[0] ?? 'cold';
    const walks = new Map<MainWalkKind, Exploration>();
    this.#explorations = new Map(
      ranks.map((rank) => {
        const kind = walkOf(rank, scope);
        return [rank, getOrMake(walks, kind, () => new Exploration(scope, DENY_NOTHING, kind))];
      }),
    );
    this.#takeWanted();
  }

  learn(exchanged: Exchanged): void {
    for (const exploration of new Set(this.#explorations.values())) {
      exploration.learn(exchanged);
      for (const again of this.#aliases.get(queryKey(exchanged)) ?? []) exploration.learnAlias(again);
    }
    this.#takeWanted();
  }

  /**
   * Every name under which exploring came to each address: on paths, behind lookups that only another
   * pending one would hide, and beyond a limit.
   */
  get names(): ServerNames {
    return allNames([...new Set(this.#explorations.values())].map(({ serverNames }) => serverNames));
  }

  /** The steps of the main walks: of the cold one first. */
  mainSteps(): readonly MainStep[] {
    return [...this.#explorations.values()].flatMap(({ mainSteps }) => mainSteps);
  }

  /** The zones of the main walk; none without `--check`. */
  get mainZones(): readonly MainZone[] {
    return this.#explorations.get('check')?.mainZones ?? [];
  }

  /** The zone of the step that asked a question, by its key, first. */
  zoneOf(key: string): Name | undefined {
    return this.#wanted.get(key)?.zone;
  }

  /** The purpose of a question, by its key. A walk may come to a question only after another has had a reply to it. */
  rankOf(key: string): QueryRank {
    const noted = this.#wanted.get(key)?.rank;
    for (const [rank, exploration] of this.#explorations)
      if (rank === noted || exploration.contains(key)) return rank;
    return this.#lastRank;
  }

  /** Whether there was more to look at than the work allows: what a recording lacks then may be lacking for that. */
  get exceedsWork(): boolean {
    return [...this.#explorations.values()].some(({ exceedsWork }) => exceedsWork);
  }

  #takeWanted(): void {
    for (const [rank, exploration] of this.#explorations)
      for (const wanted of wantedBy(exploration, rank)) this.#note(wanted, rank);
  }

  #note({ key, zone, address, question }: WantedQuery, rank: QueryRank): void {
    const known = this.#wanted.get(key);
    if (known === undefined) {
      this.#wanted.set(key, { rank, zone });
      this.asked.push({ address, question });
    } else if (RANKS.indexOf(rank) < RANKS.indexOf(known.rank)) known.rank = rank;
  }
}

/**
 * Explores a recording again. The questions that it neither holds nor says are missing count as beyond the query limit
 * in the recording returned: an earlier version did not need them, or its replies are validated by something else now.
 */
export function exploredAgain(
  recording: Recording,
  maxQueries: number,
): { readonly known: ReplayedExploration; readonly recording: Recording; readonly lacking: number } {
  const known = new ReplayedExploration(recording);
  for (const exchanged of recording.exchanges.values()) known.learn(exchanged);
  const unasked = new Map(recording.unasked);
  for (const query of known.exceedsWork ? [] : known.asked) {
    const key = queryKey(query);
    if (recording.exchanges.has(key) || unasked.has(key)) continue;
    unasked.set(key, { query, why: { kind: 'query-limit', limit: maxQueries } });
  }
  return { known, recording: { ...recording, unasked }, lacking: unasked.size - recording.unasked.size };
}

/** An exchange as exploring heard it, and the names under which the server's address was known by then. */
export interface HeardExchange extends ShownNames {
  /** In the order heard, counted from 1. */
  readonly position: number;
  readonly exchanged: Exchanged;
  /** The zone of the step that asked first. */
  readonly zone: Name;
  /** The purpose for which it had been asked by then. */
  readonly rank: QueryRank;
}

/**
 * The exchanges of a recording as exploring heard them, in that order. Exchanges that exploring had no
 * question for are left out: only a file from elsewhere can hold such exchanges.
 */
export function replayExchanges(recording: Recording): readonly HeardExchange[] {
  const exploration = new ReplayedExploration(recording);
  return [...recording.exchanges].flatMap(([key, exchanged], index) => {
    exploration.learn(exchanged);
    const zone = exploration.zoneOf(key);
    if (zone === undefined) return [];
    const names = exploration.names.of(exchanged.address);
    return [{ position: index + 1, exchanged, zone, ...names, rank: exploration.rankOf(key) }];
  });
}
