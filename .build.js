// Builds `dist`: the program and the library in a few files, the library's declarations, the page, and the licences of
// the packages that went in.
//
// Node takes longer to find and open a module than to compile it, so the modules of `src` and the packages
// that they use go together into the files below. Each goes into the first file that needs it: one that has it
// as a root, or imports it from there. So every module is there once, and a file imports only earlier ones.
// What is loaded by `import()` stays apart if it is the root of a later file.
//
// The files are scripts in `dist/code`, because Node 20 can keep the compiled code of scripts, but not of modules.
// What is loaded from outside is a module that loads such a script: a door. That of the program is no module, because
// Node loads those faster, too.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import * as esbuild from 'esbuild';
import { withSharedClasses } from './.build-literals.js';
import { buildPage } from './.build-page.js';

const FILES = {
  // What every call loads; `svc --version` needs nothing else.
  svc: ['cli/program/main.ts', 'cli/process/io.ts'],
  // What command lines, worker threads and the library all need.
  basics: [
    'options.ts',
    'wire/name.ts',
    'wire/type.ts',
    'wire/address.ts',
    'report/formats.ts',
    'reading/words/quantities.ts',
    'reading/words/shortened.ts',
    'reading/words/wrapped.ts',
  ],
  // Command lines: all that help needs.
  command: ['cli/program/parse.ts', 'cli/commands/traverse.ts'],
  // From a recording to a text.
  result: ['cli/commands/replay-saved.ts', 'report/render/render-text.ts', 'report/render/short-text.ts'],
  // Traversals of one name from this host.
  traverse: [
    'cli/commands/traverse-live.ts',
    'cli/runner/local.ts',
    'cli/view/summary-frame.ts',
    'exchange/families.ts',
  ],
  resolvers: ['cli/runner/resolvers.ts'],
  // Worlds other than the one recorded.
  imagined: ['imagine.ts'],
  // Replies judged by something else than they were.
  anew: ['judged-anew.ts'],
  lab: ['lab/lab.ts', 'lab/demo/world.ts', 'lab/demo/showcases.ts', 'cli/runner/demo.ts'],
  metrics: ['metrics-text.ts'],
  monitor: ['report/monitor/nagios-unknown.ts', 'report/monitor/nagios.ts', 'report/monitor/prometheus.ts'],
  trace: ['report/trace/trace-text.ts'],
  graph: [
    'report/graph/dot.ts',
    'report/graph/mermaid.ts',
    'report/graph/svg.ts',
    'report/graph/graphviz.ts',
  ],
  markdown: ['report/markdown/markdown.ts'],
  servers: ['cli/commands/servers.ts', 'cli/runner/identify-servers.ts'],
  diff: ['cli/commands/diff.ts'],
  remote: ['cli/runner/remote.ts', 'cli/commands/watch.ts'],
  again: ['cli/again/watch-again.ts', 'cli/again/shell-command.ts'],
  completion: ['cli/commands/completion.ts'],
  // What worker threads share with those who have them, the service and runs over many names.
  work: ['work/evaluation.ts', 'work/too-much.ts', 'work/line-work.ts', 'work/messages.ts'],
  many: ['cli/many/traverse-many.ts'],
  serve: ['cli/commands/serve.ts'],
  // Needs packages that are optional.
  store: ['service/store/open-store.ts'],
  // To import these three is to run them, so nothing comes after them.
  'render-worker': ['work/render/render-worker.ts'],
  worker: ['work/worker.ts'],
  index: ['index.ts'],
};

/** What each door of `dist` exports of its script. */
const DOORS = { svc: ['main', 'processIo'], worker: [], 'render-worker': [], index: 'all' };
/** A run that has loaded this has run through most of what short runs do. */
const LAST = 'result';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const SRC = join(ROOT, 'src');
const DIST = join(ROOT, 'dist');
const CODE = join(DIST, 'code');
const SETTINGS = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Optional, and large: whoever wants pictures installs it.
  external: ['@viz-js/viz', 'bullmq', 'ioredis'],
  logLevel: 'warning',
};

