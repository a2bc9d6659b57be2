import { DEFAULT_PROFILES, type ProfileName } from '../../../src/explore/profiles/profiles.ts';
import { breaksOldServers } from './kinds.ts';
import type { SaidOfProduct } from './said.ts';
import type { Chain, Watched } from './watch.ts';

/** A kind of change and a product: how what its users got fits what the program says. Durations are milliseconds. */
export interface Cell {
  readonly kind: string;
  readonly product: ProfileName;
  /** Of each zone, after the change: when its users asked last and still got an old end. */
  readonly lastOld: readonly number[];
  /** The same, of SERVFAIL. */
  readonly lastFailing: readonly number[];
  /** How long after the last moment that is said users got the old end, at most; of resolvers that were slow, as slow as they were. */
  readonly oldTooLate: number;
  readonly failingTooLate: number;
  /** Whether the last moment that is said is earlier than this much before it; where none is said, old ends stayed. */
  readonly isTight: boolean;
  readonly said: SaidOfProduct;
  /** Positions in the curve, from 0 to 1, of the moments at which users of a zone lost the old end: two bounds for each. */
  readonly positions: readonly (readonly [least: number, most: number])[];
}

/** Judges all products in a kind of change that was watched so long after the change. */
export function cellsOf({ kind, said, chains }: Watched, watchMs: number): readonly Cell[] {
  return DEFAULT_PROFILES.map((product) => {
    const own = chains.filter((chain) => chain.product === product);
    const ofProduct = said.byProduct(product);
    const { lastMs, leastMs, copies, failingMs, shareAt } = ofProduct;
    const isOld = (got: string) => said.old.has(got);
    const isFailing = (got: string) => got === 'servfail';
    const lastOld = own.map((chain) => lastOf(chain, isOld));
    const lastFailing = own.map((chain) => lastOf(chain, isFailing));
    const tooLate = (is: typeof isOld, most: number) =>
      Math.max(...own.map((chain) => lastOf(chain, is) - most - slowness(chain, lastOf(chain, is))));
    const reached = Math.max(...lastOld);
    const tolerance = copies * 1_000 + ASK_MS;
    const hasCurve = lastMs !== null && copies > 0 && !breaksOldServers(kind);
    return {
      kind: kind.name,
      product,
      lastOld,
      lastFailing,
      oldTooLate: lastMs === null ? 0 : tooLate(isOld, lastMs),
      failingTooLate: tooLate(isFailing, failingMs),
      isTight:
        lastMs === null ? reached > watchMs - leastMs - tolerance : reached >= lastMs - leastMs - 1_000,
      said: ofProduct,
      positions: hasCurve
        ? own.flatMap((chain, at) => {
            const last = lastOld[at] ?? 0;
            return chain.asksNs !== undefined
              ? []
              : [[shareAt(last + tolerance), shareAt(last - tolerance)] as const];
          })
        : [],
    };
  });
}

const ASK_MS = 500;

/** When users asked last for what they got; 0: not after the change. */
function lastOf({ asked }: Chain, is: (got: string) => boolean): number {
  return Math.max(0, ...asked.filter(({ got }) => got !== undefined && is(got)).map(({ atMs }) => atMs));
}

/** How long users waited for replies since the change, until a moment: so much later a copy may have been made. */
function slowness({ asked, others }: Chain, untilMs: number): number {
  return [...asked, ...others]
    .filter(({ atMs, heardAtMs = untilMs }) => heardAtMs > 0 && atMs <= untilMs)
    .reduce((sum, { atMs, heardAtMs = untilMs }) => sum + heardAtMs - Math.max(0, atMs), 0);
}

/**
 * How far the positions are outside of a curve, by the bounds for each; a position is uniform from 0 to 1 if the curve is
 * right. Positive: farther than 99 % of such samples are.
 */
export function offCurve(positions: Cell['positions']): number {
  const count = positions.length;
  if (count === 0) return 0;
  // The inequality of Dvoretzky, Kiefer and Wolfowitz, with Massart's constant.
  const band = Math.sqrt(Math.log(2 / 0.01) / (2 * count));
  const upTo = (some: readonly number[], share: number) => some.filter((one) => one <= share).length / count;
  const [least, most] = [positions.map(([one]) => one), positions.map(([, one]) => one)];
  const offs = Array.from({ length: 101 }, (_, step) => step / 100).map((share) =>
    Math.max(share - upTo(least, share), upTo(most, share - 1e-9) - share),
  );
  return Math.max(...offs) - band;
}

/** In words, for the names of assertions and the list of all cells. */
export function cellText({ kind, product, said, lastOld, lastFailing }: Cell): string {
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  const list = (all: readonly number[]) =>
    [...all]
      .sort((a, b) => a - b)
      .map((ms) => (ms === 0 ? '-' : seconds(ms)))
      .join(' ');
  const { lastMs, failingMs } = said;
  const until = lastMs === null ? 'as long as they answer' : seconds(lastMs);
  const failing = lastFailing.some((ms) => ms > 0)
    ? `; failing until ${seconds(failingMs)}, was ${list(lastFailing)}`
    : '';
  return `${kind}, ${product}: old until ${until}, was ${list(lastOld)}${failing}`;
}
