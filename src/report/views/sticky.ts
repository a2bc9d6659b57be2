/* Who gets what of users whose resolver is busy and stays with the fastest server of a zone: svc-model(7), PROFILES. */

import type { StickyRow, TraversalResult } from '../../document/result.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { percentage } from '../../document/words/quantities.ts';
import { readFraction, sum } from '../../evaluate/fraction.ts';
import { contentTerm } from './wording.ts';

/** The most lines that a text has of it. */
const MOST_LINES = 3;

/**
 * What users get near each server, a line for each step where servers lead to different ends: "near ns1.example
 * 192.0.2.1; near ns2.example 192.0.2.2 (the fastest from here)".
 */
export function stickyWords({ sticky = [] }: Pick<TraversalResult, 'sticky'>): readonly string[] {
  const lines = sticky.flatMap((step) => stepWords(step) ?? []);
  return lines.length <= MOST_LINES
    ? lines
    : [...lines.slice(0, MOST_LINES - 1), `and at ${lines.length - MOST_LINES + 1} more steps`];
}

function stepWords({ rows, fastestHere }: StickyRow): string | undefined {
  // Nobody stays with a server that does not reply.
  const replying = rows.filter(({ rttMs }) => rttMs !== undefined);
  const groups = grouped(replying, contentOf);
  if (groups.length < 2) return undefined;
  const fastest = fastestHere === null ? undefined : rows[fastestHere];
  const fewestFirst = [...groups].sort((a, b) => a.length - b.length);
  const parts = fewestFirst.map((alike) => {
    const names = [...new Set(alike.map(({ server }) => plain(server)))];
    const nearest = fastest !== undefined && alike.includes(fastest) ? ' (the fastest from here)' : '';
    return `near ${listed(names)} ${contentOf(alike[0])}${nearest}`;
  });
  return parts.join('; ');
}

/** What users get; each with its share where that is not all. */
function contentOf({ outcomes }: StickyRow['rows'][number]): string {
  const contents = grouped(outcomes, contentTerm).map((alike) => {
    const share = sum(alike.map(({ fraction }) => readFraction(fraction)));
    return { term: contentTerm(alike[0]), share };
  });
  const [only] = contents;
  if (only !== undefined && contents.length === 1) return only.term;
  return listed(contents.map(({ term, share }) => `${percentage(share)} ${term}`));
}
