import { getOrMake } from '../get-or-make.ts';
import type { Lane } from './lane.ts';

/** What each traversal has in flight, and where it waits only because that is all it may have. */
export class Shares {
  readonly #most: number;
  readonly #inFlight = new Map<AbortSignal, number>();
  readonly #heldUp = new Map<AbortSignal, Set<Lane>>();

  /** `most`: how many turns one traversal, known by its signal, may hold. */
  constructor(most: number) {
    this.#most = most;
  }

  hasRoom(signal: AbortSignal): boolean {
    return (this.#inFlight.get(signal) ?? 0) < this.#most;
  }

  take(signal: AbortSignal): void {
    this.#inFlight.set(signal, (this.#inFlight.get(signal) ?? 0) + 1);
  }

  give(signal: AbortSignal): void {
    const left = (this.#inFlight.get(signal) ?? 0) - 1;
    if (left > 0) this.#inFlight.set(signal, left);
    else this.#inFlight.delete(signal);
  }

  /** The traversal waits in this lane until there is room. */
  holdUp(signal: AbortSignal, lane: Lane): void {
    getOrMake(this.#heldUp, signal, () => new Set<Lane>()).add(lane);
  }

  /** The lane in which the traversal has been held up longest, if there is room now: it is held up there no more. */
  takeUp(signal: AbortSignal): Lane | undefined {
    const heldUp = this.#heldUp.get(signal);
    const [lane] = heldUp ?? [];
    if (lane === undefined || !this.hasRoom(signal)) return undefined;
    heldUp?.delete(lane);
    if (heldUp?.size === 0) this.#heldUp.delete(signal);
    return lane;
  }

  /** The traversal waits nowhere any more. */
  forget(signal: AbortSignal): void {
    this.#heldUp.delete(signal);
  }
}
