/** What can be asked for the value of a key and be given one: a Map or a WeakMap. */
interface Keyed<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value that a map has for a key. Where it has none, `make` gives it one. */
export function getOrMake<K, V extends {}>(map: Keyed<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
