import { type Clock, systemClock } from '../../base/clock.ts';
import {
  type Allowance,
  type Allowances,
  type Rates,
  SECOND_MS,
  UNLIMITED,
} from '../../exchange/pacing/allowance.ts';
import type { StoreConnection } from './connection/connect.ts';
import { runScript, storeKey } from './connection/script.ts';
import { isStoreTrouble } from './connection/trouble.ts';
import { LEASE_SCRIPT, type LeaseReply } from './lease-script.ts';
import { type Extent, type Membership, SharedPlace } from './shared-place.ts';

/** The part of an instance in what all may send together. */
export interface FleetPace {
  /** What this instance may send, at rates that hold for all instances together. */
  readonly allowancesOf: (rates: Rates) => Allowances;
  /** How many instances there are, as far as this one knows; 0: the store has not said so lately. */
  readonly instances: number;
  /** Asks the store no more. Then this instance is cut off. */
  readonly stop: () => void;
}

/** What the fleet's pace is made of. */
interface FleetSurroundings {
  readonly connection: Pick<StoreConnection, 'commands' | 'instance' | 'state'>;
  /** Is told of what must not happen. */
  readonly failed: (error: unknown) => void;
  readonly clock?: Clock;
}

/** How long to collect places to ask for. */
const COLLECT_MS = 4;

/** The most places to ask for at once: the store does nothing else meanwhile. */
const MOST_AT_ONCE = 200;

/**
 * Shares rates among all instances of a service. Each may send its share of half of what is allowed; the
 * other half it leases from the store for a second, place by place, where more has to go. Whatever joins,
 * leaves or dies, all together never send more. Only instances that are cut off while others are not can
 * break that: they keep what they had leased last, and send one query a second to any other address.
 */
export function createFleetPace(around: FleetSurroundings): FleetPace {
  const pace = new Leases(around);
  pace.renew();
  return pace;
}

class Leases implements FleetPace {
  readonly #connection: FleetSurroundings['connection'];
  readonly #failed: (error: unknown) => void;
  readonly #clock: Clock;
  readonly #begunAt: number;
  /** Places that turns are, were or will be leased for. */
  readonly #hot = new Map<string, SharedPlace>();
  /** Those that lack turns, and have not been asked for. */
  readonly #lacking = new Set<SharedPlace>();
  #heard: { readonly at: number; readonly instances: number; readonly settledAt: number } | undefined;
  #cancelRenewal = () => {};
  #cancelAsking: (() => void) | undefined;
  #stopped = false;

  constructor({ connection, failed, clock = systemClock }: FleetSurroundings) {
    this.#connection = connection;
    this.#failed = failed;
    this.#clock = clock;
    this.#begunAt = clock.now();
  }

  get instances(): number {
    return this.#membership(this.#clock.now()).kind === 'cut-off' ? 0 : (this.#heard?.instances ?? 0);
  }

  readonly allowancesOf = ({ ratePerAddress, ratePerPrefix = 0, rateTotal = 0 }: Rates): Allowances => ({
    forAddress: (address) => this.#placeAt(`address:${address}`, ratePerAddress, 'address'),
    forPrefix: (prefix) => this.#placeAt(`prefix:${prefix}`, ratePerPrefix, 'wider'),
    total: this.#placeAt('total', rateTotal, 'wider'),
  });

  readonly stop = (): void => {
    this.#stopped = true;
    this.#cancelRenewal();
    this.#cancelAsking?.();
  };

  /** Says that this instance is there, and renews all leases, again and again. */
  renew(): void {
    if (this.#stopped) return;
    this.#cancelRenewal = this.#clock.after(RENEW_MS, () => this.renew());
    const now = this.#clock.now();
    for (const [key, place] of this.#hot) if (!place.isHot(now)) this.#hot.delete(key);
    void this.#ask([...this.#hot.values()]);
  }

  #placeAt(name: string, rate: number, extent: Extent): Allowance {
    if (rate === 0) return UNLIMITED;
    const key = storeKey('lease', name);
    return (
      this.#hot.get(key) ??
      new SharedPlace(key, rate, extent, {
        membership: (now) => this.#membership(now),
        keepsLeases: () => this.#connection.state.kind === 'degraded',
        lacks: (place) => this.#askSoon(place),
      })
    );
  }

  #membership(now: number): Membership {
    if (this.#heard === undefined) return { kind: now - this.#begunAt < BELIEVED_MS ? 'new' : 'cut-off' };
    const { at, instances, settledAt } = this.#heard;
    if (now - at >= BELIEVED_MS) return { kind: 'cut-off', instances };
    return now < settledAt ? { kind: 'new' } : { kind: 'settled', instances };
  }

  #askSoon(place: SharedPlace): void {
    if (this.#stopped) return;
    this.#hot.set(place.key, place);
    this.#lacking.add(place);
    this.#cancelAsking ??= this.#clock.after(COLLECT_MS, () => {
      this.#cancelAsking = undefined;
      const places = [...this.#lacking];
      this.#lacking.clear();
      void this.#ask(places);
    });
  }

  async #ask(places: readonly SharedPlace[]): Promise<void> {
    for (let from = 0; from === 0 || from < places.length; from += MOST_AT_ONCE) {
      const some = places.slice(from, from + MOST_AT_ONCE);
      try {
        await this.#askFor(some);
      } catch (error) {
        for (const place of some) place.unanswered(this.#clock.now());
        if (!isStoreTrouble(error)) this.#failed(error);
      }
    }
  }

  async #askFor(places: readonly SharedPlace[]): Promise<void> {
    const { commands, instance } = this.#connection;
    const sentAt = this.#clock.now();
    const keys = [storeKey('instances'), ...places.map(({ key }) => key)];
    const wanted = places.flatMap((place) => [place.pool, place.wanted(sentAt)]);
    const args = [keys.length, ...keys, instance, LEASE_MS, SECOND_MS, SETTLED_MS, ...wanted];
    const reply = await runScript(commands, LEASE_SCRIPT, args);
    this.#note(reply, sentAt);
    const [now, until] = [this.#clock.now(), sentAt + LEASE_MS];
    for (const [index, place] of places.entries()) place.leased(reply.turns[index] ?? 0, until, now);
  }

  #note({ membership, instances }: LeaseReply, at: number): void {
    const before = membership === 'known' ? this.#heard?.settledAt : undefined;
    this.#heard = { at, instances, settledAt: before ?? this.#clock.now() + SETTLED_MS };
  }
}

/** How long a lease lasts. */
const LEASE_MS = 1_000;

/** How often leases are renewed, and an instance says that it is there. */
const RENEW_MS = 400;

/** For how long an instance believes what the store last said. Then it is cut off. */
const BELIEVED_MS = 2_000;

/**
 * After this long without a word an instance counts as gone; and a new one is known to all others, and no
 * packet counts any more that they sent before they knew.
 */
const SETTLED_MS = BELIEVED_MS + SECOND_MS + 50;
