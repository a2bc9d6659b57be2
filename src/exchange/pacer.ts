import { onAbort } from '../base/abort.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { type Allowance, type Allowances, allowancesOf, type Rates } from './allowance.ts';
import { AddressLanes, type Go, type Lane, Shares } from './lanes.ts';
import type { LiveUrgency } from './query.ts';
import { urgencyNow } from './urgency.ts';

/** Keeps the rates of queries. All senders of a process share one pacer, so that their total stays within the rates. */
export interface Pacer {
  /**
   * Waits until one more packet (or TCP connection) may go to the address. The caller keeps the turn
   * until it no longer awaits a reply. Calls with the same signal belong to one traversal, whose most urgent
   * go first. Rejects only with the signal's reason, when it is aborted.
   */
  acquire(address: string, signal: AbortSignal, urgency?: LiveUrgency): Promise<Turn>;
}

/** The pacer of a process. */
export interface MainPacer extends Pacer {
  /** Gives the traversal with this signal no more turns until `release`. What is on its way goes on. */
  readonly hold: (signal: AbortSignal) => void;
  readonly release: (signal: AbortSignal) => void;
}

/** Leave to send one packet (or to open one TCP connection), and a place in flight for it. */
export interface Turn {
  /** Says that the packet leaves now: rates count from this moment. Calling it again does nothing. */
  readonly leave: () => void;
  /** Gives the place back. Calling it again does nothing. */
  readonly end: () => void;
}

/** The limits that a pacer keeps. */
export interface Pace extends Rates {
  readonly totalInFlight: number;
  /**
   * The most of these for one traversal, so that one whose servers are all dead leaves room for others: nor has it more than
   * are free. So n traversals with dead servers leave one part in n + 1 free. Absent: all of them.
   */
  readonly perTraversalInFlight?: number;
  readonly clock?: Clock;
  /** Where the rates hold for more than this process; absent: they are its own. */
  readonly allowances?: (rates: Rates) => Allowances;
}

/**
 * Creates a pacer. How many queries may be in flight to one address follows from its rate. At each address the traversals
 * (signals) take turns, each with its most urgent query, so a traversal with many questions for a root server does not
 * shut out the others. The addresses that may be sent one more packet take turns too, so a long queue at one delays no
 * other; addresses of a prefix whose rate is used up wait apart. It keeps no timer while no query waits, and forgets
 * addresses that nothing has been sent to for a while. Its time for a packet does not grow with the queue.
 */
export function createPacer(pace: Pace): MainPacer {
  const { allowances = allowancesOf } = pace;
  return new RoundRobin(pace, allowances(pace));
}

class RoundRobin implements MainPacer {
  readonly #pace: Pace;
  readonly #clock: Clock;
  readonly #total: Allowance;
  readonly #lanes: AddressLanes;
  /** Lanes whose first may be able to go, in order of their turns. */
  readonly #turns = new Set<Lane>();
  readonly #shares: Shares;
  #inFlight = 0;
  /** Set while only the total rate keeps those in `#turns` from going. */
  #cancelTimer: (() => void) | undefined;

