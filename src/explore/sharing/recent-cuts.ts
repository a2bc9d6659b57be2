import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Name, ROOT } from '../../wire/name.ts';

/** The referrals of a zone's servers to one of its cuts, by address. */
export type CutReferrals = Map<string, Exchanged>;

/** The most cuts of the root that are remembered: there are some 1,450 top-level domains. */
const MOST_OF_ROOT = 2_000;

/**
 * The cuts of which referrals are remembered: practically all top-level domains, and of other zones those that were used
 * last. A list names many domains, but the names of one domain usually stand together.
 */
export class RecentCuts {
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
