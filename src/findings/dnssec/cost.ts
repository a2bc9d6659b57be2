import type { Outcome } from '../../evaluate/distribution.ts';
import { causeOf } from '../../evaluate/end.ts';
import { compare, type Fraction, ZERO } from '../../evaluate/fraction.ts';
import { asked } from '../../reading/words/names.ts';
import { percent } from '../../reading/words/percent.ts';
import type { BogusReason } from '../../validate/bogus-reason.ts';
import type { Name } from '../../wire/name.ts';
import type { Evidence } from '../evidence.ts';
import { total } from '../prospects.ts';

/** How many lookups fail behind validating resolvers. */
interface Cost {
  /** Where the resolver tries another server if a reply does not verify. */
  readonly tryingOn: Fraction;
  /** Where it takes the first reply. */
  readonly firstTry: Fraction;
}

/** What faults in a zone cost users whose resolver validates: "so 50 % of lookups of www.example A fail ...". */
export function costWords(evidence: Evidence, zone: Name, reasons: readonly BogusReason[]): string {
  const { validating } = evidence.evaluation;
  const isCaused = ({ end }: Outcome) => {
    const cause = causeOf(end);
    return end.zone === zone && cause.kind === 'bogus' && reasons.includes(cause.reason);
  };
  const share = (outcomes: readonly Outcome[] = []) => total(outcomes.filter(isCaused));
  const cost = { tryingOn: share(validating?.outcomes), firstTry: share(validating?.firstTryOutcomes) };
  return isNone(cost)
    ? 'so validating resolvers have to ask another server'
    : `so ${failingWords(cost, asked(evidence.scope.question))}`;
}

function isNone({ tryingOn, firstTry }: Cost): boolean {
  return compare(tryingOn, ZERO) === 0 && compare(firstTry, ZERO) === 0;
}

/** "25 % of lookups of www.example A fail behind validating resolvers, 50 % behind those that do not retry" */
export function failingWords({ tryingOn, firstTry }: Cost, question: string): string {
  const some = (share: Fraction) =>
    `${percent(share)} of lookups of ${question} fail behind validating resolvers`;
  if (compare(tryingOn, firstTry) === 0) return some(tryingOn);
  return compare(tryingOn, ZERO) === 0
    ? `${some(firstTry)} that do not retry`
    : `${some(tryingOn)}, ${percent(firstTry)} behind those that do not retry`;
}
