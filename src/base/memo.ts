/** The value that a map has for a key. Where it has none, `make` gives it one. */
export function getOrMake<K, V extends {}>(map: Keyed<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** What can be asked for the value of a key and be given one: a Map or a WeakMap. */
interface Keyed<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** Remembers what was made for the keys that came last; of two equal ones the second is given what was made for the first. */
export class Recent<V extends {}> {
  readonly #most: number;
  /** The oldest first. */
  readonly #made = new Map<string, V>();

  constructor(most: number) {
    this.#most = most;
  }

  getOrMake(key: string, make: () => V): V {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#made.set(key, made);
    if (this.#made.size > this.#most) this.#forgetOldest();
    return made;
  }

  #forgetOldest(): void {
    for (const oldest of this.#made.keys()) {
      this.#made.delete(oldest);
      return;
    }
  }
}
