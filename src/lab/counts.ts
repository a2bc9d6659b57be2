import type { Transport } from '../exchange/exchanged.ts';
import { type Name, parseName } from '../wire/name.ts';

/** How often one server address was asked one question over one transport. */
export interface Count {
  readonly server: Name;
  readonly address: string;
  readonly transport: Transport;
  readonly name: Name;
  readonly type: string;
  /** Usually "IN" or "CH". */
  readonly class: string;
  /** Queries, so a retry or a query after truncation counts as well. */
  readonly count: number;
}

/** Which counts to look at: those that match every member given. */
export interface CountFilter {
  readonly server?: string;
  readonly address?: string;
  readonly transport?: Transport;
  readonly name?: string;
  readonly type?: string;
  readonly class?: string;
}

/** Counts of the queries that came in, one for each distinct query. */
export class Counts {
  readonly #counts = new Map<string, Count>();

  /** Counts one, and gives the number of queries like it so far. */
  add(query: Omit<Count, 'count'>): number {
    const key = [query.address, query.transport, query.name, query.type, query.class].join(' ');
    const count = (this.#counts.get(key)?.count ?? 0) + 1;
    this.#counts.set(key, { ...query, count });
    return count;
  }

  /** In the order in which they first came. */
  list(filter: CountFilter = {}): Count[] {
    const server = filter.server === undefined ? undefined : parseName(filter.server);
    const name = filter.name === undefined ? undefined : parseName(filter.name);
    const wanted = Object.entries({ ...filter, server, name }).filter(([, value]) => value !== undefined);
    return [...this.#counts.values()].filter((count) => {
      const actual = new Map<string, unknown>(Object.entries(count));
      return wanted.every(([key, value]) => actual.get(key) === value);
    });
  }
}
