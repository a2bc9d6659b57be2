import type { SummaryRow } from '../../document/ends.ts';
import { summaryLine } from '../../reading/summary-line.ts';
import { printable } from '../../reading/words/printable.ts';
import { count, time } from '../../reading/words/quantities.ts';

/** How far a traversal has come. */
export interface Stage {
  /** "www.example.com. A"; empty: it has not begun, for the service has others to do first. */
  readonly question: string;
  readonly heard: number;
  readonly waiting: number;
  readonly elapsedMs: number;
  /** Preliminary. */
  readonly summary: readonly SummaryRow[];
}

/** What the live display shows: one line or two, none longer than the terminal is wide. */
export function frame(
  { question, heard, waiting, elapsedMs, summary }: Stage,
  columns: number,
): readonly string[] {
  const heardSoFar = `${question}: ${count(heard, 'reply', 'replies')}, ${waiting} awaited`;
  const lines = [`${question === '' ? 'waiting for its turn' : heardSoFar}, ${time(elapsedMs)}`];
  if (summary.length > 0) lines.push(`so far ${summaryLine(summary, 'terse')}`);
  return lines.map((line) => cut(printable(line), columns - 1));
}

function cut(line: string, columns: number): string {
  if (line.length <= columns) return line;
  return columns > 3 ? `${line.slice(0, columns - 3)}...` : line.slice(0, Math.max(0, columns));
}
