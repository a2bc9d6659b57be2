import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { normalize } from 'node:path';
import t from 'tap';
import { FILES, ROOT } from './sources.ts';

const MANIFEST: {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly man: readonly string[];
  readonly exports: { readonly '.': Readonly<Record<string, string>> };
} = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));

t.test('the package has what it needs to run and to be typed, and nothing else', async (t) => {
  // Without scripts: they would build anew under the feet of other tests.
  const packing = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout } = spawnSync('npm', packing, { cwd: ROOT, encoding: 'utf8' });
  const [packed]: readonly { readonly files: readonly { readonly path: string }[] }[] = JSON.parse(stdout);
  const named = [...Object.values(MANIFEST.bin), ...MANIFEST.man];
  t.same(
    packed?.files.map(({ path }) => path).sort(),
    [
      'LICENSE',
      'README.md',
      'package.json',
      ...named.map((path) => normalize(path)),
      ...FILES.flatMap((file) => ['.js', '.d.ts'].map((end) => `dist/${file.replace(/\.ts$/, end)}`)),
    ].sort(),
  );
  const paths = new Set(packed?.files.map(({ path }) => path));
  for (const path of Object.values(MANIFEST.exports['.'])) t.ok(paths.has(normalize(path)), path);
});

t.test('the newest entry of the changelog is this version', async (t) => {
  const [, newest, date = ''] =
    /^## \[(\d+\.\d+\.\d+)\] - (.*)$/m.exec(readFileSync(`${ROOT}/CHANGELOG.md`, 'utf8')) ?? [];
  t.equal(newest, MANIFEST.version);
  t.match(date, /^\d{4}-\d{2}-\d{2}$/);
  const lock = JSON.parse(readFileSync(`${ROOT}/package-lock.json`, 'utf8'));
  t.same(
    [lock.version, lock.packages[''].version],
    [MANIFEST.version, MANIFEST.version],
    'package-lock.json',
  );
});

t.test('what is installed with it is listed with its licence', async (t) => {
  const { packages }: { packages: Readonly<Record<string, Locked>> } = JSON.parse(
    readFileSync(`${ROOT}/package-lock.json`, 'utf8'),
  );
  const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  const rows = installed.map(
    ([path, { license }]) => `| ${path.replace('node_modules/', '')} | ${license} |`,
  );
  const readme = readFileSync(`${ROOT}/README.md`, 'utf8');
  t.same(readme.match(/^\| \S+ \| (?:MIT|ISC|BSD\S*|Apache\S*) \|$/gm)?.sort(), rows.sort());
  for (const [path, { resolved, integrity }] of Object.entries(packages).filter(([path]) => path !== '')) {
    t.match(resolved, /^https:\/\/registry\.npmjs\.org\//, `${path}: from the registry`);
    t.match(integrity, /^sha512-/, `${path}: exactly one content`);
  }
});

/** What the lock file says of a package. */
interface Locked {
  readonly dev?: boolean;
  readonly license?: string;
  readonly resolved?: string;
  readonly integrity?: string;
}
