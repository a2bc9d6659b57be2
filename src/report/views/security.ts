import type { TraversalResult } from '../../document/result.ts';
import { grouped } from '../../document/words/lists.ts';
import { insecurityWords } from '../../document/words/security-words.ts';
import { proofWords } from './users.ts';

/**
 * How well the data that users get are proven, and why not: "insecure (no DS for shop.example., as ns1.example. proves)".
 * Undefined where nobody gets anything that could be either.
 */
export function provenWords({
  validating,
  exchanges,
}: Pick<TraversalResult, 'validating' | 'exchanges'>): string | undefined {
  const proof = validating && proofWords(validating.outcomes);
  const isInsecure = validating?.outcomes.some((end) => 'security' in end && end.security === 'insecure');
  const reasons = isInsecure ? insecurities(exchanges) : '';
  return reasons === '' ? proof : `${proof} (${reasons})`;
}

/** The reasons at the zone cuts themselves, each once; what follows from them further down only where there are none. */
function insecurities(exchanges: TraversalResult['exchanges']): string {
  const insecure = exchanges.flatMap(({ security }) => (security?.status === 'insecure' ? [security] : []));
  const own = insecure.filter(({ reason }) => reason !== 'unsigned-parent');
  const each = grouped(
    own.length > 0 ? own : insecure,
    ({ reason = '', zone = '' }) => `${reason} ${zone}`,
  ).flatMap(([first]) => insecurityWords(first) ?? []);
  const more = each.length - SHOWN;
  return [...each.slice(0, SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

const SHOWN = 2;
