import type { TraversalResult } from '../../src/document/result.ts';
import { inside } from './inside.ts';

/** A line of a run over many names. */
export interface Line extends TraversalResult {
  readonly line: number;
  readonly exitStatus: number;
}

/** Runs `svc traverse --demo` in this process. */
export const many = (...words: readonly string[]) => inside(['traverse', '--demo', ...words]);

/** What is said at the end of a run. */
export const SUMMED_UP = /^svc: \d+ names?: [^\n]+; [\d,]+ exchanges in [^\n]+ names a second\n$/;

/** The line for a name without its final dot. */
export function lineFor(name: string, lines: readonly Line[]): Line {
  const line = lines.find(({ query }) => query.name === `${name}.`);
  if (line === undefined) throw new Error(`no line for ${name}`);
  return line;
}

/** Lines of JSON; what follows the last line end is left out. */
export function linesOf(text: string): readonly Line[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}
