/**
 * The parts of results that somebody in this process holds. However many read a result of the store at once, each part
 * is in memory once, so slow readers take no more of it than what is retained. A result is stored once and stays as it is,
 * so what is held need not be fetched again.
 */
export class HeldParts {
  readonly #held = new Map<string, WeakRef<Uint8Array<ArrayBuffer>>>();
  readonly #gone = new FinalizationRegistry<string>((key) => {
    if (this.#held.get(key)?.deref() === undefined) this.#held.delete(key);
  });

  /** As many parts of a job's result, from the first on, as are held. */
  first(id: string): Parts {
    const first: Uint8Array<ArrayBuffer>[] = [];
    for (;;) {
      const part = this.#held.get(keyOf(id, first.length))?.deref();
      if (part === undefined) return first;
      first.push(part);
    }
  }

  /** All parts of a job's result: the first ones, which were held, and those after them that have just been read. */
  whole(id: string, first: Parts, read: Parts): Parts {
    return [...first, ...read.map((part, at) => this.#heldOr(keyOf(id, first.length + at), part))];
  }

  #heldOr(key: string, part: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const held = this.#held.get(key)?.deref();
    if (held !== undefined) return held;
    this.#held.set(key, new WeakRef(part));
    this.#gone.register(part, key);
    return part;
  }
}

type Parts = readonly Uint8Array<ArrayBuffer>[];

function keyOf(id: string, part: number): string {
  return `${id} ${part}`;
}
