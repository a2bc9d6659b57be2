/** Octets of the first chunk, and of each after it. */
const FIRST_CHUNK = 64 * 1_024;
const CHUNK = 1_024 * 1_024;

const encoder = new TextEncoder();

/** Text as UTF-8, in chunks, so that growing never copies what is there. */
export class OctetChunks {
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  /** Octets used of each chunk that is full: a character does not span two. */
  #full: number[] = [];
  #used = 0;
  #length = 0;

  /** Octets in all. */
  get length(): number {
    return this.#length;
  }

  add(text: string): void {
    for (let left = text; ; ) {
      const { read, written } = encoder.encodeInto(left, this.#chunk().subarray(this.#used));
      this.#used += written;
      this.#length += written;
      if (read === left.length) return;
      left = left.slice(read);
      this.#full.push(this.#used);
      this.#used = 0;
    }
  }

  /** Begins again, in the same memory. */
  clear(): void {
    this.#full = [];
    this.#used = 0;
    this.#length = 0;
  }

  /** All octets; the last chunk has the size of what is in it. Nothing may be added after that. */
  take(): readonly Uint8Array<ArrayBuffer>[] {
    const full = this.#full.map((used, at) => this.#at(at).subarray(0, used));
    return this.#used === 0 ? full : [...full, this.#chunk().slice(0, this.#used)];
  }

  #chunk(): Uint8Array<ArrayBuffer> {
    return this.#at(this.#full.length);
  }

  #at(at: number): Uint8Array<ArrayBuffer> {
    const known = this.#chunks[at];
    if (known !== undefined) return known;
    const chunk = new Uint8Array(at === 0 ? FIRST_CHUNK : CHUNK);
    this.#chunks.push(chunk);
    return chunk;
  }
}
