import { onAbort } from '../../abort.ts';
import type { Exchanged, Reply } from '../../exchange/exchanged.ts';
import { isBelow, type Name } from '../../wire/name.ts';
import { meaningFor } from '../meaning-for.ts';
import { type CutReferrals, RecentCuts } from './recent-cuts.ts';
import {
  asShared,
  possibleCuts,
  type ReferralHome,
  type Sought,
  type ZoneQuery,
} from './shared-referrals.ts';

/**
 * The referrals that this process, or thread, has heard of. Several questions that may be below the same cut
 * do not go out at once: the others wait for what the first one brings, each once for each possible cut.
 */
export class KnownReferrals implements ReferralHome {
  readonly #elsewhere: ReferralHome | undefined;
  readonly #cuts: RecentCuts;
  /** Names by address and zone that proved to be no cuts of it. */
  readonly #uncut = new Set<string>();
  /** Possible cuts by address and zone whose first question is out. */
  readonly #awaited = new Map<string, Promise<void>>();

  /** `mostOfOthers`: how many cuts of other zones than the root are remembered. `elsewhere` may know what is not known here. */
  constructor(mostOfOthers: number, elsewhere?: ReferralHome) {
    this.#cuts = new RecentCuts(mostOfOthers);
    this.#elsewhere = elsewhere;
  }

  readonly seek: ReferralHome['seek'] = async (query, signal) => {
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
  async #first(query: ZoneQuery, place: string | undefined, signal: AbortSignal): Promise<Sought> {
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
