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
