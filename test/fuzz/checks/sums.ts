import type { TraversalResult } from '../../../src/document/result.ts';
import { equals, fractionText, ONE, readFraction, sum, toNumber } from '../../../src/evaluate/fraction.ts';
import { must } from '../subject.ts';

interface Exact {
  readonly fraction: string;
  readonly probability: number;
}

/** The ends of each view sum to exactly 1 (svc-model(7), PROBABILITIES). */
export function sumToOne({ outcomes, summary, resolver, warm }: TraversalResult): void {
  const cold = { outcomes, summary, resolver: resolver.outcomes, 'resolver summary': resolver.summary };
  const views = warm === undefined ? cold : { ...cold, ...viewsOf(warm) };
  for (const [view, rows] of Object.entries<readonly Exact[]>(views)) {
    const fractions = rows.map(({ fraction }) => readFraction(fraction));
    must(equals(sum(fractions), ONE), `${view} sums to ${fractionText(sum(fractions))}`);
    for (const { fraction, probability } of rows) {
      const exact = readFraction(fraction);
      must(exact.numerator > 0n && fractionText(exact) === fraction, `${view} has ${fraction}`);
      must(probability > 0 && probability === toNumber(exact), `${view}: ${fraction} as ${probability}`);
    }
  }
}

function viewsOf({ outcomes, summary, resolver }: NonNullable<TraversalResult['warm']>) {
  return {
    warm: outcomes,
    'warm summary': summary,
    'warm resolver': resolver.outcomes,
    'warm resolver summary': resolver.summary,
  };
}
