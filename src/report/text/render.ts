import type { TraversalResult } from '../../document/result.ts';
import { explanationRows } from '../explain/explanation-rows.ts';
import { differences } from './agreement.ts';
import { endRows } from './ends.ts';
import { factRows } from './facts.ts';
import { findingRows } from './finding-rows.ts';
import { graphOf } from './graph.ts';
import { lookupRows } from './lookups.ts';
import { painter } from './paint.ts';
import { STYLES } from './section-rows.ts';
import type { Detail } from './shortened.ts';
import { stacked } from './stacked.ts';
import { naturalWidth, type Rows, table } from './table.ts';
import { verdictOn } from './verdict.ts';
import { zoneCutRows } from './zone-cuts.ts';

/** How the text is to look. */
export interface Look {
  readonly colour: 'on' | 'off';
  readonly detail: Detail;
  /** Columns that a line may take. */
  readonly width: number;
  /** Whether to say what each end means and what to do about it. */
  readonly ends?: 'listed' | 'explained';
}

/**
 * A result as text for people: what it comes to, the zone cuts from the root down, what is wrong, how
 * paths end, what was counted. A pure function, safe to print whatever the result holds.
 */
export function renderText(result: TraversalResult, { colour, detail, width, ends }: Look): string {
  const graph = graphOf(result);
  const differs = differences(result.outcomes);
  const fitting = (rows: Rows) => (naturalWidth(rows) <= width ? rows : stacked(rows));
  const blocks: readonly Rows[] = [
    titleRows(result),
    fitting(zoneCutRows(graph, differs, detail)),
    fitting(lookupRows(graph, detail)),
    findingRows(result.findings, detail, width),
    endRows(result, detail),
    ends === 'explained' ? explanationRows(result, detail, width) : [],
    factRows(result, detail),
  ];
  const paint = painter(colour);
  return blocks
    .filter((rows) => rows.length > 0)
    .map((rows) => table(rows, width, paint))
    .join('\n');
}

function titleRows(result: TraversalResult): Rows {
  const { name, type } = result.query;
  const { words, bearing } = verdictOn(result);
  return [
    [
      { text: `${name} ${type}`, style: 'strong' },
      { text: words, style: STYLES[bearing] },
    ],
  ];
}
