import type { TraversalResult } from '../result.ts';
import { endRows } from './ends.ts';
import { factRows } from './facts.ts';
import { findingRows } from './finding-rows.ts';
import { graphOf } from './graph.ts';
import { lookupRows } from './lookups.ts';
import { painter } from './paint.ts';
import type { Detail } from './shortened.ts';
import { type Rows, table } from './table.ts';
import { zoneCutRows } from './zone-cuts.ts';

/** How the text is to look. */
export interface Look {
  readonly colour: 'on' | 'off';
  readonly detail: Detail;
  /** Columns that a line may take. */
  readonly width: number;
}

/** A result as text for people: a pure function, safe to print whatever the result holds. */
export function renderText(result: TraversalResult, { colour, detail, width }: Look): string {
  const graph = graphOf(result);
  const { name, type } = result.query;
  const blocks: readonly Rows[] = [
    [[{ text: `${name} ${type}`, style: 'strong' }]],
    zoneCutRows(graph, detail),
    lookupRows(graph, detail),
    endRows(result, detail),
    findingRows(result.findings, width),
    factRows(result, detail),
  ];
  const paint = painter(colour);
  return blocks
    .filter((rows) => rows.length > 0)
    .map((rows) => table(rows, width, paint))
    .join('\n');
}
