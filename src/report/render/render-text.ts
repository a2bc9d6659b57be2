import type { TraversalResult } from '../../document/result.ts';
import { explanationRows } from './explanation-rows.ts';
import { resultText, type TextLook } from './result-text.ts';

/** How the text looks, and what it tells. */
export interface Look extends TextLook {
  /** Whether to say what each end means and what to do about it. */
  readonly ends?: 'listed' | 'explained';
}

/**
 * A result as text for people: the verdict, the zone cuts from the root down, the findings, how paths
 * end, and the counters. A pure function, safe to print whatever the result holds.
 */
export function renderText(result: TraversalResult, { ends, ...look }: Look): string {
  return ends === 'explained' ? resultText(result, look, explanationRows) : resultText(result, look);
}
