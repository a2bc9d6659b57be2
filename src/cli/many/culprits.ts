/* Counts which servers break the names of a list, and lists the worst. */

import type { Name } from '../../dns/name.ts';
import { plain } from '../../document/words/names.ts';
import { count, thousands } from '../../document/words/quantities.ts';
import { printable } from '../../document/words/shortened.ts';
import { type NameCounts, namesCounted } from './tally.ts';

/** Which servers break most names, a line each, with a line end, below an empty line; none if no server does. */
export function blameLines(blame: MostCounted<Name>, counts: NameCounts): readonly Uint8Array[] {
  const { all, isExact } = blame;
  if (all.length === 0) return [];
  const names = namesCounted(counts);
  const of = `of your ${count(names, 'name')}`;
  const listed = all
    .slice(0, MOST_LISTED)
    .map(
      ({ key, count }) =>
        `${printable(plain(key))} breaks ${isExact ? '' : 'at least '}${thousands(count)} ${of}`,
    );
  const more = all.length - listed.length;
  const lines = [...listed, ...(more === 0 ? [] : [`and ${count(more, 'more server')}`])];
  return [encoder.encode(`\n${lines.join('\n')}\n`)];
}

/** The servers that are listed. */
const MOST_LISTED = 10;

const encoder = new TextEncoder();

/** A key, and how often it was counted, at least. */
interface Counted<Key> {
  readonly key: Key;
  readonly count: number;
}

/**
 * Counts keys in a bounded room, without losing those that are counted most (J. Misra and D. Gries, Finding
 * repeated elements, 1982): where there is no room for a new key, every key loses one, and so does the new one.
 */
export class MostCounted<Key> {
  readonly #most: number;
  readonly #counts = new Map<Key, number>();
  #lost = 0;

  /** `most`: how many keys there is room for. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether the counts are exact; otherwise they are what is certain at least. */
  get isExact(): boolean {
    return this.#lost === 0;
  }

  /** Those counted most first, equal ones in the order in which they came. */
  get all(): readonly Counted<Key>[] {
    const counted = [...this.#counts].map(([key, count]) => ({ key, count }));
    return counted.sort((a, b) => b.count - a.count);
  }

  add(key: Key): void {
    const count = this.#counts.get(key);
    if (count !== undefined || this.#counts.size < this.#most) this.#counts.set(key, (count ?? 0) + 1);
    else this.#loseOne();
  }

  #loseOne(): void {
    this.#lost += 1;
    for (const [key, count] of this.#counts) {
      if (count === 1) this.#counts.delete(key);
      else this.#counts.set(key, count - 1);
    }
  }
}
