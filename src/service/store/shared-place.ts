import { type Allowance, SECOND_MS } from '../../exchange/allowance.ts';

/** What a place is told of the fleet. */
interface FleetView {
  readonly membership: (now: number) => Membership;
  /** Whether the store is away: what was leased last is kept. */
  readonly keepsLeases: () => boolean;
  /** The place lacks turns: it is to be asked for some. */
  readonly lacks: (place: SharedPlace) => void;
}

/** How soon to look for the reply of a store that was asked: at least and at most, in milliseconds. */
const LOOK_AGAIN = { least: 10, most: 200 } as const;

/** When to ask again a store that had too few turns, or did not answer. */
const ASK_AGAIN_MS = 200;

/** The least turns that are asked for at once beyond those used. */
const LEAST_MORE = 2;

/** Whether the store may be asked for more turns. */
type Asked =
  | { readonly kind: 'free' }
  | { readonly kind: 'asked'; readonly at: number; readonly wanted: number }
  /** It had too few. */
  | { readonly kind: 'refused'; readonly at: number };

/** What this instance may send to one place: its share, and what it has leased besides. */
export class SharedPlace implements Allowance {
  readonly key: string;
  readonly pool: number;
  readonly #rate: number;
  readonly #extent: Extent;
  readonly #fleet: FleetView;
  readonly #second = new MovingSecond();
  #lease = { turns: 0, until: 0 };
  /** The most in any second since turns were last asked for. */
  #peak = 0;
  #lacking = false;
  #asked: Asked = { kind: 'free' };

  /** `key` is the place's in the store. */
  constructor(key: string, rate: number, extent: Extent, fleet: FleetView) {
    this.key = key;
    this.pool = poolOf(rate);
    this.#rate = rate;
    this.#extent = extent;
    this.#fleet = fleet;
  }

  wait(now: number): number {
    const turns = this.#turns(now);
    const own = this.#second.untilFewer(turns, now);
    const isAll = turns >= this.#rate || this.#leasedTurns(now) >= this.pool;
    if (own === 0 || isAll) return own;
    return Math.min(own, this.#untilMore(now));
  }

  take(): number {
    this.#second.take();
    return 0;
  }

  left(_slot: number, now: number): void {
    this.#second.left(now);
    this.#peak = Math.max(this.#peak, this.#second.count(now));
  }

  /** How many turns to ask for, beyond its share: more than were used if they were too few. */
  wanted(now: number): number {
    const used = Math.max(this.#peak, this.#second.count(now));
    const more = this.#lacking ? Math.max(LEAST_MORE, used) : 0;
    const share = shareOf(this.#rate, this.#extent, this.#fleet.membership(now));
    const wanted = Math.max(0, Math.min(used + more - share, this.pool));
    this.#peak = this.#second.count(now);
    this.#lacking = false;
    this.#asked = { kind: 'asked', at: now, wanted };
    return wanted;
  }

  /** The store has granted turns. */
  leased(turns: number, until: number, now: number): void {
    const { wanted } = this.#asked.kind === 'asked' ? this.#asked : { wanted: 0 };
    this.#lease = { turns, until };
    this.#asked = turns < wanted ? { kind: 'refused', at: now } : { kind: 'free' };
  }

  /** The store did not answer. */
  unanswered(now: number): void {
    this.#asked = { kind: 'refused', at: now };
  }

  /** Whether it has a lease, or needs one. */
  isHot(now: number): boolean {
    return this.#lacking || this.#leasedTurns(now) > 0 || this.#second.count(now) > 0;
  }

  #turns(now: number): number {
    return Math.min(
      this.#rate,
      shareOf(this.#rate, this.#extent, this.#fleet.membership(now)) + this.#leasedTurns(now),
    );
  }

  #leasedTurns(now: number): number {
    const { turns, until } = this.#lease;
    return now < until || this.#fleet.keepsLeases() ? turns : 0;
  }

  /** Asks for more, and says when to look whether there are any. */
  #untilMore(now: number): number {
    this.#lacking = true;
    const asked = this.#asked;
    if (asked.kind === 'asked') {
      return Math.min(Math.max(now - asked.at, LOOK_AGAIN.least), LOOK_AGAIN.most);
    }
    const againIn = asked.kind === 'refused' ? asked.at + ASK_AGAIN_MS - now : 0;
    if (againIn > 0) return againIn;
    this.#fleet.lacks(this);
    return LOOK_AGAIN.least;
  }
}

/** What an instance knows of the others. */
export type Membership =
  /** It has not heard from the store for a while; absent: it never has. */
  | { readonly kind: 'cut-off'; readonly instances?: number }
  /** Others may not know of it yet. */
  | { readonly kind: 'new' }
  | { readonly kind: 'settled'; readonly instances: number };

/** How much of the internet a rate is about: one address, or a prefix or all of it. */
export type Extent = 'address' | 'wider';

/**
 * Of what may go to a place in a second, half is divided among all instances, so that places where little
 * goes need no lease. The rest is the pool that leases come from.
 */
function poolOf(rate: number): number {
  return rate - divided(rate);
}

/**
 * What an instance may send to a place in a second without a lease. Cut off, it sends to an address what
 * nobody minds, wherever it is and however many do; wider places have as many addresses as ever.
 */
function shareOf(rate: number, extent: Extent, membership: Membership): number {
  switch (membership.kind) {
    case 'cut-off': {
      const { instances } = membership;
      const one = Math.min(1, rate);
      return extent === 'address' || instances === undefined ? one : Math.max(one, part(rate, instances));
    }
    case 'new':
      return 0;
    case 'settled':
      return part(rate, membership.instances);
  }
}

function part(rate: number, instances: number): number {
  return Math.floor(divided(rate) / instances);
}

function divided(rate: number): number {
  return Math.floor(rate / 2);
}

/** Counts the packets of the last second, among them those that are about to leave. */
class MovingSecond {
  #staying = 0;
  /** When those that have left did, in order; those before `#first` are too old to count. */
  #moments: number[] = [];
  #first = 0;

  count(now: number): number {
    this.#forget(now);
    return this.#staying + this.#moments.length - this.#first;
  }

  /** Milliseconds until fewer than `most` count; infinite if that needs one to leave, or `most` is 0. */
  untilFewer(most: number, now: number): number {
    const tooMany = this.count(now) - most;
    if (tooMany < 0) return 0;
    const last = this.#moments[this.#first + tooMany];
    return last === undefined ? Number.POSITIVE_INFINITY : last + SECOND_MS - now;
  }

  take(): void {
    this.#staying += 1;
  }

  left(now: number): void {
    this.#staying -= 1;
    this.#moments.push(now);
  }

  #forget(now: number): void {
    while ((this.#moments[this.#first] ?? now) + SECOND_MS <= now) this.#first += 1;
    // Shortening the list each time would copy it each time.
    if (this.#first < 64 || this.#first * 2 < this.#moments.length) return;
    this.#moments = this.#moments.slice(this.#first);
    this.#first = 0;
  }
}
