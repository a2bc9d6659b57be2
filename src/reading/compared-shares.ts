import type { SummaryRow } from '../document/ends.ts';
import { type Fraction, readFraction, ZERO } from '../evaluate/fraction.ts';
import { endTerm } from './summary-line.ts';

/** What users get, and the share that get it in each of some views, in their order. */
interface ComparedShare {
  /** An answer's data, or the term for a kind of end. */
  readonly term: string;
  readonly shares: readonly Fraction[];
}

/** What users get in these views, in the order of the first view that has it. */
export function comparedShares(summaries: readonly (readonly SummaryRow[])[]): readonly ComparedShare[] {
  const views = summaries.map(sharesOf);
  const terms = new Set(views.flatMap((view) => [...view.keys()]));
  return [...terms].map((term) => ({ term, shares: views.map((view) => view.get(term) ?? ZERO) }));
}

/** The shares of a view by what users get. */
export function sharesOf(summary: readonly SummaryRow[]): ReadonlyMap<string, Fraction> {
  return new Map(summary.map((row) => [endTerm(row), readFraction(row.fraction)]));
}
