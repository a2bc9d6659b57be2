import type { TraversalResult } from '../../document/result.ts';
import { comparisonOf } from '../../reading/comparison.ts';
import { resultIndex } from '../../reading/result-index.ts';
import { verdictOn } from '../../reading/verdict.ts';
import { type Wording, wordingFor } from '../../reading/wording.ts';
import type { Detail } from '../../reading/words/shortened.ts';
import { painter } from '../table/paint.ts';
import { stacked } from '../table/stacked.ts';
import { STYLES } from '../table/styles.ts';
import { naturalWidth, type Rows, table } from '../table/table.ts';
import { endRows } from '../text/end-rows.ts';
import { factRows } from '../text/fact-rows.ts';
import { findingRows } from '../text/finding-rows.ts';
import { lookupRows } from '../text/lookup-rows.ts';
import { resolverRows } from '../text/resolver-rows.ts';
import { validatingRows } from '../text/validating-rows.ts';
import { warmRows } from '../text/warm-rows.ts';
import { whatIfRows } from '../text/what-if-rows.ts';
import { zoneCutRows } from '../text/zone-cut-rows.ts';

/** How the text looks. */
export interface TextLook {
  readonly colour: 'on' | 'off';
  readonly detail: Detail;
  /** Columns that a line may take. */
  readonly width: number;
}

/** Rows that go with a result, in its words. */
type MoreRows = (result: TraversalResult, wording: Wording, width: number) => Rows;

/** A result as text, with more rows below how paths end: a pure function, safe to print whatever the result holds. */
export function resultText(
  result: TraversalResult,
  { colour, detail, width }: TextLook,
  moreRows: MoreRows = () => [],
): string {
  const index = resultIndex(result);
  const { judge } = comparisonOf(result.outcomes);
  const wording = wordingFor(result, detail);
  const fitting = (rows: Rows) => (naturalWidth(rows) <= width ? rows : stacked(rows));
  const blocks: readonly Rows[] = [
    titleRows(result),
    fitting(whatIfRows(result, wording)),
    fitting(zoneCutRows(index, judge, wording)),
    fitting(lookupRows(index, wording)),
    findingRows(result.findings, detail, width),
    endRows(result, judge, wording),
    fitting(resolverRows(result, judge, wording)),
    moreRows(result, wording, width),
    fitting(validatingRows(result, wording)),
    fitting(warmRows(result, wording)),
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
