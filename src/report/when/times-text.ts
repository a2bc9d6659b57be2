import type { Times } from '../../document/when.ts';
import { asked } from '../../document/words/names.ts';
import { blocksText, fitted } from '../text/table.ts';
import { notCheckedWords } from '../views/not-checked.ts';
import { changeBlocks } from './change-text.ts';
import { leadBlocks, type TimesLook } from './lead-text.ts';

/**
 * The document as text for people: the times of the change that was made or is planned, if there is such a change, else those
 * of each kind of change. Safe to print, whatever servers sent.
 */
export function timesText(times: Times, look: TimesLook): string {
  const { query, changes, notices, notChecked } = times;
  const left = notCheckedWords(notChecked);
  const blocks = changes === undefined ? leadBlocks(times, look) : changeBlocks(times, look);
  return blocksText(
    [
      [[{ text: asked(query), style: 'strong' }]],
      ...blocks.map((rows) => fitted(rows, look.width)),
      notices.map(({ message }) => [{ text: message, style: 'unknown' }]),
      left === '' ? [] : [[{ text: `Not checked: ${left}`, style: 'faint' }]],
    ],
    look,
  );
}
