/* Words for lists in sentences, and ways to group items. */

import { familyOf } from '../../dns/address.ts';

/**
 * A list in a sentence: "a", "a and b", "a, b, c and 4 more". One more item than `most` is still named,
 * as "1 more" would be no shorter. `count`: how many there are, if the items are only the first of them.
 */
export function listed(items: readonly string[], most = 3, count = items.length): string {
  const named = items.slice(0, most);
  const isWhole = items.length === count && count <= most + 1;
  const shown = isWhole ? items : [...named, `${count - named.length} more`];
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}

/** Words as the beginning of a sentence. A name that comes first keeps its letters. */
export function sentence(words: string): string {
  return words.replace(/^[a-z]+(?= )/, (first) => `${first.slice(0, 1).toUpperCase()}${first.slice(1)}`);
}

/** Items with equal keys together, in the order in which the keys came first. */
export function grouped<T>(items: readonly T[], key: (item: T) => string): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/** The first of all items that have the same key, in their order. */
export function firstOfEach<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  return grouped(items, key).map(([first]) => first);
}

/** Sorts IPv4 addresses before IPv6 addresses. */
export function byFamily(a: string, b: string): number {
  return familyOf(a) - familyOf(b);
}
