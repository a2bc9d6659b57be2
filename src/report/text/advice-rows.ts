/* Rows of text that say what to do about findings, and what ends mean to users. */

import type { TraversalResult } from '../../document/result.ts';
import { grouped } from '../../document/words/lists.ts';
import type { Advice } from '../views/advice.ts';
import { meaningsIn } from '../views/meanings.ts';
import type { Wording } from '../views/wording.ts';
import { INDENT, lineRows, SEVERITY_STYLES } from './fault-rows.ts';
import { type Cell, type Rows, STYLES } from './table.ts';

/** All that is to do: severity, code and place of a fault, what is wrong, who can do what, and below it what follows. */
export function adviceRows(items: readonly Advice[], width: number, hence = ''): Rows {
  return items.flatMap(({ severity, code, place, problem, action, hence: consequences }) => [
    [
      { text: severity, style: SEVERITY_STYLES[severity] },
      { text: `${hence}${code}`, style: 'strong' },
      { text: place },
    ],
    ...problem.flatMap((text) => lineRows(text, INDENT, width)),
    ...(action === undefined ? [] : lineRows(action, `${INDENT}- `, width)),
    ...adviceRows(consequences, width, 'hence '),
  ]);
}

/** What ends other than an answer that all get mean to users, and who can act. */
export function meaningRows(result: TraversalResult, wording: Wording, width: number): Rows {
  return grouped(meaningsIn(result, wording), ({ means }) => means).flatMap((alike) => [
    ...alike.map(({ title, effect }): readonly Cell[] => [{ text: title, style: STYLES[effect] }]),
    ...lineRows(alike[0].means, INDENT, width),
  ]);
}
