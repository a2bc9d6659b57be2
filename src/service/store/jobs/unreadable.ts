/** The jobs whose records are damaged, or of a newer version: this instance leaves them to others. */
export class Unreadable {
  readonly #ids = new Set<string>();
  readonly #failed: (error: unknown) => void;

  /** `failed`: is told of each of them. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  get ids(): readonly string[] {
    return [...this.#ids];
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** The result of reading a job's record; undefined if that throws. */
  read<T>(id: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.#ids.add(id);
      const why = error instanceof Error ? error.message : String(error);
      this.#failed(
        new Error(`job ${id} is left to other instances, because its record cannot be read: ${why}`),
      );
      return undefined;
    }
  }
}
