// What the tests ran of each room in `src`, from the summary that tap leaves.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../src', import.meta.url));
const SUMMARY = fileURLToPath(new URL('../.tap/report/coverage-summary.json', import.meta.url));
const MANIFEST = fileURLToPath(new URL('../package.json', import.meta.url));

/** Removes what an earlier run left. */
export function forgetCoverage() {
  rmSync(SUMMARY, { force: true });
}

/** What is covered less than the floors in package.json want, in words. */
export function shortfalls() {
  if (!existsSync(SUMMARY)) return ['no coverage was measured'];
  const own = filesOfRooms();
  const floors = JSON.parse(readFileSync(MANIFEST, 'utf8')).tap;
  return ['statements', 'branches', 'functions', 'lines']
    .filter((what) => !(percent(own, what) >= floors[what]))
    .map((what) => `too few ${what} are covered: ${share(own, what)}, not ${floors[what]} %`);
}

/** The lines of a table with a row for each room, and one for all of them. */
export function coverageTable() {
  if (!existsSync(SUMMARY)) return [];
  const files = filesOfRooms();
  const rooms = [...new Set(files.map(({ path }) => roomOf(path)))].sort();
  const rows = rooms.map((room) => [room, files.filter(({ path }) => roomOf(path) === room)]);
  return [
    ['covered', 'lines', 'branches'],
    ...[...rows, ['all', files]].map(([name, those]) => [
      name,
      share(those, 'lines'),
      share(those, 'branches'),
    ]),
  ].map(([name, lines, branches]) => name.padEnd(12) + lines.padStart(9) + branches.padStart(11));
}

/** What is known of each file in `src`. The summary has packages too, which the built program contains. */
function filesOfRooms() {
  return Object.entries(JSON.parse(readFileSync(SUMMARY, 'utf8')))
    .map(([file, counts]) => ({ path: relative(SRC, file).split(sep), counts }))
    .filter(({ path }) => path[0] !== '..');
}

/** The files that are in no folder belong together. */
function roomOf(path) {
  return path.length > 1 ? path[0] : 'src';
}

/** Rounded down, so that 100 % means all. */
function share(files, what) {
  const covered = percent(files, what);
  return Number.isNaN(covered) ? '-' : `${(Math.floor(10 * covered) / 10).toFixed(1)} %`;
}

/** Not a number without files. */
function percent(files, what) {
  const sum = (member) => files.reduce((total, { counts }) => total + counts[what][member], 0);
  return (100 * sum('covered')) / sum('total');
}
