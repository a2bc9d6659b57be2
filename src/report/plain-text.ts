/* Renders a result as text for people who want the verdict and what to do: not what -v and --explain add. */

import type { TraversalResult } from '../document/result.ts';
import { titleName } from '../document/words/names.ts';
import type { Detail } from '../document/words/shortened.ts';
import { faultRows } from './text/fault-rows.ts';
import { blocksText, fitted, headed, type Marks, type Rows, STYLES } from './text/table.ts';
import { resolverRows, userRows } from './text/user-rows.ts';
import { faultyZoneRows, lastFacts, orderFacts } from './text/zone-rows.ts';
import { isUnheard, STATUS_EFFECT, TRY_ELSEWHERE } from './views/effects.ts';
import { TO_DO } from './views/faults.ts';
import { type Wording, wordingFor } from './views/wording.ts';

/**
 * A result as text for people: the verdict, who gets what, what to do, and the servers of zones in which something is wrong.
 * A pure function, safe to print whatever the result holds.
 */
export function plainText(result: TraversalResult, look: TextLook): string {
  const width = Math.min(look.width, READABLE);
  const wording = wordingFor(result, 'terse');
  if (isUnheard(result))
    return blocksText([[...titleRows(result, look.marks), [{ text: TRY_ELSEWHERE }]]], { ...look, width });
  return blocksText(
    [
      ...userBlocks(result, wording, look.marks, width),
      headed(TO_DO[result.recorded === undefined ? 'seen' : 'imagined'], faultRows(result.findings, width)),
      faultyZoneRows(result, wording, width),
      [...orderFacts(result), ...lastFacts(result)],
    ],
    { ...look, width },
  );
}

/** Longer lines are hard to read. */
export const READABLE = 100;

/** The verdict, who gets what, and what resolvers say. */
export function userBlocks(
  result: TraversalResult,
  wording: Wording,
  marks: TextLook['marks'],
  width: number,
): readonly Rows[] {
  return [
    titleRows(result, marks),
    fitted(userRows(result, wording, width), width),
    result.resolvers === undefined ? [] : fitted(resolverRows(result, wording), width),
  ];
}

/** What was asked, and the verdict. */
export function titleRows({ query: { name, type }, verdict }: TraversalResult, marks?: Marks): Rows {
  return [
    [
      { text: `${marks === 'ascii' ? name : titleName(name)} ${type}`, style: 'strong' },
      { text: verdict.text, style: STYLES[STATUS_EFFECT[verdict.status]] },
    ],
  ];
}

/** How the text looks. */
export interface TextLook {
  readonly colour: 'on' | 'off';
  readonly marks?: Marks;
  readonly detail: Detail;
  /** Columns that a line may take. */
  readonly width: number;
}
