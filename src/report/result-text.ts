/* Renders a result as text for people. */

import type { FailOn } from '../document/finding.ts';
import type { TraversalResult } from '../document/result.ts';
import { titleName } from '../document/words/names.ts';
import type { Detail } from '../document/words/shortened.ts';
import { adviceRows, faultRows, meaningRows } from './text/advice-rows.ts';
import { fittedChain, proofRows } from './text/chain-rows.ts';
import { resolverRows } from './text/end-rows.ts';
import { factRows } from './text/fact-rows.ts';
import { lookupRows, zoneCutRows } from './text/step-rows.ts';
import { blocksText, fitted, type Marks, type Rows, STYLES, tailed } from './text/table.ts';
import { firstTryRows, userRows } from './text/user-rows.ts';
import { faultyZoneRows } from './text/zone-rows.ts';
import { adviceOn, TO_DO } from './views/advice.ts';
import { chainOf, chainVerdict } from './views/chain.ts';
import { notCheckedWords } from './views/not-checked.ts';
import { resultView } from './views/result-view.ts';
import { isUnheard, STATUS_EFFECT, TRY_ELSEWHERE } from './views/status.ts';

/** How the text looks, and what it tells. */
export interface Look extends TextLook {
  /** Whether to say what each end means, and who can act. */
  readonly ends?: 'listed' | 'explained';
  /** The least severity of a finding that is a failure in a test report. */
  readonly failOn?: FailOn;
}

/** How the text looks. */
export interface TextLook {
  readonly colour: 'on' | 'off';
  readonly marks?: Marks;
  readonly detail: Detail;
  /** Columns that a line may take. */
  readonly width: number;
}

/**
 * A result as text for people: the verdict, who gets what, what to do, and the servers of zones in which something is wrong.
 * In full detail all zones, first tries and counters, too. A pure function, safe to print whatever the result holds.
 */
export function renderText(result: TraversalResult, look: Look): string {
  const { detail, ends } = look;
  const width = Math.min(look.width, detail === 'full' ? look.width : READABLE);
  const view = resultView(result, detail);
  if (isUnheard(result) && detail === 'terse')
    return blocksText([[...titleRows(result, look.marks), [{ text: TRY_ELSEWHERE }]]], { ...look, width });
  const { shorten } = view.wording;
  const proof = view.proof?.split(' ')[0];
  const isFull = detail === 'full';
  const isRecorded = result.recorded === undefined;
  const isExplained = ends === 'explained';
  return blocksText(
    [
      titleRows(result, look.marks),
      fitted(userRows(view, width), width),
      result.resolvers === undefined ? [] : fitted(resolverRows(view), width),
      headed(
        TO_DO[isRecorded ? 'seen' : 'imagined'],
        isFull || isExplained
          ? adviceRows(adviceOn(result.findings, detail), width)
          : faultRows(result.findings, width),
      ),
      headed('What ends mean', isExplained ? meaningRows(view, width) : []),
      isFull ? tailed(zoneCutRows(view), width) : faultyZoneRows(result, { width, shorten, proof }),
      ...(isFull ? [tailed(lookupRows(view), width), fitted(firstTryRows(view), width)] : []),
      isFull ? headed('Asked for DNSSEC', fitted(proofRows(result), width)) : [],
      factRows(view),
    ],
    { ...look, width },
  );
}

/** Longer lines are hard to read. */
const READABLE = 100;

/** What was asked, and the verdict. */
function titleRows({ query: { name, type }, verdict }: TraversalResult, marks?: Marks): Rows {
  return [
    [
      { text: `${marks === 'ascii' ? name : titleName(name)} ${type}`, style: 'strong' },
      { text: verdict.text, style: STYLES[STATUS_EFFECT[verdict.status]] },
    ],
  ];
}

/** Rows below a title; nothing without rows. */
function headed(title: string, rows: Rows): Rows {
  return rows.length === 0 ? [] : [[{ text: title, style: 'strong' }], ...rows];
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
