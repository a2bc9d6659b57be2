/* Lets a referral that was heard before stand for the replies to other questions of the same run. */

import { onAbort } from '../base/abort.ts';
import { isAtOrBelow, isBelow, labelCount, type Name, parentOf, ROOT } from '../dns/name.ts';
import type { Exchange, Exchanged, Reply, Traffic } from '../exchange/exchanged.ts';
import type { Query, ZoneQuery } from '../exchange/query.ts';
import { meaningFor } from './classify.ts';

/** What a source knows about a question: a referral that stands for the reply, or nothing yet. */
export type SoughtReferral =
  /** A referral that the address gave for a zone cut above it, as what stands for other replies (`asShared`). */
  | { readonly kind: 'known'; readonly referral: Exchanged }
  /** Ask it, and tell what came of it; undefined: nothing. Others may be waiting for that. */
  | { readonly kind: 'ask'; readonly tell: (exchanged: Exchanged | undefined) => void };

/** A source of referrals that were given before in the same run. */
export interface ReferralSource {
  /** Rejects with the signal's reason when it is aborted. */
  readonly seek: (query: ZoneQuery, signal: AbortSignal) => Promise<SoughtReferral>;
}

/**
 * An exchange in which a referral by an address of a server of the root or of a top-level domain stands for
 * its reply to every other name at or below that zone cut (svc-model(7), SHARED REFERRALS).
 */
export function shareReferrals(exchange: Exchange, source: ReferralSource): Exchange {
  return async (query, signal, leaving) => {
    const { address, question, zone } = query;
    if (zone === undefined || !refersManyNames(zone)) return await exchange(query, signal, leaving);
    const sought = await source.seek({ address, question, zone }, signal);
    if (sought.kind === 'known') return standIn(sought.referral, query);
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

/** The referral as the reply to another question. */
function standIn(referral: Exchanged, { address, question }: Query): Exchanged {
  return { ...referral, address, question };
}

/** A referral as what stands for other replies: nothing was sent for these. */
function asShared(referral: Exchanged): Exchanged {
  return { ...referral, tries: [], traffic: NO_TRAFFIC, shared: true };
}

const NO_TRAFFIC: Traffic = { packetsSent: 0, packetsReceived: 0, bytesSent: 0, bytesReceived: 0 };

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

/**
 * The referrals that this process, or thread, has heard of. Several questions that may be below the same cut
 * do not go out at once: the others wait for what the first one brings, each once for each possible cut.
 */
export class KnownReferrals implements ReferralSource {
  readonly #elsewhere: ReferralSource | undefined;
  readonly #cuts: RecentCuts;
  /** Names by address and zone that proved to be no cuts of it. */
  readonly #uncut = new Set<string>();
  /** Possible cuts by address and zone whose first question is out. */
  readonly #awaited = new Map<string, Promise<void>>();

  /** `mostOfOthers`: how many cuts of other zones than the root are remembered. `elsewhere` may know what is not known here. */
  constructor(mostOfOthers: number, elsewhere?: ReferralSource) {
    this.#cuts = new RecentCuts(mostOfOthers);
    this.#elsewhere = elsewhere;
  }

  readonly seek: ReferralSource['seek'] = async (query, signal) => {
    const inVain = new Set<string>();
    for (;;) {
      signal.throwIfAborted();
      const referral = this.#known(query);
      if (referral !== undefined) return { kind: 'known', referral };
      const place = possibleCuts(query)
        .map((cut) => placeOf(query, cut))
        .find((place) => !this.#uncut.has(place) && !inVain.has(place));
      const awaited = place === undefined ? undefined : this.#awaited.get(place);
      if (place === undefined || awaited === undefined) return await this.#first(query, place, signal);
      inVain.add(place);
      await unlessAborted(awaited, signal);
    }
  };

  #known(query: ZoneQuery): Exchanged | undefined {
    for (const cut of possibleCuts(query)) {
      const referral = this.#cuts.find(query.zone, cut, query.address);
      if (referral !== undefined) return referral;
    }
    return undefined;
  }

  /** Nobody asks below this possible cut yet. */
  async #first(query: ZoneQuery, place: string | undefined, signal: AbortSignal): Promise<SoughtReferral> {
    const over = place === undefined ? () => {} : this.#await(place);
    const learn = (referral: Exchanged | undefined) => {
      if (referral !== undefined) this.#learn(referral, query.zone);
      over();
      return referral;
    };
    const tell = (exchanged: Exchanged | undefined) => learn(referralIn(exchanged, query.zone));
    if (this.#elsewhere === undefined) return { kind: 'ask', tell };
    try {
      const sought = await this.#elsewhere.seek(query, signal);
      if (sought.kind === 'ask') return { kind: 'ask', tell: (exchanged) => sought.tell(tell(exchanged)) };
      learn(sought.referral);
      return sought;
    } catch (reason) {
      over();
      throw reason;
    }
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
    referrals.set(address, alike(asShared(referral), referrals));
  }
}

function placeOf({ address, zone }: Pick<ZoneQuery, 'address' | 'zone'>, cut: Name): string {
  return `${address} ${zone} ${cut}`;
}

const MOST_UNCUT = 2_000;

/** A referral with its records as objects, which can be handed to another thread; undefined if it is none. */
function referralIn(exchanged: Exchanged | undefined, zone: Name): Exchanged | undefined {
  if (exchanged?.outcome.kind !== 'reply' || meaningFor(exchanged, zone).kind !== 'referral')
    return undefined;
  const { answer, authority, additional } = exchanged.outcome;
  const sections = { answer: [...answer], authority: [...authority], additional: [...additional] };
  return { ...exchanged, outcome: { ...exchanged.outcome, ...sections } };
}

/** The same with the records of another that has equal ones: servers of a zone usually refer alike. */
function alike(referral: Exchanged, others: CutReferrals): Exchanged {
  const [other] = others.values();
  if (referral.outcome.kind !== 'reply' || other?.outcome.kind !== 'reply') return referral;
  const { answer, authority, additional } = other.outcome;
  if (sectionsText(referral.outcome) !== sectionsText(other.outcome)) return referral;
  return { ...referral, outcome: { ...referral.outcome, answer, authority, additional } };
}

function sectionsText({ answer, authority, additional }: Reply): string {
  return JSON.stringify([answer, authority, additional]);
}

function unlessAborted(awaited: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stay = onAbort(signal, () => reject(signal.reason));
    void awaited.then(() => {
      stay();
      resolve();
    });
  });
}

/** The referrals of a zone's servers to one of its cuts, by address. */
type CutReferrals = Map<string, Exchanged>;

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
  find(zone: Name, cut: Name, address: string): Exchanged | undefined {
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
    const referrals = cuts.get(key) ?? new Map<string, Exchanged>();
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
