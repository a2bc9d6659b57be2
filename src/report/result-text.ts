/* Renders a result as text for people, with all that -v, --explain and --chain add. */

import type { FailOn } from '../document/finding.ts';
import type { TraversalResult } from '../document/result.ts';
import { plainText, READABLE, type TextLook, titleRows, userBlocks } from './plain-text.ts';
import { adviceRows, meaningRows } from './text/advice-rows.ts';
import { fittedChain, proofRows } from './text/chain-rows.ts';
import { firstTryRows } from './text/end-rows.ts';
import { factRows } from './text/fact-rows.ts';
import { faultRows } from './text/fault-rows.ts';
import { lookupRows, zoneCutRows } from './text/step-rows.ts';
import { blocksText, fitted, headed, type Rows, STYLES, tailed } from './text/table.ts';
import { faultyZoneRows, lastFacts, orderFacts } from './text/zone-rows.ts';
import { adviceOn } from './views/advice.ts';
import { chainOf, chainVerdict } from './views/chain.ts';
import { isUnheard } from './views/effects.ts';
import { TO_DO } from './views/faults.ts';
import { notCheckedWords, wordingFor } from './views/wording.ts';

/** How the text looks, and what it tells. */
export interface Look extends TextLook {
  /** Whether to say what each end means, and who can act. */
  readonly ends?: 'listed' | 'explained';
  /** The least severity of a finding that is a failure in a test report. */
  readonly failOn?: FailOn;
}

/**
 * A result as text for people. In full detail with all zones, first tries and counters, too. A pure function, safe to print
 * whatever the result holds.
 */
export function renderText(result: TraversalResult, look: Look): string {
  const { detail, ends } = look;
  const isFull = detail === 'full';
  if (!isFull && (ends !== 'explained' || isUnheard(result))) return plainText(result, look);
  const width = isFull ? look.width : Math.min(look.width, READABLE);
  const wording = wordingFor(result, detail);
  return blocksText(
    [
      ...userBlocks(result, wording, look.marks, width),
      headed(
        TO_DO[result.recorded === undefined ? 'seen' : 'imagined'],
        adviceRows(adviceOn(result.findings, detail), width),
      ),
      headed('What ends mean', ends === 'explained' ? meaningRows(result, wording, width) : []),
      ...(isFull
        ? [
            tailed(zoneCutRows(result, wording), width),
            tailed(lookupRows(result, wording), width),
            fitted(firstTryRows(result, wording), width),
            headed('Asked for DNSSEC', fitted(proofRows(result), width)),
            factRows(result),
          ]
        : [faultyZoneRows(result, wording, width), [...orderFacts(result), ...lastFacts(result)]]),
    ],
    { ...look, width },
  );
}

/**
 * The chain of trust of a result, from the root to the answer; in full detail also the queries for it. If replies were not
 * validated, says why there is no chain. Safe to print.
 */
export function chainText(result: TraversalResult, look: Look): string {
  const { width, detail } = look;
  return blocksText(
    [
      titleRows(result, look.marks),
      ...chainBlocks(result, look),
      detail === 'full' ? headed('Asked for DNSSEC', fitted(proofRows(result), width)) : [],
    ],
    look,
  );
}

/** The chain, and what to do about the findings to which it refers. */
function chainBlocks(result: TraversalResult, { width }: Look): readonly Rows[] {
  const links = chainOf(result);
  if (links.length === 0) return [[[{ text: `No DNSSEC chain: ${whyNone(result)}`, style: 'unknown' }]]];
  const { verdict, effect } = chainVerdict(links);
  const codes = new Set(links.flatMap(({ sides }) => sides.flatMap((side) => side.codes)));
  const told = result.findings.filter(({ code }) => codes.has(code));
  return [
    [[{ text: `DNSSEC chain: ${verdict}`, style: STYLES[effect] }], ...fittedChain(links, width)],
    headed(TO_DO[result.recorded === undefined ? 'seen' : 'imagined'], faultRows(told, width)),
  ];
}

function whyNone({ notChecked = [] }: TraversalResult): string {
  return notCheckedWords(notChecked.filter(({ view }) => view === 'validating')) || 'no step was made';
}
