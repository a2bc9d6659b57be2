/** What it costs the processor to tell a saved result again, and one of another world, the start of Node included. */
import { statSync } from 'node:fs';
import { tell } from './figure.ts';
import { quantile, shown, size } from './figures.ts';
import { PROGRAMS, type Program, runForUsage } from './program.ts';
import { savedResult } from './saved-result.ts';

const RUNS = 5;
/** Its result is the largest below 10 MB. */
const WORLD = 'wide-13-8';
/** A server of that world. */
const DOWN = 'ns1.p7.host.';

for (const program of PROGRAMS) {
  const saved = await savedResult(program, WORLD, ['--quick']);
  try {
    const replay = ['traverse', '--replay', saved.file];
    told('saved-text', program, replay, saved.file);
    told('saved-what-if', program, [...replay, '--down', DOWN], saved.file);
  } finally {
    saved.remove();
  }
}

function told(
  row: 'saved-text' | 'saved-what-if',
  program: Program,
  args: readonly string[],
  file: string,
): void {
  const runs = Array.from({ length: RUNS }, () => runForUsage(program, args));
  const middle = (of: (run: (typeof runs)[number]) => number) => quantile(runs.map(of), 0.5);
  const took = middle(({ tookMs }) => tookMs);
  tell(
    row,
    program,
    middle(({ cpuMs }) => cpuMs),
    `${size(statSync(file).size)}; ${shown(took)} by the clock`,
  );
}
