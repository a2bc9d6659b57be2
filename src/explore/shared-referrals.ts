/* Lets a referral that was heard before stand for the replies to other questions of the same run. */

import { onAbort } from '../base/abort.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { isAtOrBelow, isBelow, labelCount, type Name, parentOf, ROOT } from '../dns/name.ts';
import type { Exchange, Exchanged } from '../exchange/exchanged.ts';
import type { ZoneQuery } from '../exchange/query.ts';
import { asShared, byTtl } from '../exchange/shared-exchanges.ts';
import { meaningFor } from './classify.ts';

/**
 * An exchange in which a referral by an address of a server of the root or of a top-level domain stands for
 * its reply to every other name at or below that zone cut, as long as its TTL allows (svc-model(7), SHARED EXCHANGES).
 */
export function shareReferrals(exchange: Exchange, known: KnownReferrals): Exchange {
  return async (query, signal, leaving) => {
    const { address, question, zone } = query;
    if (zone === undefined || !refersManyNames(zone)) return await exchange(query, signal, leaving);
    const sought = await known.seek({ address, question, zone }, signal);
    if (sought.kind === 'known') return { ...sought.referral, address, question };
    let exchanged: Exchanged | undefined;
    try {
      exchanged = await exchange(query, signal, leaving);
      return exchanged;
    } finally {
      sought.tell(exchanged);
    }
  };
}

/** Whether it is the root or a top-level domain. */
function refersManyNames(zone: Name): boolean {
  return labelCount(zone) <= 1;
}

/**
 * The names at which a zone may be cut so that the reply is a referral to there, the highest first. The DS
 * records of a zone are its parent's to give.
 */
function possibleCuts({ question: { name, type }, zone }: ZoneQuery): readonly Name[] {
  const cuts: Name[] = [];
  const lowest = type === 'DS' ? parentOf(name) : name;
  for (let cut = lowest; cut !== undefined && cut !== zone && isAtOrBelow(cut, zone); cut = parentOf(cut))
    cuts.unshift(cut);
  return cuts;
}

/** What is known about a question: a referral that stands for the reply, or nothing yet. */
type SoughtReferral =
  /** A referral that the address gave for a zone cut above it, as what stands for other replies. */
  | { readonly kind: 'known'; readonly referral: Exchanged }
  /** Ask it, and tell what came of it; undefined: nothing. Others may be waiting for that. */
  | { readonly kind: 'ask'; readonly tell: (exchanged: Exchanged | undefined) => void };

/**
 * The referrals that were heard of. Several questions that may be below the same cut do not go out at once: the
 * others wait for what the first one brings, each once for each possible cut.
 */
export class KnownReferrals {
  readonly #cuts: RecentCuts;
  readonly #clock: Clock;
  /** Names by address and zone that proved to be no cuts of it. */
  readonly #uncut = new Set<string>();
  /** Possible cuts by address and zone whose first question is out. */
  readonly #awaited = new Map<string, Promise<void>>();

  /** `mostOfOthers`: how many cuts of other zones than the root are remembered. */
  constructor(mostOfOthers: number, clock: Clock = systemClock) {
    this.#cuts = new RecentCuts(mostOfOthers);
    this.#clock = clock;
  }

  /** Rejects with the signal's reason when it is aborted. */
  async seek(query: ZoneQuery, signal: AbortSignal): Promise<SoughtReferral> {
    const inVain = new Set<string>();
    for (;;) {
      signal.throwIfAborted();
      const referral = this.#known(query);
      if (referral !== undefined) return { kind: 'known', referral };
      const place = possibleCuts(query)
        .map((cut) => placeOf(query, cut))
        .find((place) => !this.#uncut.has(place) && !inVain.has(place));
      const awaited = place === undefined ? undefined : this.#awaited.get(place);
      if (place === undefined || awaited === undefined) return this.#first(query, place);
      inVain.add(place);
      await unlessAborted(awaited, signal);
    }
  }

  #known(query: ZoneQuery): Exchanged | undefined {
    for (const cut of possibleCuts(query)) {
      const known = this.#cuts.find(query.zone, cut, query.address);
      if (known !== undefined && known.until >= this.#clock.now()) return known.referral;
    }
    return undefined;
  }

  /** Nobody asks below this possible cut yet. */
  #first({ zone }: ZoneQuery, place: string | undefined): SoughtReferral {
    const over = place === undefined ? () => {} : this.#await(place);
    return {
      kind: 'ask',
      tell: (exchanged) => {
        if (exchanged?.outcome.kind === 'reply') this.#learn(exchanged, zone);
        over();
      },
    };
  }

