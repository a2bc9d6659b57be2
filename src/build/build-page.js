// Builds `dist/page`: the page that the service shows in browsers. `index.html` names everything that is loaded first;
// the names in `assets` have a hash of what they contain, so they can be kept for ever. They are compressed by Brotli
// here, which takes seconds; the service makes their other forms when it starts.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import * as esbuild from 'esbuild';

const BROWSERS = ['chrome123', 'firefox120', 'safari17.5'];

/** Builds the page of `root` and gives the paths of all modules that went in. */
export async function buildPage(root) {
  const source = join(root, 'src', 'page');
  const target = join(root, 'dist', 'page');
  const { metafile, outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: entriesIn(source),
    outdir: join(target, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    // The page of help shows the manual page of findings.
    alias: { man: join(root, 'man') },
    loader: { '.svg': 'copy', '.7': 'text' },
    bundle: true,
    splitting: true,
    minify: true,
    // Licences are in `dist/LICENSES`.
    legalComments: 'none',
    format: 'esm',
    platform: 'browser',
    target: BROWSERS,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
    metafile: true,
    write: false,
  });
  const html = readFileSync(join(source, 'index.html'), 'utf8').replace('<!-- assets -->', () =>
    headOf(metafile.outputs).join('\n    '),
  );
  mkdirSync(join(target, 'assets'), { recursive: true });
  // The service writes about itself into it, and compresses it then.
  writeFileSync(join(target, 'index.html'), html);
  await Promise.all(outputFiles.map(writePacked));
  return Object.keys(metafile.inputs).map((path) => join(root, path));
}

/** What the page starts with, and programs of workers, which are loaded by their address. */
function entriesIn(source) {
  const workers = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('-worker.ts'),
  );
  return ['main.tsx', 'style/page.css', 'icon.svg', ...workers].map((path) => join(source, path));
}

/** The lines in the page's head that name assets. */
function headOf(outputs) {
  const entries = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint !== undefined);
  return entries.flatMap(([path, { entryPoint }]) => {
    const address = `/assets/${basename(path)}`;
    const name = basename(entryPoint);
    if (name === 'icon.svg') return [`<link rel="icon" type="image/svg+xml" href="${address}">`];
    if (name === 'page.css') return [`<link rel="stylesheet" href="${address}">`];
    if (name.endsWith('-worker.ts')) return [`<meta name="${basename(name, '.ts')}" content="${address}">`];
    // All others are loaded by `import()`, which knows where they are.
    if (name !== 'main.tsx') return [];
    const [, ...chunks] = loadedAtOnce(path, outputs);
    return [
      ...chunks.map((chunk) => `<link rel="modulepreload" href="/assets/${basename(chunk)}">`),
      `<script type="module" src="${address}"></script>`,
    ];
  });
}

/** A built file, those that it imports, and so on. */
function loadedAtOnce(first, outputs) {
  const loaded = new Set([first]);
  for (const path of loaded) {
    for (const { path: other, kind } of outputs[path].imports) {
      if (kind === 'import-statement') loaded.add(other);
    }
  }
  return loaded;
}

/** Writes a file in the one form that is packed. */
async function writePacked({ path, contents }) {
  const brotli = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: contents.length } };
  writeFileSync(`${path}.br`, await promisify(brotliCompress)(contents, brotli));
}
