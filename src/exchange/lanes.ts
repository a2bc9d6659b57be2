import { getOrMake } from '../get-or-make.ts';
import { destinationOf } from '../wire/special-purpose.ts';
import { type Allowances, FORGOTTEN_AFTER_MS, ratedPrefix } from './allowance.ts';
import type { Clock } from './clock.ts';
import { type District, type Lane, WaitingLine } from './lane.ts';

/** The lanes of the addresses that packets wait for or were sent to a while ago at most. */
export class Lanes {
  readonly #allowances: Allowances;
  readonly #clock: Clock;
  readonly #lanes = new Map<string, Lane>();
  readonly #districts = new Map<string, District>();
  /** Idle lanes and since when, longest first. */
  readonly #idle = new Map<Lane, number>();

  constructor(allowances: Allowances, clock: Clock) {
    this.#allowances = allowances;
    this.#clock = clock;
  }

  /** The lane of what an address leads to, which is no longer idle: a translator's address is not one server more. */
  at(translated: string): Lane {
    this.#forget();
    const address = destinationOf(translated);
    const known = this.#lanes.get(address);
    if (known !== undefined) {
      this.#idle.delete(known);
      return known;
    }
    const district = this.#districtOf(address);
    district.lanes += 1;
    const allowance = this.#allowances.forAddress(address);
    const waiting = new WaitingLine<AbortSignal>();
    const state = { inFlight: 0, takenUpFor: new Set<AbortSignal>(), cancelTimer: undefined };
    const lane: Lane = { address, district, allowance, waiting, ...state };
    this.#lanes.set(address, lane);
    return lane;
  }

  /** Nobody waits in the lane, and nothing is on its way: it is idle, and forgotten after a while. */
  rest(lane: Lane): void {
    this.#idle.set(lane, this.#clock.now());
  }

  #districtOf(address: string): District {
    const prefix = ratedPrefix(address);
    return getOrMake(this.#districts, prefix, () => {
      const allowance = this.#allowances.forPrefix(prefix);
      return { prefix, allowance, lanes: 0, parked: new Set<Lane>(), cancelTimer: undefined };
    });
  }

  #forget(): void {
    const now = this.#clock.now();
    for (const [lane, since] of this.#idle) {
      if (now - since < FORGOTTEN_AFTER_MS) return;
      const { address, district } = lane;
      this.#idle.delete(lane);
      this.#lanes.delete(address);
      district.lanes -= 1;
      if (district.lanes === 0) this.#districts.delete(district.prefix);
    }
  }
}