/** What makes a script for `require()`. */
const NO_MODULE = {
  format: 'cjs',
  define: { 'import.meta.url': '$here' },
  banner: { js: "const $here = require('node:url').pathToFileURL(__filename).href;" },
};

rmSync(DIST, { recursive: true, force: true });
const modules = await modulesBehind(Object.values(FILES).flat());
const homes = homesOf(modules);
mkdirSync(CODE, { recursive: true });
const scripts = await Promise.all(Object.keys(FILES).map(bundle));
const build = createHash('sha256').update(scripts.join()).digest('hex').slice(0, 16);
await Promise.all(Object.keys(DOORS).map(buildDoor));
const pageModules = await buildPage(ROOT);
writeFileSync(join(DIST, 'LICENSES'), licences());
execFileSync('tsc', ['-p', join(ROOT, '.tsconfig.build.json')], { stdio: 'inherit' });
removeDeclarationsExcept(declarationsBehind('index.d.ts'));

/** Every module that these load, at once or later, and what each imports. */
async function modulesBehind(roots) {
  const { metafile } = await esbuild.build({
    ...SETTINGS,
    entryPoints: roots.map((root) => join(SRC, root)),
    outdir: DIST,
    splitting: true,
    metafile: true,
    write: false,
  });
  return new Map(
    Object.entries(metafile.inputs).map(([path, { imports }]) => {
      const within = imports.filter(({ external }) => !external);
      return [join(ROOT, path), within.map(({ path, kind }) => ({ path: join(ROOT, path), kind }))];
    }),
  );
}

/** The file of `dist` that each module goes into. */
function homesOf(modules) {
  const homes = new Map();
  const settle = (path, home) => {
    if (homes.has(path)) return;
    homes.set(path, home);
    for (const one of modules.get(path)) if (one.kind !== 'dynamic-import') settle(one.path, home);
  };
  for (const [home, roots] of Object.entries(FILES)) for (const root of roots) settle(join(SRC, root), home);
  for (const path of modules.keys()) if (!homes.has(path)) throw new Error(`in no file of dist: ${path}`);
  return homes;
}

/** Writes one script, which exports its roots and whatever the others import, and returns its text. */
async function bundle(home) {
  const shared = [...modules].flatMap(([path, imports]) =>
    homes.get(path) === home ? imports.filter(({ kind }) => kind === 'dynamic-import') : imports,
  );
  const wanted = [...FILES[home].map((root) => ({ path: join(SRC, root) })), ...shared];
  const exported = new Set(wanted.map(({ path }) => path).filter((path) => homes.get(path) === home));
  const contents = [...exported].map((path) => `export * from ${JSON.stringify(path)};`).join('\n');
  const file = join(CODE, `${home}.js`);
  const { outputFiles } = await esbuild.build({
    ...SETTINGS,
    stdin: { contents, resolveDir: SRC, sourcefile: `${home}.js` },
    outfile: file,
    sourcemap: true,
    write: false,
    define: { 'import.meta.url': '$here' },
    plugins: [{ name: 'homes', setup: (build) => leaveAtHome(build, home) }],
  });
  for (const { path, text } of outputFiles)
    writeFileSync(path, path === file ? asScript(withSharedClasses(text, file), file) : text);
  return readFileSync(file, 'utf8');
}

/**
 * A module as a script: a function that is given what loads others, at once or later, and what it is to take for its own
 * address. What it imports goes into the first line, so that all others stay where the source map says.
 */
