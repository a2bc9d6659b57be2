// Makes JavaScript of `src` and `test`, once for all processes and threads of a run: a loader in each of them would
// take longer than most tests do. It stands in `.tested` in the same folders, between links to whatever else is in the
// project, so what a test names by its place is found.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COMPILED = join(ROOT, '.tested');
/** As old as what was compiled. */
const STAMP = 'stamp';
const PROJECTS = ['tsconfig.json', 'src/page/tsconfig.json'];
const FOLDERS = ['src', 'test'];
const TYPESCRIPT = /\.tsx?$/;

/** The compiled form of a file, which is relative to the project. */
export function compiled(file) {
  return join(COMPILED, file.replace(TYPESCRIPT, '.js'));
}

/** Compiles everything if anything has changed since that was done last. */
export function compileChanges() {
  const begun = new Date();
  const sources = FOLDERS.flatMap((folder) => [folder, ...entriesIn(folder)]);
  if (!isOlder(join(COMPILED, STAMP), [...sources, ...PROJECTS])) return;
  // Another run may be using what was there before, or doing the same.
  const target = `${COMPILED}.${randomUUID()}`;
  const before = `${target}.before`;
  try {
    for (const project of PROJECTS) compile(project, target);
    link(sources, target);
    writeFileSync(join(target, STAMP), '');
    utimesSync(join(target, STAMP), begun, begun);
    if (existsSync(COMPILED)) renameSync(COMPILED, before);
    renameSync(target, COMPILED);
  } finally {
    for (const folder of [target, before]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether a source is newer than `dist`, which tests of the program and of its workers run. */
export function isBuildOld() {
  const built = lstatSync(join(ROOT, 'dist', 'svc.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return entriesIn('src').some((path) => lstatSync(join(ROOT, path)).mtimeMs > built);
}

function entriesIn(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  );
}

/** A folder is as new as what was last added, renamed or removed in it. A file that was copied may claim to be older. */
function isOlder(stamp, paths) {
  const time = lstatSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return paths.some((path) => lstatSync(join(ROOT, path)).ctimeMs >= time);
}

/** Whether the types are right is the business of `npm run check`. */
function compile(project, target) {
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
  const args = [
    '-p',
    project,
    '--outDir',
    target,
    '--noEmit',
    'false',
    '--noCheck',
    '--declaration',
    'false',
  ];
  const { status, error } = spawnSync(tsc, args, { cwd: ROOT, stdio: 'inherit' });
  if (error !== undefined) throw new Error('the compiler does not run: has `npm ci` installed it?');
  if (status !== 0) throw new Error(`${project} does not compile`);
}

function link(sources, target) {
  const isOther = (name) => !name.startsWith('.') && ![...FOLDERS, 'node_modules', 'dist'].includes(name);
  const isData = (path) => !TYPESCRIPT.test(path) && lstatSync(join(ROOT, path)).isFile();
  // `dist` comes and goes.
  for (const path of ['dist', ...readdirSync(ROOT).filter(isOther), ...sources.filter(isData)]) {
    const place = join(target, path);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(relative(dirname(place), join(ROOT, path)), place);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) compileChanges();
