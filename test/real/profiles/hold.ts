/*
 * Holds the profiles against their products in random worlds and keeps each cell as a line of a file. Run again with that
 * file, it goes on where it was ended. Run it by `sh test/real/run.sh hold FILE FIRST COUNT`, as root; without FIRST and
 * COUNT it sums the file up.
 */

import { appendFile, readFile } from 'node:fs/promises';
import { type Of, readShape } from '../../../src/base/shape.ts';
import { dictionary, object } from '../../../src/base/shape-object.ts';
import { COUNT, list, NUMBER, oneOf, TEXT } from '../../../src/base/shape-values.ts';
import { PROFILE_NAMES } from '../../../src/explore/profiles/profiles.ts';
import { type Cell, cellText, judged } from './cells.ts';
import { randomFaultWorld } from './fault-world.ts';
import { comparedBatches, type Fit, fitOf, HELD, isAnnounced, LEVEL } from './summary.ts';

const [file, first, count = '0'] = process.argv.slice(2);
if (file === undefined) throw new Error('no file is named');

/** A line of a file of cells. */
const LINE = object({
  seed: COUNT,
  profile: oneOf(...PROFILE_NAMES),
  said: object({ shares: dictionary(NUMBER), late: NUMBER, deviations: list(TEXT) }),
  heard: object({ counts: dictionary(COUNT), late: COUNT }),
});

const known = new Set((await readCells(file)).map(({ world }) => world.seed));
const seeds = Array.from({ length: Number(count) }, (_, i) => Number(first) + i);
for await (const { worlds, cells } of comparedBatches(seeds.filter((seed) => !known.has(seed)))) {
  const named = worlds.map(({ seed }) => seed).join(', ');
  console.log(
    `${new Date().toISOString()} ${named}: ${cells === undefined ? 'machine too busy' : 'compared'}`,
  );
  if (cells !== undefined) await appendCells(file, cells);
}

const all = await readCells(file);
for (const cell of all.filter(({ p }) => p < LEVEL)) {
  const kind = `${cell.impossible.size > 0 ? ', impossible' : ''}${isAnnounced(cell) ? ', announced' : ''}`;
  console.log(`p ${cell.p.toFixed(4)}${kind}: ${cellText(cell)}`);
}
for (const profile of HELD) {
  for (const signed of [undefined, true] as const) {
    for (const announced of [false, true]) {
      const own = all.filter(
        (cell) => cell.profile === profile && cell.world.signed === signed && isAnnounced(cell) === announced,
      );
      const title = `${profile}${signed ? ', signed' : ''}${announced ? ', a deviation is announced' : ''}`;
      if (own.length > 0) console.log(`${title}: ${fitText(fitOf(own))}`);
    }
  }
}

function fitText({ cells, impossible, kept, off }: Fit): string {
  const most = [...off].sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const offText = most.map(([outcome, share]) => `${outcome} ${(100 * share).toFixed(2)}`).join(', ');
  return `${cells} cells, ${impossible} impossible, ${(100 * kept).toFixed(1)} % not rejected; points off: ${offText}`;
}

/** The cells of a file, judged anew; none if there is no such file. */
async function readCells(file: string): Promise<readonly Cell[]> {
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
async function appendCells(file: string, cells: readonly Cell[]): Promise<void> {
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
