/**
 * The chunks of results that somebody in this process holds. However many read a result of the store at once, each chunk
 * is in memory once, so slow readers take no more of it than what is retained. A result is stored once and stays as it is,
 * so what is held need not be fetched again.
 */
export class HeldChunks {
  readonly #held = new Map<string, WeakRef<Uint8Array<ArrayBuffer>>>();
  readonly #gone = new FinalizationRegistry<string>((key) => {
    if (this.#held.get(key)?.deref() === undefined) this.#held.delete(key);
  });

  /** As many chunks of a job's result, from the first on, as are held. */
  first(id: string): Chunks {
    const first: Uint8Array<ArrayBuffer>[] = [];
    for (;;) {
      const chunk = this.#held.get(keyOf(id, first.length))?.deref();
      if (chunk === undefined) return first;
      first.push(chunk);
    }
  }

  /** All chunks of a job's result: the first ones, which were held, and those after them that have just been read. */
  whole(id: string, first: Chunks, read: Chunks): Chunks {
    return [...first, ...read.map((chunk, at) => this.#heldOr(keyOf(id, first.length + at), chunk))];
  }

  #heldOr(key: string, chunk: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const held = this.#held.get(key)?.deref();
    if (held !== undefined) return held;
    this.#held.set(key, new WeakRef(chunk));
    this.#gone.register(chunk, key);
    return chunk;
  }
}

type Chunks = readonly Uint8Array<ArrayBuffer>[];

function keyOf(id: string, at: number): string {
  return `${id} ${at}`;
}
