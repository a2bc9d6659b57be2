import type { ProfileName } from '../../../src/base/profile-names.ts';
import type { Said } from './judge.ts';

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
export function inWordsOf(
  profile: ProfileName,
  { shares }: Said,
  counts: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  for (const [outcome, count] of counts) {
    const known = exceptions.find(
      (one) =>
        one.profile === profile && one.done === outcome && shares.has(one.said) && !shares.has(outcome),
    );
    const word = known?.said ?? outcome;
    words.set(word, (words.get(word) ?? 0) + count);
  }
  return words;
}
