import { limitsMet } from '../../document/limits-met.ts';
import type { TraversalResult } from '../../document/result.ts';
import { type LimitKind, unexamined } from '../../evaluate/end.ts';
import { add, type Fraction, readFraction, ZERO } from '../../evaluate/fraction.ts';
import { nothingHeard } from '../../reading/exit-status.ts';
import { isIntercepted } from '../../reading/finding-place.ts';
import { type BlockedReason, queryLimitWords, whyBlocked } from '../../reading/words/not-asked.ts';
import { percentage } from '../../reading/words/percent.ts';

/** What to tell people beside the result: why it does not say more, and what would help. */
export function closingWords(result: TraversalResult): readonly string[] {
  const { ending, outcomes } = result;
  if (ending === 'cancelled') return [`interrupted: ${unknownShare(result)} of paths are unknown`];
  if (nothingHeard(result))
    return ['no root server could be reached: is there a network? (--demo needs none)'];
  if (isIntercepted(result))
    return ['DNS is intercepted on the way: the name servers did not answer for themselves'];
  const blocked = new Set(outcomes.flatMap(blockedIn));
  return [
    ...limitsMet(result).map((kind) => limitAdvice(kind, result)),
    ...[...blocked].map((why) => ADVICE[why]),
  ];
}

type Outcome = TraversalResult['outcomes'][number];

const ADVICE: Readonly<Record<LimitKind | BlockedReason, string>> = {
  'time-limit': 'time ran out before every reply came: --max-time allows more',
  'query-limit': 'the query limit left questions unasked: --max-queries allows more',
  'work-limit': 'there are too many different steps to evaluate: --max-work allows more',
  'depth-limit': 'some paths are longer than the depth limit: --max-depth allows more',
  denied: 'servers on the deny list were not asked',
  'special-purpose': 'special-purpose addresses were not asked: --allow-special-targets asks them',
};

/** A query limit counts packets or octets in some traversals, all of whose questions left are left for that. */
function limitAdvice(kind: LimitKind, { unasked, ending }: TraversalResult): string {
  if (kind === 'query-limit' && ending === 'whole')
    return 'some questions that this takes were never asked, or their replies not kept: they count as beyond the query limit';
  const [first] = unasked.flatMap((row) => (row.kind === 'query-limit' ? [row] : []));
  if (kind !== 'query-limit' || first?.unit === undefined) return ADVICE[kind];
  return `a limit of ${queryLimitWords(first)} left questions unasked`;
}

function blockedIn(end: Outcome): readonly BlockedReason[] {
  const cause = unexamined(end);
  return cause?.kind === 'blocked' ? [whyBlocked(cause)] : [];
}

function unknownShare({ outcomes }: TraversalResult): string {
  const unknown = outcomes.filter((end) => unexamined(end) !== undefined);
  const shares = unknown.map(({ fraction }): Fraction => readFraction(fraction));
  return percentage(shares.reduce(add, ZERO));
}
