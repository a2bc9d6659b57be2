/** The first of all items that have the same key, in their order. */
export function firstOfEach<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  const first = new Map<string, T>();
  for (const item of items) if (!first.has(key(item))) first.set(key(item), item);
  return [...first.values()];
}
