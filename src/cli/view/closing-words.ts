import { limitsMet } from '../../document/limits-met.ts';
import type { TraversalResult } from '../../document/result.ts';
import { type LimitKind, unexamined } from '../../evaluate/end.ts';
import { add, type Fraction, readFraction, ZERO } from '../../evaluate/fraction.ts';
import { percentage } from '../../reading/words/percent.ts';
import { nothingHeard } from '../process/exit-status.ts';

/** What to tell a person beside the result: why it does not say more, and what would help. */
export function closingWords(result: TraversalResult): readonly string[] {
  const { ending, outcomes } = result;
  if (ending === 'cancelled') return [`interrupted: ${unknownShare(result)} of paths are unknown`];
  if (nothingHeard(result))
    return ['no root server could be reached: is there a network? (--demo needs none)'];
  const blocked = outcomes.some(isBlocked) ? (['blocked'] as const) : [];
  return [...limitsMet(result), ...blocked].map((kind) => ADVICE[kind]);
}

type Outcome = TraversalResult['outcomes'][number];

const ADVICE: Readonly<Record<LimitKind | 'blocked', string>> = {
  'time-limit': 'not everything was heard in time: --max-time gives it more',
  'query-limit': 'not everything was asked: --max-queries allows more',
  'work-limit': 'too many different steps to evaluate them all: a lower --max-depth needs fewer',
  'depth-limit': 'some paths are longer than the depth limit: --max-depth allows more',
  blocked: 'special-purpose addresses were not asked: --allow-special-targets allows it',
};

function isBlocked(end: Outcome): boolean {
  return unexamined(end)?.kind === 'blocked';
}

function unknownShare({ outcomes }: TraversalResult): string {
  const unknown = outcomes.filter((end) => unexamined(end) !== undefined);
  const shares = unknown.map(({ fraction }): Fraction => readFraction(fraction));
  return percentage(shares.reduce(add, ZERO));
}
