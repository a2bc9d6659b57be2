import { onAbort } from '../abort.ts';
import { getOrMake } from '../get-or-make.ts';
import { type Clock, systemClock } from './clock.ts';
import { createSlidingWindow, type Go, type Lane, WaitingLine } from './lane.ts';

/** Leave to send one packet (or to open one TCP connection), and a place in flight for it. */
export interface Turn {
  /** Says that the packet leaves now: rates count from this moment. Calling it again does nothing. */
  readonly leave: () => void;
  /** Gives the place back. Calling it again does nothing. */
  readonly end: () => void;
}

/** Keeps the program polite. Everything that sends queries shares one, so that their total stays polite. */
export interface Pacer {
  /**
   * Waits until one more packet (or TCP connection) may go to the address. The caller keeps the turn
   * until it no longer awaits a reply. Calls with the same signal belong to one traversal. Rejects only
   * with the signal's reason, when it is aborted.
   */
  acquire(address: string, signal: AbortSignal): Promise<Turn>;
}

/** The limits that a pacer keeps. */
export interface Pace {
  /** Packets to one address in any one second; 0: no limit. */
  readonly ratePerAddress: number;
  readonly perAddressInFlight: number;
  readonly totalInFlight: number;
  /**
   * The most of these for one traversal, so that one whose servers are all dead leaves room for others.
   * Absent: all of them.
   */
  readonly perTraversalInFlight?: number;
  readonly clock?: Clock;
}

/**
 * A pacer. At each address the traversals (signals) take turns, each in its own order of arrival, so one
 * with many questions for a root server does not shut out the others. The addresses that may be sent one
 * more packet take turns too, so a long queue at one delays nobody elsewhere. It keeps no timer while
 * nobody waits, and forgets addresses that nothing has been sent to for a while.
 */
export function createPacer(pace: Pace): Pacer {
  return new RoundRobin(pace);
}

/**
 * A second and an allowance: the time between leave to send and the packet on the wire varies, and
 * whoever counts at the other end must not find one too many.
 */
const SECOND_MS = 1_050;

class RoundRobin implements Pacer {
  readonly #pace: Pace;
  readonly #clock: Clock;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes whose first may be able to go, in order of their turns. */
  readonly #turns = new Set<Lane>();
  /** Idle lanes and since when, longest first. */
  readonly #idle = new Map<Lane, number>();
  /** Slots held, by the traversal's signal. */
  readonly #inFlightOf = new Map<AbortSignal, number>();
  /** The lanes in which a traversal waits only because it has its share in flight. */
  readonly #heldUp = new Map<AbortSignal, Set<Lane>>();
  #inFlight = 0;

  constructor(pace: Pace) {
    this.#pace = pace;
    this.#clock = pace.clock ?? systemClock;
  }

  acquire(address: string, signal: AbortSignal): Promise<Turn> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const lane = this.#laneOf(address);
      const go = () => {
        stay();
        resolve(this.#occupy(lane, signal));
      };
      const stay = onAbort(signal, () => {
        this.#leave(lane, signal, go);
        reject(signal.reason);
      });
      lane.waiting.join(signal, go);
      if (lane.cancelTimer === undefined) this.#turns.add(lane);
      this.#serve();
    });
  }

  #laneOf(address: string): Lane {
    this.#forget();
    const known = this.#lanes.get(address);
    if (known !== undefined) {
      this.#idle.delete(known);
      return known;
    }
    const window = createSlidingWindow(this.#pace.ratePerAddress, SECOND_MS);
    const lane: Lane = { address, window, waiting: new WaitingLine(), inFlight: 0, cancelTimer: undefined };
    this.#lanes.set(address, lane);
    return lane;
  }

  #serve(): void {
    for (const lane of this.#turns) {
      if (this.#inFlight >= this.#pace.totalInFlight) return;
      this.#turns.delete(lane);
      if (lane.waiting.empty || lane.inFlight >= this.#pace.perAddressInFlight) continue;
      const wait = lane.window.wait(this.#clock.now());
      if (wait > 0) {
        if (Number.isFinite(wait)) this.#wake(lane, wait);
        continue;
      }
      const go = lane.waiting.next((signal) => this.#mayGo(signal, lane));
      if (go === undefined) continue;
      go();
      // Deleting and adding it again while iterating puts its next turn after all the others'.
      if (!lane.waiting.empty) this.#turns.add(lane);
    }
  }

  #mayGo(signal: AbortSignal, lane: Lane): boolean {
    const { perTraversalInFlight, totalInFlight } = this.#pace;
    if ((this.#inFlightOf.get(signal) ?? 0) < (perTraversalInFlight ?? totalInFlight)) return true;
    getOrMake(this.#heldUp, signal, () => new Set<Lane>()).add(lane);
    return false;
  }

  #wake(lane: Lane, wait: number): void {
    lane.cancelTimer = this.#clock.after(wait, () => {
      lane.cancelTimer = undefined;
      this.#turns.add(lane);
      this.#serve();
    });
  }

  #occupy(lane: Lane, signal: AbortSignal): Turn {
    const slot = lane.window.take();
    lane.inFlight += 1;
    this.#inFlight += 1;
    this.#inFlightOf.set(signal, (this.#inFlightOf.get(signal) ?? 0) + 1);
    let state: 'here' | 'left' | 'ended' = 'here';
    const leave = () => {
      if (state !== 'here') return;
      state = 'left';
      lane.window.left(slot, this.#clock.now());
      this.#settle(lane);
    };
    const end = () => {
      leave();
      if (state === 'ended') return;
      state = 'ended';
      lane.inFlight -= 1;
      this.#inFlight -= 1;
      this.#makeRoom(signal);
      this.#settle(lane);
    };
    return { leave, end };
  }

  #makeRoom(signal: AbortSignal): void {
    const left = (this.#inFlightOf.get(signal) ?? 0) - 1;
    if (left > 0) this.#inFlightOf.set(signal, left);
    else this.#inFlightOf.delete(signal);
    for (const lane of this.#heldUp.get(signal) ?? []) this.#turns.add(lane);
    this.#heldUp.delete(signal);
  }

  #leave(lane: Lane, signal: AbortSignal, go: Go): void {
    lane.waiting.leave(signal, go);
    this.#heldUp.delete(signal);
    if (lane.waiting.empty) {
      lane.cancelTimer?.();
      lane.cancelTimer = undefined;
      this.#turns.delete(lane);
    }
    this.#settle(lane);
  }

  #settle(lane: Lane): void {
    if (!lane.waiting.empty && lane.cancelTimer === undefined) this.#turns.add(lane);
    if (lane.waiting.empty && lane.inFlight === 0) this.#idle.set(lane, this.#clock.now());
    this.#serve();
  }

  #forget(): void {
    const now = this.#clock.now();
    for (const [lane, since] of this.#idle) {
      if (now - since < SECOND_MS) return;
      this.#idle.delete(lane);
      this.#lanes.delete(lane.address);
    }
  }
}
