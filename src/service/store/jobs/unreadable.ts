import type { Clock } from '../../../base/clock.ts';

/** How long a job whose record this instance cannot read is left to others. */
const LEFT_MS = 3_600_000;

/** The jobs whose records are damaged, or of a newer version: this instance leaves them to others. */
export class Unreadable {
  /** By their ids: since when. */
  readonly #jobs = new Map<string, number>();
  readonly #clock: Clock;
  readonly #failed: (error: unknown) => void;

  /** `failed`: is told of each of them. */
  constructor(clock: Clock, failed: (error: unknown) => void) {
    this.#clock = clock;
    this.#failed = failed;
  }

  get ids(): readonly string[] {
    return [...this.#jobs.keys()];
  }

  /** Those that have been left to others for so long that nobody will read them. */
  get givenUp(): readonly string[] {
    const latest = this.#clock.now() - LEFT_MS;
    return [...this.#jobs].filter(([, since]) => since <= latest).map(([id]) => id);
  }

  /** The result of reading a job's record; undefined if that throws, which is told once. */
  read<T>(id: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (this.#jobs.has(id)) return undefined;
      this.#jobs.set(id, this.#clock.now());
      const why = error instanceof Error ? error.message : String(error);
      this.#failed(`job ${id} is left to other instances, because its record cannot be read: ${why}`);
      return undefined;
    }
  }
}
