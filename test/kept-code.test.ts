import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import t, { type Test } from 'tap';
import { type ScriptFolder, Scripts } from '../src/kept-code.ts';

const TEXTS = {
  sum: '(function () { return { sum: (a, b) => a + b, made: {} }; })',
  user: `(function (require, $import, $here) {
    const { sum, made } = require("./sum.js");
    const { sep } = require("node:path");
    return { three: sum(1, 2), made, sep, later: () => $import("./sum.js"), here: $here };
  })`,
  native: '(function (require, $import) { return { path: () => $import("node:path") }; })',
  broken: '(function () { throw new Error("as it runs"); })',
};

/** A program of these scripts, of which nothing was kept yet. */
function built(t: Test): ScriptFolder {
  const folder = mkdtempSync(join(tmpdir(), 'kept-code-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'code'));
  for (const [name, text] of Object.entries(TEXTS)) writeFileSync(join(folder, `code/${name}.js`), text);
  const at = (path: string) => pathToFileURL(join(folder, path));
  return { scripts: at('code/'), kept: at('kept/'), here: at('svc.js').href, build: 'one', last: 'sum' };
}

function keptIn({ kept }: ScriptFolder): readonly string[] {
  return existsSync(kept) ? readdirSync(kept, { recursive: true, encoding: 'utf8' }).sort() : [];
}

/** Runs these scripts of a program to the end of the run. */
function run(folder: ScriptFolder, ...names: readonly string[]): void {
  const scripts = new Scripts(folder);
  for (const name of names) scripts.load(name);
  scripts.keep();
}

/** Writes this as the kept code of a script. */
function spoil(folder: ScriptFolder, name: string, octets: string): URL {
  const path = keptIn(folder).find((one) => one.endsWith(`/${name}`));
  const file = new URL(path ?? '', folder.kept);
  writeFileSync(file, octets);
  return file;
}

t.test('a script gets what it requires, at once or later, and its address', async (t) => {
  const folder = built(t);
  const scripts = new Scripts(folder);
  const { later, ...user } = scripts.load('user');
  t.match(user, { three: 3, sep: /[/\\]/, here: folder.here });
  t.equal(user.made, scripts.load('sum').made, 'each script is run once');
  t.type(later, Function);
  if (typeof later === 'function') t.equal(await later(), scripts.load('sum'));
  const { path } = scripts.load('native');
  if (typeof path === 'function') t.type((await path()).join, Function, 'Node’s own modules as ever');
});

t.test('trouble in a script is its caller’s', async (t) => {
  const scripts = new Scripts(built(t));
  t.throws(() => scripts.load('broken'), { message: 'as it runs' });
  t.throws(() => scripts.load('absent'), { code: 'ENOENT' });
});

t.test('code is kept after the first run that came far enough', async (t) => {
  const folder = built(t);
  run(folder, 'native');
  t.same(keptIn(folder), [], 'this one did not');
  run(folder, 'user');
  const names = () => keptIn(folder).filter((path) => path.includes('/'));
  t.same(
    names().map((path) => path.replace(/^[^/]*/, 'ID')),
    ['ID/sum', 'ID/user'],
  );
  run(folder, 'native', 'user');
  t.same(names().length, 3, 'what other runs load is kept by these');
});

t.test('kept code is used, and that of another build is not', async (t) => {
  const folder = built(t);
  run(folder, 'user');
  const used = spoil(folder, 'sum', 'spoilt');
  t.equal(new Scripts(folder).load('user').three, 3, 'spoilt code is compiled anew');
  run(folder, 'user');
  t.equal(readFileSync(used, 'utf8'), 'spoilt', 'what is there is left alone');
  const text = TEXTS.sum.replace('a + b', 'a - b');
  writeFileSync(new URL('sum.js', folder.scripts), text);
  t.equal(new Scripts({ ...folder, build: 'two' }).load('user').three, -1, 'with sources of the same length');
});

t.test('V8 with other flags keeps its own', async (t) => {
  const folder = built(t);
  run(folder, 'user');
  setFlagsFromString('--no-use-osr');
  t.teardown(() => setFlagsFromString('--use-osr'));
  run(folder, 'user');
  t.equal(keptIn(folder).filter((path) => path.endsWith('/sum')).length, 2);
});

t.test('a folder that cannot be written to keeps nothing, and nobody minds', async (t) => {
  const folder = built(t);
  // Not even root can make a folder in a file.
  writeFileSync(fileURLToPath(folder.kept).slice(0, -1), '');
  run(folder, 'user');
  t.equal(new Scripts(folder).load('user').three, 3);
});
