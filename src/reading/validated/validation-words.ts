import type { OutcomeRow } from '../../document/ends.ts';
import type { Conclusion } from '../../document/events.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { View } from '../../document/views.ts';
import { add, compare, equals, type Fraction, ONE, ZERO } from '../../evaluate/fraction.ts';
import type { Security } from '../../validate/verdict.ts';
import { weightOf } from '../comparison.ts';
import { summaryLine } from '../summary-line.ts';
import { percentage } from '../words/percent.ts';
import type { Detail } from '../words/shortened.ts';
import { type ValidatingFailures, validatingFailures } from './validating-difference.ts';

/** What the users of a view get, and how much of that is proven: "100 % 192.0.2.80 (secure)". */
export function validatedWords({ outcomes, summary }: View, detail: Detail): string {
  const line = summaryLine(summary, detail);
  const proof = proofWords(outcomes);
  return proof === undefined ? line : `${line} (${proof})`;
}

/** "secure", "insecure", "50 % secure"; undefined where nobody gets anything that could be either. */
function proofWords(outcomes: readonly OutcomeRow[]): string | undefined {
  const having = (security: Security) =>
    weightOf(outcomes.filter((end) => 'security' in end && end.security === security));
  const [secure, insecure] = [having('secure'), having('insecure')];
  const either = add(secure, insecure);
  if (equals(either, ZERO)) return undefined;
  const whose = equals(either, ONE) ? '' : 'answers ';
  if (equals(insecure, ZERO)) return `${whose}secure`;
  return equals(secure, ZERO) ? `${whose}insecure` : `${percentage(secure)} secure`;
}

/** What the users of both sorts of validating resolvers get, once where it is the same. */
export function bothReadingsWords(
  { summary, firstTry }: NonNullable<Conclusion['validating']>,
  detail: Detail,
): string {
  const tryingOn = summaryLine(summary, detail);
  const first = summaryLine(firstTry.summary, detail);
  return tryingOn === first ? first : `${tryingOn}; with the first reply ${first}`;
}

/** Says how many get nothing because their resolver validates; undefined if nobody does. */
export function validatingFailureWords(
  result: Pick<TraversalResult, 'resolver' | 'validating' | 'findings'>,
) {
  const failures = validatingFailures(result);
  return failures === undefined ? undefined : failureWords(failures);
}

const BEHIND = 'behind validating resolvers';

function failureWords({ tryingOn, firstTry }: ValidatingFailures): string {
  if (equals(tryingOn, firstTry)) return `${failing(tryingOn)} ${BEHIND}`;
  const few = `${failing(firstTry)} ${BEHIND} that do not retry`;
  return compare(tryingOn, ZERO) === 0
    ? few
    : `${failing(tryingOn)} ${BEHIND}, ${percentage(firstTry)} if they do not retry`;
}

function failing(share: Fraction): string {
  return equals(share, ONE) ? 'everything fails' : `${percentage(share)} of lookups fail`;
}
