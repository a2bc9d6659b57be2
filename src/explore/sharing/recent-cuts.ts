import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Name, ROOT } from '../../wire/name.ts';

/** What the addresses of a zone's servers said of one of its cuts, by address. */
export type CutReferrals = Map<string, Exchanged>;

/** The most cuts of the root that are remembered: there are some 1,450 top-level domains. */
const MOST_OF_ROOT = 2_000;

/**
 * The cuts of which referrals are remembered: practically all top-level domains, and of other zones those that were used
 * last. A list names many domains, but the names of one domain usually stand together.
 */
export class RecentCuts {
  readonly #ofRoot: Cuts;
  readonly #ofOthers: Cuts;

  /** `mostOfOthers`: how many cuts of other zones than the root are remembered. */
  constructor(mostOfOthers: number) {
    this.#ofRoot = { most: MOST_OF_ROOT, referrals: new Map() };
    this.#ofOthers = { most: mostOfOthers, referrals: new Map() };
  }

  /** The referral that an address gave; its cut is the one used last then. */
  find(zone: Name, cut: Name, address: string): Exchanged | undefined {
    const { referrals } = this.#cutsOf(zone);
    const key = cutKey(zone, cut);
    const known = referrals.get(key);
    const referral = known?.get(address);
    if (known !== undefined && referral !== undefined) use(key, known, referrals);
    return referral;
  }

  /** The referrals to a cut, to be added to. */
  at(zone: Name, cut: Name): CutReferrals {
    const { referrals, most } = this.#cutsOf(zone);
    const key = cutKey(zone, cut);
    const known = referrals.get(key) ?? new Map<string, Exchanged>();
    use(key, known, referrals);
    if (referrals.size > most) forgetOldest(referrals);
    return known;
  }

  #cutsOf(zone: Name): Cuts {
    return zone === ROOT ? this.#ofRoot : this.#ofOthers;
  }
}

/** Zone cuts and what is known of them. */
interface Cuts {
  readonly most: number;
  /** By zone and cut; the one that was used last is the last. */
  readonly referrals: Map<string, CutReferrals>;
}

function cutKey(zone: Name, cut: Name): string {
  return `${zone} ${cut}`;
}

/** Makes a cut the one that was used last. */
function use(key: string, known: CutReferrals, referrals: Map<string, CutReferrals>): void {
  referrals.delete(key);
  referrals.set(key, known);
}

function forgetOldest(referrals: Map<string, CutReferrals>): void {
  for (const oldest of referrals.keys()) {
    referrals.delete(oldest);
    return;
  }
}
