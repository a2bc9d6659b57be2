// Makes JavaScript of `src` and `test`, once for all processes and threads of a run: a loader in each of them would
// take longer than most tests do. It stands in `.tested` in the same folders, between links to whatever else is in the
// project, so what a test names by its place is found.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
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
const PROJECTS = ['tsconfig.json', '.tsconfig.page.json'];
const FOLDERS = ['src', 'test'];
const TYPESCRIPT = /\.tsx?$/;

/** The compiled form of a file, which is relative to the project. If anything has changed since, all is compiled first. */
export function compiled(file) {
  if (state === 'unknown') compileChanges();
  state = 'current';
  return join(COMPILED, file.replace(TYPESCRIPT, '.js'));
}

let state = 'unknown';

function compileChanges() {
  const begun = new Date();
  const sources = FOLDERS.flatMap((folder) => [folder, ...entriesIn(folder)]);
  if (isOlder(join(COMPILED, STAMP), [...sources, ...PROJECTS])) {
    // Another run may be using what was there before.
    const target = `${COMPILED}.${process.pid}`;
    for (const project of PROJECTS) compile(project, target);
    link(sources, target);
    writeFileSync(join(target, STAMP), '');
    utimesSync(join(target, STAMP), begun, begun);
    const before = `${target}.before`;
    if (existsSync(COMPILED)) renameSync(COMPILED, before);
    renameSync(target, COMPILED);
    rmSync(before, { recursive: true, force: true });
  }
}

function entriesIn(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  );
}

/** A folder is as new as what was last added, renamed or removed in it. */
function isOlder(stamp, paths) {
  const time = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return paths.some((path) => statSync(join(ROOT, path)).mtimeMs >= time);
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
  const { status } = spawnSync(tsc, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${project} does not compile`);
}

function link(sources, target) {
  const isOther = (name) => !name.startsWith('.') && ![...FOLDERS, 'node_modules'].includes(name);
  const isData = (path) => !TYPESCRIPT.test(path) && statSync(join(ROOT, path)).isFile();
  for (const path of [...readdirSync(ROOT).filter(isOther), ...sources.filter(isData)]) {
    const place = join(target, path);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(relative(dirname(place), join(ROOT, path)), place);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) compiled('');