  #await(place: string): () => void {
    let over = () => {};
    const promise = new Promise<void>((resolve) => {
      over = resolve;
    });
    this.#awaited.set(place, promise);
    return () => {
      this.#awaited.delete(place);
      over();
    };
  }

  /** Forgetting them costs no more than a wait. */
  #noteUncut(place: string): void {
    if (this.#uncut.size >= MOST_UNCUT) this.#uncut.clear();
    this.#uncut.add(place);
  }

  #learn(referral: Exchanged, zone: Name): void {
    const meaning = meaningFor(referral, zone);
    if (meaning.kind !== 'referral') return;
    const { zone: cut } = meaning.delegation;
    const { address, question } = referral;
    for (const name of possibleCuts({ address, question, zone }))
      if (isBelow(cut, name)) this.#noteUncut(placeOf({ address, zone }, name));
    const referrals = this.#cuts.at(zone, cut);
    const until = this.#clock.now() + byTtl(referral);
    referrals.set(address, { referral: asShared(referral), until });
  }
}

function placeOf({ address, zone }: Pick<ZoneQuery, 'address' | 'zone'>, cut: Name): string {
  return `${address} ${zone} ${cut}`;
}

const MOST_UNCUT = 2_000;

function unlessAborted(awaited: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stay = onAbort(signal, () => reject(signal.reason));
    void awaited.then(() => {
      stay();
      resolve();
    });
  });
}

/** A referral as what stands for other replies, and the time until which it does. */
interface KnownReferral {
  readonly referral: Exchanged;
  readonly until: number;
}

/** The referrals of a zone's servers to one of its cuts, by address. */
type CutReferrals = Map<string, KnownReferral>;

/** The most cuts of the root that are remembered: there are some 1,450 top-level domains. */
const MOST_OF_ROOT = 2_000;

/**
 * The cuts of which referrals are remembered: practically all top-level domains, and of other zones those that were used
 * last. A list names many domains, but the names of one domain usually stand together.
 */
class RecentCuts {
  /** By zone and cut; the last is the one that was used last. */
  readonly #ofRoot = new Map<string, CutReferrals>();
  readonly #ofOthers = new Map<string, CutReferrals>();
  readonly #mostOfOthers: number;

  /** `mostOfOthers`: how many cuts of other zones than the root are remembered. */
  constructor(mostOfOthers: number) {
    this.#mostOfOthers = mostOfOthers;
  }

  /** The referral that an address gave; its cut is the one used last then. */
  find(zone: Name, cut: Name, address: string): KnownReferral | undefined {
    const cuts = zone === ROOT ? this.#ofRoot : this.#ofOthers;
    const key = `${zone} ${cut}`;
    const referrals = cuts.get(key);
    const referral = referrals?.get(address);
    if (referrals !== undefined && referral !== undefined) use(key, referrals, cuts);
    return referral;
  }

  /** The referrals to a cut, to be added to. */
  at(zone: Name, cut: Name): CutReferrals {
    const [cuts, most] = zone === ROOT ? [this.#ofRoot, MOST_OF_ROOT] : [this.#ofOthers, this.#mostOfOthers];
    const key = `${zone} ${cut}`;
    const referrals = cuts.get(key) ?? new Map<string, KnownReferral>();
    use(key, referrals, cuts);
    const [oldest] = cuts.keys();
    if (cuts.size > most && oldest !== undefined) cuts.delete(oldest);
    return referrals;
  }
}

/** Makes a cut the one that was used last. */
function use(key: string, referrals: CutReferrals, cuts: Map<string, CutReferrals>): void {
  cuts.delete(key);
  cuts.set(key, referrals);
}
