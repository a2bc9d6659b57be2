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
