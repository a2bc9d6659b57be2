import type { Times } from '../../document/when.ts';
import { asked } from '../../document/words/names.ts';
import { blocksText, fitted } from '../text/table.ts';
import { changeBlocks } from './change-text.ts';
import { leadBlocks, type TimesLook } from './lead-text.ts';

/**
 * The times of a change as text for people: those of the change that was made or is planned, if they are there, else those of
 * each kind of change. A pure function, safe to print whatever they hold.
 */
export function timesText(times: Times, look: TimesLook): string {
  const { query, changes, notices } = times;
  const blocks = changes === undefined ? leadBlocks(times, look) : changeBlocks(times, look);
  return blocksText(
    [
      [[{ text: asked(query), style: 'strong' }]],
      ...blocks.map((rows) => fitted(rows, look.width)),
      notices.map(({ message }) => [{ text: message, style: 'unknown' }]),
    ],
    look,
  );
}
