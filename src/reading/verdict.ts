import type { TraversalResult } from '../document/result.ts';
import { compare, type Fraction, ONE, ZERO } from '../evaluate/fraction.ts';
import { differentAnswers, weightOf } from './agreement.ts';
import { type Bearing, bearingOf } from './doing.ts';
import { percentage } from './percent.ts';

/** What a result comes to, in a few words. */
export interface Verdict {
  readonly words: string;
  readonly bearing: Bearing;
}

/** Whether all paths end in the same, and how many fail or are not known. */
export function verdictOn({ outcomes }: TraversalResult): Verdict {
  const share = (bearing: Bearing) => weightOf(outcomes.filter((end) => bearingOf(end) === bearing));
  const [fails, unknown] = [share('fails'), share('unknown')];
  const different = differentAnswers(outcomes);
  const parts = [
    ...(different > 1 ? [`${different} different answers`] : []),
    ...partOf(fails, 'fails', 'fail'),
    ...partOf(unknown, 'is unknown', 'are unknown'),
  ];
  if (parts.length === 0) return { words: agreement(outcomes[0]?.kind), bearing: 'ends-well' };
  const bearing = compare(fails, ZERO) > 0 ? 'fails' : compare(unknown, ZERO) > 0 ? 'unknown' : 'differs';
  return { words: parts.join(', '), bearing };
}

function partOf(share: Fraction, whole: string, some: string): readonly string[] {
  if (compare(share, ZERO) === 0) return [];
  return compare(share, ONE) === 0 ? [`every path ${whole}`] : [`${percentage(share)} of paths ${some}`];
}

function agreement(kind: string | undefined): string {
  if (kind === 'nxdomain') return 'every path says that there is no such name';
  return kind === 'nodata' ? 'every path says that it has no such record' : 'every path gets the same answer';
}
