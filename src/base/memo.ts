/* Remembers computed values: in a map, or for the keys that were asked for last. */

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

/** Keeps what was used last, up to so many octets; what was kept last stays in any case. */
export class RecentlyUsed<K, V extends {}> {
  readonly #room: number;
  readonly #octetsOf: (value: V) => number;
  /** What has not been used for longest comes first. */
  readonly #kept = new Map<K, V>();
  #octets = 0;

  constructor(room: number, octetsOf: (value: V) => number) {
    this.#room = room;
    this.#octetsOf = octetsOf;
  }

  /** Octets kept. */
  get octets(): number {
    return this.#octets;
  }

  get(key: K): V | undefined {
    const value = this.#kept.get(key);
    if (value === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.#forget(key);
    this.#kept.set(key, value);
    this.#octets += this.#octetsOf(value);
    for (const oldest of this.#kept.keys()) {
      if (this.#octets <= this.#room || oldest === key) return;
      this.#forget(oldest);
    }
  }

  #forget(key: K): void {
    const value = this.#kept.get(key);
    if (value === undefined) return;
    this.#kept.delete(key);
    this.#octets -= this.#octetsOf(value);
  }
}
