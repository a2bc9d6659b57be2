// What the tests ran of each room in `src`.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { Report } from 'c8';
import { ROOT } from './compile.js';

const SRC = join(ROOT, 'src');
const FOLDER = join(ROOT, '.coverage');
/** Where processes leave what they ran (NODE_V8_COVERAGE). */
export const COVERAGE = join(FOLDER, 'processes');
const SUMMARY = join(FOLDER, 'coverage-summary.json');
/** Percentages of `src`. */
const FLOORS = { statements: 99, branches: 95, functions: 97, lines: 99 };

/** Removes what an earlier run left. */
export function forgetCoverage() {
  rmSync(FOLDER, { recursive: true, force: true });
}

/** Sums up what all processes ran. */
export async function report() {
  await new Report({
    tempDirectory: COVERAGE,
    reportsDirectory: FOLDER,
    reporter: ['json-summary'],
    include: ['.tested/src/**', 'dist/**'],
    mergeAsync: true,
  }).run();
}

/** What is covered less than the floors want, in words. */
export function shortfalls() {
  if (!existsSync(SUMMARY)) return ['no coverage was measured'];
  const own = filesOfRooms();
  return Object.entries(FLOORS)
    .filter(([what, floor]) => !(percent(own, what) >= floor))
    .map(([what, floor]) => `too few ${what} are covered: ${share(own, what)}, not ${floor} %`);
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

/** What is known of each file in `src`. The summary has all of them together, too. */
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
