import type { TraversalResult } from '../result.ts';
import { printable } from './printable.ts';

/** How the text is to look. */
export interface Look {
  readonly colour: 'on' | 'off';
  readonly detail: 'terse' | 'full';
  /** Columns that a line may take. */
  readonly width: number;
}

/** A result as text for people. */
export function renderText(result: TraversalResult, _look: Look): string {
  const lines = result.summary.map(({ fraction, kind, answer }) =>
    [fraction, kind, ...(answer ?? [])].join(' '),
  );
  return `${lines.map(printable).join('\n')}\n`;
}
