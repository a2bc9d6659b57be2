// Builds `dist`: the program and the library with the packages that they use, the library's declarations, the page, and
// the licences of those packages.
//
//     node src/build/build.js [--minify]
//
// `--minify`, as `npm pack` runs it, leaves out blanks; how many lines tests cover shows only with them.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { buildPage } from './build-page.js';

/** What is loaded from outside: a file for each, which takes its module from `code.js`. */
const ENTRIES = {
  svc: 'src/cli/main.ts',
  index: 'src/index.ts',
  worker: 'src/traversal/threads/worker.ts',
  'evaluation-worker': 'src/traversal/threads/evaluation-worker.ts',
  'render-worker': 'src/service/render-worker.ts',
};

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DIST = join(ROOT, 'dist');

rmSync(DIST, { recursive: true, force: true });
const { metafile } = await esbuild.build({
  absWorkingDir: ROOT,
  // All in one file: they share most of their code. A module runs when it is first required or imported, so each entry and
  // each command pays for what it uses. As ES modules in files of their own, `svc traverse --help` takes half as long again.
  stdin: {
    contents: Object.entries(ENTRIES)
      .map(([name, path]) => `exports['${name}'] = () => require('./${path}');`)
      .join('\n'),
    resolveDir: ROOT,
  },
  outfile: join(DIST, 'code.js'),
  bundle: true,
  // Traces keep their names, and a line of code that Node shows fits a terminal.
  ...(process.argv.includes('--minify') && { minifyWhitespace: true, lineLimit: 120 }),
  legalComments: 'none',
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  define: { 'import.meta.url': 'fileUrl' },
  banner: { js: "const fileUrl = require('node:url').pathToFileURL(__filename).href;" },
  // Optional, and large: whoever wants them installs them.
  external: ['@viz-js/viz', 'pg'],
  // For coverage; the package goes without.
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});
writeFileSync(join(DIST, 'package.json'), '{ "type": "commonjs" }\n');
for (const name of Object.keys(ENTRIES)) {
  writeFileSync(join(DIST, `${name}.js`), `module.exports = require('./code.js')['${name}']();\n`);
}
// Named for `import { ... }`, as esbuild does it.
const library = Object.keys(createRequire(import.meta.url)('../../dist/index.js'));
writeFileSync(join(DIST, 'index.js'), `0 && (module.exports = { ${library.join(', ')} });\n`, { flag: 'a' });
// The demo reads its zones from beside the program, `svc deploy` and `svc plan --workflow` their files.
cpSync(join(ROOT, 'src/lab/demo'), join(DIST, 'demo'), { recursive: true });
cpSync(join(ROOT, 'src/service/deploy'), join(DIST, 'deploy'), { recursive: true });
cpSync(join(ROOT, 'src/cli/plan/workflows'), join(DIST, 'workflows'), { recursive: true });
// For editors: svc-plan(1), THE PLAN.
writeFileSync(
  join(DIST, 'plan.schema.json'),
  execFileSync(process.execPath, [join(ROOT, 'bin/svc.js'), 'plan', '--schema']),
);
const bundled = Object.keys(metafile.inputs).map((path) => join(ROOT, path));
writeFileSync(join(DIST, 'LICENSES'), licences([...bundled, ...(await buildPage(ROOT))]));
execFileSync(join(ROOT, 'node_modules', '.bin', 'tsc'), ['-p', join(ROOT, 'src/build')], {
  stdio: 'inherit',
});
removeDeclarationsExcept(declarationsBehind('index.d.ts'));
indentDeclarations();

/** The licences of the packages among these files, which ask to be kept with copies. */
function licences(files) {
  const packages = files.filter((path) => path.includes('/node_modules/')).map(packageOf);
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
  const text = file === undefined ? join(ROOT, 'src/build/licences', `${name}.txt`) : join(folder, file);
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

/** Types are nested deeply, so that blanks would be a sixth of all declarations. */
function indentDeclarations() {
  for (const name of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(DIST, name);
    const text = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      text.replace(/^(?: {4})+/gm, (blanks) => '\t'.repeat(blanks.length / 4)),
    );
  }
}
