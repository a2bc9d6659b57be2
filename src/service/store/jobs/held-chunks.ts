/**
 * The chunks of results that somebody in this process holds. However many read a result of the store at once, each chunk
 * is in memory once, so slow readers take no more of it than what is retained.
 */
export class HeldChunks {
  readonly #held = new Map<string, WeakRef<Uint8Array<ArrayBuffer>>>();
  readonly #gone = new FinalizationRegistry<string>((key) => {
    if (this.#held.get(key)?.deref() === undefined) this.#held.delete(key);
  });

  /** The chunks of a job's result as they are held, or else as they have just been read. */
  of(id: string, read: readonly Uint8Array<ArrayBuffer>[]): readonly Uint8Array<ArrayBuffer>[] {
    return read.map((chunk, at) => this.#heldOr(`${id} ${at}`, chunk));
  }

  #heldOr(key: string, chunk: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const held = this.#held.get(key)?.deref();
    if (held !== undefined) return held;
    this.#held.set(key, new WeakRef(chunk));
    this.#gone.register(chunk, key);
    return chunk;
  }
}
