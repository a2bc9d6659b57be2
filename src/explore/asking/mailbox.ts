import type { Exchanged } from '../../exchange/exchanged.ts';
import type { WantedQuery } from '../questions.ts';

/** A question that was put on the wire and has ended. */
export interface Arrival {
  /** In which it was asked. */
  readonly order: number;
  readonly wanted: WantedQuery;
  /** Undefined when it was called off. */
  readonly exchanged: Exchanged | undefined;
}

/** Where ended exchanges wait until the driver takes them, in the order in which they were asked. */
export class Mailbox {
  #arrived: Arrival[] = [];
  #wake: (() => void) | undefined;
  #failure: { readonly reason: unknown } | undefined;

  put(arrival: Arrival): void {
    this.#arrived.push(arrival);
    this.#wake?.();
  }

  /** Makes `take` reject. */
  fail(reason: unknown): void {
    this.#failure = { reason };
    this.#wake?.();
  }

  /** Waits until there is enough, then takes all. Rejects with the reason given to `fail`. */
  async take(isEnough: (arrived: number) => boolean): Promise<readonly Arrival[]> {
    while (!isEnough(this.#arrived.length) && this.#failure === undefined) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    if (this.#failure !== undefined) throw this.#failure.reason;
    const taken = this.#arrived.sort((a, b) => a.order - b.order);
    this.#arrived = [];
    return taken;
  }
}