  constructor(pace: Pace, allowances: Allowances) {
    this.#pace = pace;
    this.#clock = pace.clock ?? systemClock;
    this.#total = allowances.forAll(() => this.#wakeAll());
    this.#lanes = new AddressLanes(allowances, this.#clock, {
      lane: (lane) => this.#wake(lane),
      prefix: (prefix) => this.#wakePrefix(prefix),
    });
    this.#shares = new Shares(pace.perTraversalInFlight ?? pace.totalInFlight);
  }

  readonly hold: MainPacer['hold'] = (signal) => this.#shares.hold(signal);

  readonly release: MainPacer['release'] = (signal) => {
    this.#shares.release(signal);
    this.#takeUp(signal);
    this.#serve();
  };

  acquire(address: string, signal: AbortSignal, urgency: LiveUrgency = {}): Promise<Turn> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const lane = this.#lanes.at(address);
      if (this.#isFree(lane, signal)) return resolve(this.#occupy(lane, signal));
      const go = () => {
        stay();
        resolve(this.#occupy(lane, signal));
      };
      const stay = onAbort(signal, () => {
        this.#leave(lane, signal, go);
        reject(signal.reason);
      });
      lane.waiting.join(signal, urgencyNow(urgency), go);
      urgency.rising?.onRise(() => lane.waiting.move(signal, urgencyNow(urgency), go));
      this.#queue(lane);
      this.#serve();
    });
  }

  /** Whether nothing would hold up a newcomer, and no waiting query could go first: most never have to wait. */
  #isFree({ waiting, allowance, prefix }: Lane, signal: AbortSignal): boolean {
    if (!waiting.empty || this.#turns.size > 0 || prefix.parked.size > 0) return false;
    if (this.#inFlight >= this.#pace.totalInFlight || !this.#hasRoom(signal)) return false;
    const now = this.#clock.now();
    return [allowance, prefix.allowance, this.#total].every((one) => one.wait(now) <= 0);
  }

  /** Gives a lane in which somebody waits its turn, unless a rate holds it up. */
  #queue(lane: Lane): void {
    const { parked } = lane.prefix;
    if (lane.cancelTimer !== undefined || this.#turns.has(lane)) return;
    if (parked.size > 0) parked.add(lane);
    else this.#turns.add(lane);
  }

  #serve(): void {
    for (const lane of this.#turns) {
      if (this.#inFlight >= this.#pace.totalInFlight || this.#isTotalUsedUp()) return;
      this.#turns.delete(lane);
      this.#serveLane(lane);
      this.#passOn(lane);
    }
  }

  /** What the lane had its turn for and did not use, another may. */
  #passOn(lane: Lane): void {
    this.#unpark(lane.prefix);
    const signals = [...lane.takenUpFor];
    lane.takenUpFor.clear();
    for (const signal of signals) this.#takeUp(signal);
  }

  #isTotalUsedUp(): boolean {
    const wait = this.#total.wait(this.#clock.now());
    if (Number.isFinite(wait) && wait > 0) {
      this.#cancelTimer ??= this.#clock.after(wait, () => this.#wakeAll());
    }
    return wait > 0;
  }

  #wakeAll(): void {
    if (this.#cancelTimer === undefined) return;
    this.#cancelTimer();
    this.#cancelTimer = undefined;
    this.#serve();
  }

  /** Lets the first in a lane go, if nothing else holds it up. */
  #serveLane(lane: Lane): void {
    const { waiting, allowance, prefix } = lane;
    if (waiting.empty) return;
    const now = this.#clock.now();
    const wait = allowance.wait(now);
    if (wait > 0) {
      this.#wakeLater(lane, wait);
      return;
    }
    if (prefix.allowance.wait(now) > 0) {
      prefix.parked.add(lane);
      return;
    }
    const go = waiting.next((signal) => this.#mayGo(signal, lane));
    if (go === undefined) return;
    go();
    // Its next turn comes after all the others'.
    if (!waiting.empty) this.#queue(lane);
  }

  #mayGo(signal: AbortSignal, lane: Lane): boolean {
    // They are about to leave.
    if (signal.aborted) return false;
    if (this.#hasRoom(signal)) return true;
    this.#shares.holdUp(signal, lane);
    return false;
  }

  #hasRoom(signal: AbortSignal): boolean {
    const { totalInFlight, perTraversalInFlight } = this.#pace;
    const free = perTraversalInFlight === undefined ? totalInFlight : totalInFlight - this.#inFlight;
    return this.#shares.hasRoom(signal, free);
  }

  #wakeLater(lane: Lane, wait: number): void {
    if (!Number.isFinite(wait)) return;
    lane.cancelTimer = this.#clock.after(wait, () => this.#wake(lane));
  }

  #wake(lane: Lane): void {
    if (lane.cancelTimer === undefined) return;
    lane.cancelTimer();
    lane.cancelTimer = undefined;
    this.#queue(lane);
    this.#serve();
  }

  /** Gives the first lane that is parked its turn, or sees to it that it gets it later. */
  #unpark(prefix: Lane['prefix']): void {
    const [lane] = prefix.parked;
    if (lane === undefined || prefix.cancelTimer !== undefined) return;
    const wait = prefix.allowance.wait(this.#clock.now());
    if (wait === 0) {
      prefix.parked.delete(lane);
      this.#turns.add(lane);
    } else if (Number.isFinite(wait)) {
      prefix.cancelTimer = this.#clock.after(wait, () => this.#wakePrefix(prefix));
    }
  }

  #wakePrefix(prefix: Lane['prefix']): void {
    if (prefix.cancelTimer === undefined) return;
    prefix.cancelTimer();
    prefix.cancelTimer = undefined;
    this.#unpark(prefix);
    this.#serve();
  }

  #occupy(lane: Lane, signal: AbortSignal): Turn {
    const taken = [lane.allowance, lane.prefix.allowance, this.#total].map(
      (allowance) => [allowance, allowance.take()] as const,
    );
    lane.inFlight += 1;
    this.#inFlight += 1;
    this.#shares.take(signal);
    let state: 'here' | 'left' | 'ended' = 'here';
    const leave = () => {
      if (state !== 'here') return;
      state = 'left';
      const now = this.#clock.now();
      for (const [allowance, slot] of taken) allowance.left(slot, now);
      this.#settle(lane);
    };
    const end = () => {
      leave();
      if (state === 'ended') return;
      state = 'ended';
      lane.inFlight -= 1;
      this.#inFlight -= 1;
      this.#shares.give(signal);
      this.#takeUp(signal);
      for (const other of this.#shares.heldUp) if (other !== signal) this.#takeUp(other);
      this.#settle(lane);
    };
    return { leave, end };
  }

  /** Gives the first lane in which a traversal is held up its turn, if there is room for it now. */
  #takeUp(signal: AbortSignal): void {
    const lane = this.#hasRoom(signal) ? this.#shares.takeUp(signal) : undefined;
    if (lane === undefined) return;
    lane.takenUpFor.add(signal);
    this.#queue(lane);
  }

  #leave(lane: Lane, signal: AbortSignal, go: Go): void {
    lane.waiting.leave(signal, go);
    this.#shares.forget(signal);
    if (lane.waiting.empty) this.#withdraw(lane);
    this.#settle(lane);
    if (this.#turns.size > 0) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** Nobody waits in the lane any more. */
  #withdraw(lane: Lane): void {
    const { prefix } = lane;
    lane.cancelTimer?.();
    lane.cancelTimer = undefined;
    this.#turns.delete(lane);
    prefix.parked.delete(lane);
    if (prefix.parked.size > 0) return;
    prefix.cancelTimer?.();
    prefix.cancelTimer = undefined;
  }

  #settle(lane: Lane): void {
    if (!lane.waiting.empty) this.#queue(lane);
    else if (lane.inFlight === 0) this.#lanes.rest(lane);
    this.#unpark(lane.prefix);
    this.#serve();
  }
}
