import type { SummaryRow } from '../document/ends.ts';
import { readFraction } from '../evaluate/fraction.ts';
import { END_TERMS } from './end-words.ts';
import { listed } from './words/listed.ts';
import { percentages } from './words/percent.ts';
import { type Detail, shortening } from './words/shortened.ts';

/** A summary in one line, most probable first: "75 % 192.0.2.80 and 25 % timeout". */
export function summaryLine(summary: readonly SummaryRow[], detail: Detail): string {
  const percents = percentages(summary.map(({ fraction }) => readFraction(fraction)));
  const terms = summary.map(endTerm);
  const shorten = detail === 'full' ? (text: string) => text : shortening(terms);
  const parts = terms.map((term, at) => `${percents[at]} ${shorten(term)}`);
  return listed(parts, detail === 'full' ? parts.length : PARTS_SHOWN);
}

/** With more parts it would no longer be one line. */
const PARTS_SHOWN = 4;

/** What an end of a summary is, in full: the data of an answer, or the term for its kind. */
export function endTerm({ kind, answer, reason }: SummaryRow): string {
  if (reason !== undefined) return `unknown (${reason})`;
  return answer?.join(' + ') ?? END_TERMS[kind];
}
