import type { OutcomeRow } from '../../document/ends.ts';
import type { ValidatingRow } from '../../document/result.ts';
import type { End } from '../../evaluate/end.ts';
import { equals, type Fraction } from '../../evaluate/fraction.ts';
import { weightOf } from '../comparison.ts';
import { endWords } from '../end-words.ts';
import { grouped } from '../grouped.ts';
import type { Shorten } from '../words/shortened.ts';

/** What validating resolvers' users get, and how many of them. */
interface ValidatedShare {
  /** One of the ends that read so. */
  readonly end: End;
  readonly words: string;
  /** Where the resolver tries another server if a reply does not verify. */
  readonly tryingOn: Fraction;
  /** Where it takes the first reply. */
  readonly firstTry: Fraction;
}

/** What validating resolvers' users get, in the order of the first reading that has it. */
export function validatedShares(
  { outcomes, firstTry }: ValidatingRow,
  shorten: Shorten,
): readonly ValidatedShare[] {
  const wordsOf = (end: End) => endWords(end, shorten);
  const shareIn = (view: readonly OutcomeRow[], words: string) =>
    weightOf(view.filter((end) => wordsOf(end) === words));
  return grouped([...outcomes, ...firstTry.outcomes], wordsOf).map(([end]) => {
    const words = wordsOf(end);
    return { end, words, tryingOn: shareIn(outcomes, words), firstTry: shareIn(firstTry.outcomes, words) };
  });
}

/** Whether it makes no difference if a resolver retries. */
export function readingsAgree(shares: readonly ValidatedShare[]): boolean {
  return shares.every(({ tryingOn, firstTry }) => equals(tryingOn, firstTry));
}
