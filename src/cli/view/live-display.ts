import type { OutputStream } from '../process/io.ts';

/** Lines at the end of a terminal that are painted over. */
export class LiveDisplay {
  readonly #stream: OutputStream;
  #shown: readonly string[] = [];

  constructor(stream: OutputStream) {
    this.#stream = stream;
  }

  /** Shows these lines in place of those before. */
  show(lines: readonly string[]): void {
    if (lines.join('\n') === this.#shown.join('\n')) return;
    this.#stream.write(`${this.#erasure()}${lines.join('\n')}`);
    this.#shown = lines;
  }

  /** Takes the lines away and leaves the cursor where they began. */
  clear(): void {
    this.#stream.write(this.#erasure());
    this.#shown = [];
  }

  /** To the start of the first line, and everything from there away (ECMA-48: CUU, ED). */
  #erasure(): string {
    if (this.#shown.length === 0) return '';
    const up = this.#shown.length - 1;
    return `\r${up > 0 ? `\u001b[${up}A` : ''}\u001b[J`;
  }
}
