/** Octets of the first chunk, and of each after it. */
const FIRST_CHUNK = 64 * 1_024;
const CHUNK = 1_024 * 1_024;

const encoder = new TextEncoder();

/** Makes what is kept of a chunk, whose memory the next one takes. */
export type KeepChunk<Kept> = (octets: Uint8Array<ArrayBuffer>) => Kept;

/** Keeps the octets themselves. */
export const asItIs: KeepChunk<Uint8Array<ArrayBuffer>> = (octets) => octets.slice();

/** Text as UTF-8, in chunks, so that growing never copies what is there. */
export class OctetChunks<Kept> {
  readonly #keep: KeepChunk<Kept>;
  #kept: Kept[] = [];
  #chunk = new Uint8Array(FIRST_CHUNK);
  #used = 0;
  #length = 0;

  constructor(keep: KeepChunk<Kept>) {
    this.#keep = keep;
  }

  /** Octets in all. */
  get length(): number {
    return this.#length;
  }

  add(text: string): void {
    for (let left = text; ; ) {
      const { read, written } = encoder.encodeInto(left, this.#chunk.subarray(this.#used));
      this.#used += written;
      this.#length += written;
      if (read === left.length) return;
      left = left.slice(read);
      this.#endChunk();
      if (this.#chunk.length < CHUNK) this.#chunk = new Uint8Array(CHUNK);
    }
  }

  /** Begins again, in the same memory. */
  clear(): void {
    this.#kept = [];
    this.#used = 0;
    this.#length = 0;
  }

  /** All chunks. Nothing may be added after that. */
  take(): readonly Kept[] {
    if (this.#used > 0) this.#endChunk();
    return this.#kept;
  }

  /** A character does not span two chunks, so one can be not quite full. */
  #endChunk(): void {
    this.#kept.push(this.#keep(this.#chunk.subarray(0, this.#used)));
    this.#used = 0;
  }
}