function asScript(text, file) {
  const imports = [];
  const body = text
    .replace(/^import (?:([^;]+) from )?("[^"]+");$/gm, (line, names, from) => {
      const required = `require(${from});`;
      if (names === undefined) imports.push(required);
      else
        imports.push(
          `const ${names
            .replace(/^\* as /, '')
            .replace(/ as /g, ': ')
            .replace(/\n/g, '')} = ${required}`,
        );
      return line.replace(/[^\n]/g, '');
    })
    .replace(
      /^export \{([^}]*)\};$/m,
      (_, names) => `return {${names.replace(/([\w$]+) as ([\w$]+)/g, '$2: $1')}};`,
    )
    .replace(/\bimport\(("[^"]+")\)/g, '$$import($1)');
  const script = `(function (require, $import, $here) { "use strict"; ${imports.join(' ')} ${body}\n})\n`;
  new Script(script, { filename: file });
  return script;
}

/** Writes a module that exports what a script does; for the program no module, and besides what keeps its code. */
async function buildDoor(name) {
  const names = DOORS[name] === 'all' ? exportsOf(name) : DOORS[name];
  // A worker exports nothing: its script has run once it is loaded.
  const exported = names.length === 0 ? '' : `export const { ${names.join(', ')} } = `;
  const isProgram = name === 'svc';
  const keeping = isProgram ? ['export const keepCode = () => scripts.keep();'] : [];
  const contents = [
    "import { Scripts } from './kept-code.ts';",
    `const [here, build, last] = [import.meta.url, '${build}', '${LAST}'];`,
    "const [code, kept] = [new URL('code/', here), new URL('kept/', here)];",
    'const scripts = new Scripts({ scripts: code, here, kept, build, last });',
    `${exported}scripts.load('${name}');`,
    ...keeping,
  ].join('\n');
  const stdin = { contents, resolveDir: SRC, sourcefile: `${name}.js` };
  const outfile = join(DIST, `${name}.${isProgram ? 'cjs' : 'js'}`);
  await esbuild.build({ ...SETTINGS, ...(isProgram && NO_MODULE), stdin, outfile, sourcemap: true });
}

/** The names that a script returns. */
function exportsOf(name) {
  const [, list = ''] = /^return \{([^}]*)\};$/m.exec(readFileSync(join(CODE, `${name}.js`), 'utf8')) ?? [];
  return list
    .split(',')
    .map((one) => one.trim().replace(/:.*/, ''))
    .filter(Boolean);
}

/** What has another home is imported from there. */
function leaveAtHome(build, home) {
  build.onResolve({ filter: /.*/ }, async ({ path, kind, resolveDir, pluginData }) => {
    if (pluginData === 'resolved' || kind === 'entry-point') return undefined;
    const found = await build.resolve(path, { kind, resolveDir, pluginData: 'resolved' });
    const other = homes.get(found.path);
    const isHere = other === home && kind !== 'dynamic-import';
    return found.external || isHere ? found : { path: `./${other}.js`, external: true };
  });
}

/** The licences of the packages in `dist`, which ask to be kept with copies. */
function licences() {
  const packages = [...modules.keys(), ...pageModules].filter((path) => !path.startsWith(SRC)).map(packageOf);
  return [...new Set(packages)].sort().map(licenceOf).join('\n');
}

/** The folder of a package. A manifest without a version is about a folder within one. */
function packageOf(path) {
  const manifest = join(path, 'package.json');
  const isPackage = existsSync(manifest) && 'version' in JSON.parse(readFileSync(manifest, 'utf8'));
  return isPackage ? path : packageOf(dirname(path));
}

function licenceOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  // Some packages come without the text.
  const text = file === undefined ? join(ROOT, '.licences', `${name}.txt`) : join(folder, file);
  return `${name} ${version}\n\n${readFileSync(text, 'utf8').trim()}\n`;
}

/** A declaration in `dist`, and those that it imports, and so on. */
function declarationsBehind(first) {
  const needed = new Set([join(DIST, first)]);
  for (const path of needed) {
    const imports = readFileSync(path, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g);
    for (const [, target] of imports) needed.add(resolve(dirname(path), `${target}.d.ts`));
  }
  return needed;
}

function removeDeclarationsExcept(needed) {
  for (const name of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
    const path = join(DIST, name);
    if (name.endsWith('.d.ts') && !needed.has(path)) rmSync(path);
  }
}
