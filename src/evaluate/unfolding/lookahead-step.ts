import { getOrMake } from '../../base/memo.ts';
import type { Question } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { Chain } from '../../explore/delegation.ts';

/**
 * A step of lookups, with all that it can come to on any path, whatever is pending and was asked before. What is known of
 * it only grows.
 */
export interface LookaheadStep {
  readonly chain: Chain;
  readonly question: Question;
  /** Steps of which something is known from this one. */
  readonly readers: Set<LookaheadStep>;
  /** Addresses in the answers that walks from here can end in. */
  readonly answers: Set<string>;
  /** Servers that are looked up here or below, in lookups of lookups too. */
  readonly lookedUp: Set<Name>;
  agreement: Agreement;
  /** Whether some path can end in a limit, other than that of depth. */
  coverage: 'whole' | 'limited';
  /** How many levels below it walks from here go at most, those of lookups apart. */
  height: number;
}

/**
 * What usable replies at a step come to: none of them to an address, all of them to the same, be it addresses or
 * another step, or some of them to something else.
 */
export type Agreement = 'no-address' | 'alike' | 'different';

/** A step of which nothing is known yet. */
export function newLookaheadStep(chain: Chain, question: Question): LookaheadStep {
  return {
    chain,
    question,
    readers: new Set(),
    answers: new Set(),
    lookedUp: new Set(),
    agreement: 'no-address',
    coverage: 'whole',
    height: 0,
  };
}

/** How many levels lookups of name servers' addresses go down at most, those lookups included that they need. */
export class LookupLevels {
  /** The first steps of the lookups of a server. */
  readonly #starts = new Map<Name, Set<LookaheadStep>>();
  readonly #within = new Map<Name, ReadonlySet<Name>>();
  readonly #levels = new Map<Name, number>();

  /** A lookup of the server begins at this step, of which all is known when levels are asked for. */
  startsAt(server: Name, first: LookaheadStep): void {
    const starts = getOrMake(this.#starts, server, () => new Set<LookaheadStep>());
    if (starts.has(first)) return;
    starts.add(first);
    this.#within.clear();
    this.#levels.clear();
  }

  /** Where any of these servers is looked up first. */
  most(servers: Iterable<Name>): number {
    let most = 0;
    for (const server of servers) most = Math.max(most, this.#of(server));
    return most;
  }

  /**
   * No lookup is made while one of that name is pending: of servers that need each other in a ring, each is looked up once
   * at most within the lookup of another.
   */
  #of(server: Name): number {
    return getOrMake(this.#levels, server, () => {
      const within = this.#lookedUpWithin(server);
      const ring = new Set([server]);
      for (const other of within) if (this.#lookedUpWithin(other).has(server)) ring.add(other);
      let levels = this.most([...within].filter((other) => !ring.has(other)));
      for (const other of ring) levels += this.#ownLevels(other);
      return levels;
    });
  }

  #lookedUpWithin(server: Name): ReadonlySet<Name> {
    return getOrMake(
      this.#within,
      server,
      () => new Set(this.#startsOf(server).flatMap(({ lookedUp }) => [...lookedUp])),
    );
  }

  #ownLevels(server: Name): number {
    return this.#startsOf(server).reduce((most, { height }) => Math.max(most, 1 + height), 0);
  }

  #startsOf(server: Name): readonly LookaheadStep[] {
    return [...(this.#starts.get(server) ?? [])];
  }
}
