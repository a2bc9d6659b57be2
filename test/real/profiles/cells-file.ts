import { appendFile, readFile } from 'node:fs/promises';
import { PROFILE_NAMES } from '../../../src/base/profile-names.ts';
import { type Of, readShape } from '../../../src/base/shape.ts';
import { dictionary, object } from '../../../src/base/shape-object.ts';
import { COUNT, list, NUMBER, oneOf, TEXT } from '../../../src/base/shape-values.ts';
import { type Cell, judged } from './cells.ts';
import { randomFaultWorld } from './fault-world.ts';

/** A line of a file of cells. */
const LINE = object({
  seed: COUNT,
  profile: oneOf(...PROFILE_NAMES),
  said: object({ shares: dictionary(NUMBER), late: NUMBER, deviations: list(TEXT) }),
  heard: object({ counts: dictionary(COUNT), late: COUNT }),
});

/** The cells of a file, judged anew; none if there is no such file. */
export async function readCells(file: string): Promise<readonly Cell[]> {
  const text = await readFile(file, { encoding: 'utf8', flag: 'a+' });
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const { seed, profile, said, heard } = readShape(LINE, JSON.parse(line));
    return judged({
      world: randomFaultWorld(seed),
      profile,
      said: { ...said, shares: new Map(Object.entries(said.shares)) },
      heard: { counts: new Map(Object.entries(heard.counts)), late: heard.late },
    });
  });
}

/** Appends cells to a file. */
export async function appendCells(file: string, cells: readonly Cell[]): Promise<void> {
  const lines = cells.map(({ world, profile, said, heard }) => {
    const line: Of<typeof LINE> = {
      seed: world.seed,
      profile,
      said: { ...said, shares: Object.fromEntries(said.shares) },
      heard: { counts: Object.fromEntries(heard.counts), late: heard.late },
    };
    return `${JSON.stringify(line)}\n`;
  });
  await appendFile(file, lines.join(''));
}
