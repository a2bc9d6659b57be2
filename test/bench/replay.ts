/** What telling a saved result again costs the processor for each question, less what starting and a small result cost. */
import { readFileSync } from 'node:fs';
import { tell } from './figure.ts';
import { quantile, shown } from './figures.ts';
import { PROGRAMS, type Program, runForUsage } from './program.ts';
import { type SavedResult, savedResult } from './saved-result.ts';

const RUNS = 5;

for (const program of PROGRAMS) {
  const small = await savedResult(program, 'small');
  const wide = await savedResult(program, 'wide-13-8');
  try {
    measure(program, small, wide);
  } finally {
    small.remove();
    wide.remove();
  }
}

function measure(program: Program, small: SavedResult, wide: SavedResult): void {
  const costs = Array.from({ length: RUNS }, () => [cost(program, small), cost(program, wide)] as const);
  const least = quantile(
    costs.map(([ms]) => ms),
    0.5,
  );
  const most = quantile(
    costs.map(([, ms]) => ms),
    0.5,
  );
  const more = exchangesIn(wide) - exchangesIn(small);
  tell(
    'replay',
    program,
    ((most - least) / more) * 1_000,
    `${shown(most)} for ${exchangesIn(wide)} questions, ${shown(least)} for ${exchangesIn(small)}`,
  );
}

function cost(program: Program, { file }: SavedResult): number {
  return runForUsage(program, ['traverse', '--replay', file]).cpuMs;
}

function exchangesIn({ file }: SavedResult): number {
  return JSON.parse(readFileSync(file, 'utf8')).exchanges.length;
}
