import { onAbort } from '../abort.ts';

/** A fixed number of places to work in. Whoever finds none waits, in the order of arrival. */
export class Slots {
  readonly #size: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** How many are waiting. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether the next to come has to wait. */
  get full(): boolean {
    return this.#taken >= this.#size;
  }

  /** Waits for a slot: the function gives it back and is to be called once. Undefined if the signal is aborted first. */
  take(signal: AbortSignal): Promise<(() => void) | undefined> {
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
