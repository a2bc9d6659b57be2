import type { Exchanged } from '../exchange/exchanged.ts';
import type { Wanted } from './exploration.ts';

/** A question that was put on the wire, and what came of it; undefined when it was called off. */
export interface Asked {
  readonly order: number;
  readonly wanted: Wanted;
  readonly exchanged: Exchanged | undefined;
}

/** Where ended exchanges wait until the driver takes them, in the order they were asked. */
export class Mailbox {
  #arrived: Asked[] = [];
  #wake: (() => void) | undefined;
  #failure: { readonly reason: unknown } | undefined;

  put(asked: Asked): void {
    this.#arrived.push(asked);
    this.#wake?.();
  }

  fail(reason: unknown): void {
    this.#failure = { reason };
    this.#wake?.();
  }

  /** Waits until at least `count` are there. */
  async take(count: number): Promise<readonly Asked[]> {
    while (this.#arrived.length < count && this.#failure === undefined) {
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
