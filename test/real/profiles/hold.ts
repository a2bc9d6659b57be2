/*
 * Holds the profiles against their products in random worlds and keeps each cell as a line of a file. Run again with that
 * file, it goes on where it was ended. Run it by `sh test/real/run.sh hold FILE FIRST COUNT`, as root; without FIRST and
 * COUNT it sums the file up.
 */
import { COMPARED, comparedBatches } from './batches.ts';
import { cellText } from './cells.ts';
import { appendCells, readCells } from './cells-file.ts';
import { type Fit, fitOf, isAnnounced, LEVEL } from './summary.ts';

const [file, first, count = '0'] = process.argv.slice(2);
if (file === undefined) throw new Error('no file is named');
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
for (const profile of COMPARED) {
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
