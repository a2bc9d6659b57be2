import { setTimeout as delay } from 'node:timers/promises';
import { type ProfileName, todaysProfile } from '../../../src/explore/profiles/profiles.ts';
import { all } from '../daemon.ts';
import { outcomeOf } from './copies.ts';
import { type FaultWorld, worldText } from './fault-world.ts';
import { type Got, judge, judgeLate, type Said } from './judge.ts';
import { type Effort, type LookedUp, lookUp } from './look-ups.ts';
import { recordingOf, saidBy } from './said.ts';
import { USER_WAITS_MS } from './user.ts';

/** A world and a product: what its profile says, what it did, and how well that fits. */
export interface Cell {
  readonly world: FaultWorld;
  readonly profile: ProfileName;
  readonly said: Said;
  readonly heard: Got;
  /** The same in the words of the profile, where it is known that the product differs. */
  readonly got: Got;
  readonly impossible: ReadonlyMap<string, number>;
  /** The smaller of the p-values of the outcomes and of those that are late. */
  readonly p: number;
}

/** What came of a comparison; nothing if the machine was too busy each time. */
type Compared = { readonly calm: 'calm'; readonly cells: readonly Cell[] } | { readonly calm: 'disturbed' };

/** Holds the profiles against the products in these worlds, once more if the machine was too busy. */
export async function compare(worlds: readonly FaultWorld[], effort: Effort<ProfileName>): Promise<Compared> {
  for (let time = 0; time < MOST_TIMES; time += 1) {
    const compared = await compareOnce(worlds, effort);
    if (compared.calm === 'calm') return compared;
  }
  return { calm: 'disturbed' };
}

const MOST_TIMES = 3;

async function compareOnce(worlds: readonly FaultWorld[], effort: Effort<ProfileName>): Promise<Compared> {
  return await lookUp(worlds, effort, async (held, surroundings) => {
    if (surroundings.calm() === 'disturbed') return { calm: 'disturbed' };
    // First all is heard: whoever evaluates keeps others from noticing how quick a reply is.
    const recordings = await all(
      held.map(async ({ specimen }, i) => {
        await delay(i * APART_MS);
        return await recordingOf(specimen, surroundings, effort.profiles);
      }),
    );
    const calm = surroundings.calm();
    if (calm === 'disturbed') return { calm };
    const cells = held.flatMap(({ world, lookedUp }, i) => {
      const recording = recordings[i];
      const said = recording === undefined ? undefined : saidBy(recording);
      return effort.profiles.flatMap((profile) => {
        const own = lookedUp.filter((one) => one.profile === profile);
        const ownSaid = said?.get(profile);
        // Too much work.
        if (ownSaid === undefined) return [];
        return judged({ world, profile, said: ownSaid, heard: gotOf(own) });
      });
    });
    return { calm, cells };
  });
}

/** Between the beginnings of two traversals, so that they do not slow each other down. */
const APART_MS = 300;

/** Judges what a product's users got in a world. */
export function judged(cell: Omit<Cell, 'got' | 'impossible' | 'p'>): Cell {
  const { profile, said, heard } = cell;
  const got = { ...heard, counts: inWordsOf(profile, said, heard.counts) };
  const { impossible, p } = judge(said, got);
  return { ...cell, got, impossible, p: Math.min(p, judgeLate(said, got)) };
}

/** What the users of these look-ups got. */
export function gotOf(lookedUp: readonly LookedUp[]): Got {
  const counts = new Map<string, number>();
  let late = 0;
  for (const { heard } of lookedUp) {
    const what = outcomeOf(heard?.reply);
    counts.set(what, (counts.get(what) ?? 0) + 1);
    if (heard !== undefined && heard.afterMs >= USER_WAITS_MS && what !== 'servfail') late += 1;
  }
  return { counts, late };
}

/** In words, for the names of assertions. */
export function cellText({ world, profile, said, got }: Cell): string {
  const shares = [...said.shares].map(([what, share]) => `${(100 * share).toFixed(1)} % ${what}`);
  const counts = [...got.counts].map(([what, count]) => `${count} × ${what}`);
  const late =
    said.late > 0 || got.late > 0 ? `, late ${(100 * said.late).toFixed(1)} % and ${got.late}` : '';
  return `${profile}: said ${shares.join(', ')}; got ${counts.join(', ')}${late}. ${worldText(world)}`;
}

/** What a product does instead of what its profile says, with the reason. */
interface Exception {
  readonly profile: ProfileName;
  readonly said: string;
  readonly done: string;
  readonly reason: string;
}

/** Either is a failure to users. */
const exceptions: readonly Exception[] = [
  {
    profile: 'knot',
    said: 'timeout',
    done: 'servfail',
    reason: 'asks servers that refuse or fail up to three times, and gives up after five failing replies',
  },
  {
    profile: 'knot',
    said: 'servfail',
    done: 'timeout',
    reason: 'a lookup that a user began with the second query may end in an answer after the user gave up',
  },
  {
    profile: 'unbound',
    said: 'servfail',
    done: 'timeout',
    reason:
      'looks up the addresses of the name servers before it gives up, and users hear nothing until then',
  },
];

/** What was got, in the words of the profile where it is known that the product differs. */
function inWordsOf(
  profile: ProfileName,
  { shares }: Said,
  counts: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  for (const [outcome, count] of counts) {
    const known = exceptions.find(
      (one) =>
        one.profile === (todaysProfile(profile) ?? profile) &&
        one.done === outcome &&
        shares.has(one.said) &&
        !shares.has(outcome),
    );
    const word = known?.said ?? outcome;
    words.set(word, (words.get(word) ?? 0) + count);
  }
  return words;
}
