import type { Finding } from '../document/findings.ts';
import type { TraversalResult } from '../document/result.ts';
import { compare, type Fraction, ONE, ZERO } from '../evaluate/fraction.ts';
import type { Bearing } from './bearing.ts';
import { warmthOf } from './cold-and-warm.ts';
import { bearingShare, comparisonOf } from './comparison.ts';
import { culpritsOf } from './culprits.ts';
import { isTrouble } from './exit-status.ts';
import { isIntercepted } from './finding-place.ts';
import { validatingFailureWords } from './validated/validation-words.ts';
import { listed } from './words/listed.ts';
import { plain } from './words/names.ts';
import { percentage } from './words/percent.ts';

/** The conclusion of a result in a few words. */
interface Verdict {
  readonly words: string;
  readonly bearing: Bearing;
}

/** Says whether the result can be trusted, whether every path ends the same way, and how many fail or are unknown. */
export function verdictOn(result: TraversalResult): Verdict {
  if (isIntercepted(result)) {
    return { words: 'DNS is intercepted on the way: nothing here can be trusted', bearing: 'fails' };
  }
  const { outcomes } = result;
  const [fails, unknown] = [bearingShare(outcomes, 'fails'), bearingShare(outcomes, 'unknown')];
  const { answers } = comparisonOf(outcomes);
  const unproven = validatingFailureWords(result);
  const parts = [
    ...(answers > 1 ? [`${answers} different answers`] : []),
    ...partOf(fails, 'fails', 'fail'),
    ...partOf(unknown, 'is unknown', 'are unknown'),
  ];
  if (parts.length === 0) return agreementIn(result);
  const warmth = warmthOf(result);
  if (warmth.kind === 'differs') parts.push(`different ${ONCE_WARM}`);
  if (warmth.kind === 'unknown' && compare(unknown, ZERO) === 0)
    parts.push(`${percentage(warmth.unexamined)} unknown ${ONCE_WARM}`);
  if (unproven !== undefined) return { words: [...parts, unproven].join(', '), bearing: 'fails' };
  const bearing = compare(fails, ZERO) > 0 ? 'fails' : compare(unknown, ZERO) > 0 ? 'unknown' : 'differs';
  return { words: parts.join(', '), bearing };
}

/** The name servers at which paths go wrong: "at ns1.example"; empty if there are none. */
export function culpritWords(result: TraversalResult): string {
  const culprits = culpritsOf(result).map(({ name }) => plain(name));
  return culprits.length === 0 ? '' : `at ${listed(culprits)}`;
}

function partOf(share: Fraction, whole: string, some: string): readonly string[] {
  if (compare(share, ZERO) === 0) return [];
  return compare(share, ONE) === 0 ? [`every path ${whole}`] : [`${percentage(share)} of paths ${some}`];
}

const ONCE_WARM = "once the zones' own servers are known";

/** Every path ends the same way, but a server can still have a fault that does not show in the ends. */
function agreementIn(result: TraversalResult): Verdict {
  const words = agreement(result);
  const unproven = validatingFailureWords(result);
  if (unproven !== undefined) return { words: `${words}, but ${unproven}`, bearing: 'fails' };
  const warmth = warmthOf(result);
  if (warmth.kind === 'differs') {
    return { words: `${words}, but something else ${ONCE_WARM}`, bearing: 'differs' };
  }
  if (warmth.kind === 'unknown') {
    return {
      words: `${words}, but ${percentage(warmth.unexamined)} is unknown ${ONCE_WARM}`,
      bearing: 'unknown',
    };
  }
  const errors = new Set(result.findings.filter(isErrorItself).map(({ code }) => code));
  if (errors.size === 0) return { words, bearing: 'ends-well' };
  return { words: `${words}; still to repair: ${listed([...errors])}`, bearing: 'differs' };
}

function isErrorItself({ severity, consequenceOf }: Finding): boolean {
  return consequenceOf === undefined && isTrouble(severity);
}

function agreement({ query, outcomes }: TraversalResult): string {
  const kind = outcomes[0]?.kind;
  if (kind === 'nxdomain') return 'every path says that the name does not exist';
  return kind === 'nodata'
    ? `every path says that the name has no ${query.type} record`
    : 'every path gets the same answer';
}
