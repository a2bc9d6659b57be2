import type { SummaryRow } from '../document/ends.ts';
import type { EndKind } from '../evaluate/end.ts';
import { readFraction } from '../evaluate/fraction.ts';
import { listed } from './listed.ts';
import { percentages } from './percent.ts';
import { type Detail, shortened } from './shortened.ts';

/** A summary in one line, most probable first: "75 % 192.0.2.80, 25 % timeout". */
export function summaryLine(summary: readonly SummaryRow[], detail: Detail): string {
  const percents = percentages(summary.map(({ fraction }) => readFraction(fraction)));
  const parts = summary.map((row, at) => `${percents[at]} ${shortened(termFor(row), detail)}`);
  return listed(parts, detail === 'full' ? parts.length : PARTS_SHOWN);
}

/** With more parts it is no line any more. */
const PARTS_SHOWN = 4;

function termFor({ kind, answer }: SummaryRow): string {
  return answer === undefined ? END_TERMS[kind] : answer.join(' + ');
}

/** What a kind of end is called where there is room for a word or two. */
export const END_TERMS: Readonly<Record<EndKind, string>> = {
  answer: 'an answer',
  nodata: 'NODATA',
  nxdomain: 'NXDOMAIN',
  servfail: 'SERVFAIL',
  timeout: 'timeout',
  unreachable: 'unreachable',
  malformed: 'malformed reply',
  error: 'error',
  lame: 'lame',
  'alias-loop': 'alias loop',
  'unresolvable-ns': 'unresolvable name server',
  'no-glue': 'no glue',
  loop: 'loop',
  blocked: 'blocked',
  'depth-limit': 'unknown (depth limit)',
  'query-limit': 'unknown (query limit)',
  'time-limit': 'unknown (not in time)',
  'work-limit': 'unknown (work limit)',
  pending: 'not known yet',
};
