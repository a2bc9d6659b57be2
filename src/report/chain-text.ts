/* Renders the chain of trust of a result as text for people. */

import type { TraversalResult } from '../document/result.ts';
import { headed, type Look, titleRows } from './result-text.ts';
import { fittedChain, proofRows } from './text/chain-rows.ts';
import { blocksText, fitted, type Rows, STYLES } from './text/table.ts';
import { chainOf } from './views/chain.ts';
import { chainVerdict } from './views/chain-verdict.ts';
import { notCheckedWords } from './views/not-checked.ts';
import { resultView } from './views/result-view.ts';

/**
 * The chain of trust of a result, from the root to the answer; in full detail also the queries for it. If replies were not
 * validated, says why there is no chain. Safe to print.
 */
export function chainText(result: TraversalResult, look: Look): string {
  const { width, detail } = look;
  return blocksText(
    [
      titleRows(resultView(result, detail)),
      bodyRows(result, width),
      detail === 'full' ? headed('Asked for DNSSEC', fitted(proofRows(result), width)) : [],
    ],
    look,
  );
}

function bodyRows(result: TraversalResult, width: number): Rows {
  const links = chainOf(result);
  if (links.length === 0) return [[{ text: `No DNSSEC chain: ${whyNone(result)}`, style: 'unknown' }]];
  const { verdict, effect } = chainVerdict(links);
  return [[{ text: `DNSSEC chain: ${verdict}`, style: STYLES[effect] }], ...fittedChain(links, width)];
}

function whyNone({ notChecked = [] }: TraversalResult): string {
  return notCheckedWords(notChecked.filter(({ view }) => view === 'validating')) || 'no step was made';
}
