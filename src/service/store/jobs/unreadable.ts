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

  /** The result of reading a job's record; undefined if that throws, which is told once. */
  read<T>(id: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (this.#ids.has(id)) return undefined;
      this.#ids.add(id);
      const why = error instanceof Error ? error.message : String(error);
      this.#failed(`job ${id} is left to other instances, because its record cannot be read: ${why}`);
      return undefined;
    }
  }
}
