import { getOrMake } from '../../get-or-make.ts';
import type { Name } from '../../wire/name.ts';
import type { ForeseenStep } from './foreseen-step.ts';

/** How many levels lookups of name servers' addresses go down at most, those lookups included that they need. */
export class LookupLevels {
  /** The first steps of the lookups of a server. */
  readonly #starts = new Map<Name, Set<ForeseenStep>>();
  readonly #within = new Map<Name, ReadonlySet<Name>>();
  readonly #levels = new Map<Name, number>();

  /** A lookup of the server begins at this step, of which all is known when levels are asked for. */
  startsAt(server: Name, first: ForeseenStep): void {
    const starts = getOrMake(this.#starts, server, () => new Set<ForeseenStep>());
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

  #startsOf(server: Name): readonly ForeseenStep[] {
    return [...(this.#starts.get(server) ?? [])];
  }
}
