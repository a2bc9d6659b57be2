import { onAbort } from '../abort.ts';

/** Gives a slot back; to be called once. */
export type Release = () => void;

/** So many may work at once; the others wait in the order they came. */
export class Slots {
  readonly #size: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether whoever comes now has to wait. */
  get full(): boolean {
    return this.#taken >= this.#size;
  }

  /** Waits for a slot; undefined when the signal was aborted before there was one. */
  take(signal: AbortSignal): Promise<Release | undefined> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined);
      const stay = onAbort(signal, () => {
        this.#waiting.delete(go);
        resolve(undefined);
      });
      const go = () => {
        stay();
        this.#taken += 1;
        resolve(() => this.#give());
      };
      if (this.full) this.#waiting.add(go);
      else go();
    });
  }

  #give(): void {
    this.#taken -= 1;
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#waiting.delete(next);
    next();
  }
}
