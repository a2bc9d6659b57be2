import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import t from 'tap';
import { ROOT } from './sources.ts';

const MANIFEST: {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly man: readonly string[];
  readonly exports: { readonly '.': Readonly<Record<string, string>> };
} = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));

/** What was built. */
const DIST = readdirSync(join(ROOT, 'dist'), { recursive: true, encoding: 'utf8' });

t.test('the package has what it needs to run and to be typed, and nothing else', async (t) => {
  // Without scripts: they would build anew under the feet of other tests.
  const packing = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout } = spawnSync('npm', packing, { cwd: ROOT, encoding: 'utf8' });
  const [packed]: readonly { readonly files: readonly { readonly path: string }[] }[] = JSON.parse(stdout);
  const paths = packed?.files.map(({ path }) => path) ?? [];
  const named = [...Object.values(MANIFEST.bin), ...MANIFEST.man];
  t.same(
    paths.filter((path) => !path.startsWith('dist/')).sort(),
    ['LICENSE', 'README.md', 'package.json', ...named.map((path) => normalize(path))].sort(),
  );
  for (const path of Object.values(MANIFEST.exports['.'])) t.ok(paths.includes(normalize(path)), path);
  t.ok(paths.includes('dist/LICENSES'), 'the licences of the packages that went in');
  t.ok(paths.length < 300, `${paths.length} files`);
  t.notOk(
    paths.some((path) => path.startsWith('dist/compiled/') || path.endsWith('.map')),
    'neither code that Node compiled here nor source maps',
  );
});

t.test('it runs without its optional packages, installed without a network', async (t) => {
  // Below the project, its packages would be found.
  const folder = mkdtempSync(join(tmpdir(), 'installed-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const npm = (...words: readonly string[]) =>
    spawnSync('npm', [...words, '--offline', '--no-audit', '--no-fund'], { cwd: folder, encoding: 'utf8' });
  const packed = npm('pack', ROOT, '--ignore-scripts', '--json');
  const [{ filename }]: readonly [{ readonly filename: string }] = JSON.parse(packed.stdout);
  const installed = npm('install', '--omit=optional', `./${filename}`);
  t.equal(installed.status, 0, installed.stderr);
  t.same(
    readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['dns-traversal-service'],
    'nothing else',
  );
  const svc = (...words: readonly string[]) =>
    spawnSync(join(folder, 'node_modules/.bin/svc'), words, { cwd: folder, encoding: 'utf8' });
  t.equal(svc('--version').stdout, `${MANIFEST.version}\n`);
  const traversal = svc('traverse', 'www.shop.example', '--demo', '--quick', '--short');
  t.same([traversal.status, traversal.stdout], [0, '198.51.100.80\n']);
});

t.test('the built program is ASCII, so each thread keeps it in an octet a character', async (t) => {
  t.notMatch(readFileSync(join(ROOT, 'dist/code.js'), 'utf8'), /\P{ASCII}/u);
});

t.test('a trace of the built program names functions', async (t) => {
  const program = `
    import program from '${ROOT}/dist/svc.js';
    const { stdin, stdout, stderr, env } = process;
    const families = () => { throw new Error('no families'); };
    await program.main(['traverse', 'www.example.com'], { stdin, stdout, stderr, env, families });`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  t.match(stderr, /^ {4}at (?:async )?[a-z]\w+ \(\/.*\/dist\/[\w-]+\.js:\d+:\d+\)$/m);
});

t.test('the page has all that it names, compressed', async (t) => {
  const html = readFileSync(`${ROOT}/dist/page/index.html`, 'utf8');
  const named = [...html.matchAll(/"\/assets\/([^"]+)"/g)].map(([, name = '']) => name);
  t.ok(named.length >= 3, 'script, style and icon');
  for (const name of named) {
    t.ok(DIST.includes(`page/assets/${name}.br`), name);
  }
  t.notMatch(html, /\bstyle=|<style|\bon\w+=|<script(?! type="module" src="\/assets\/)/, 'nothing is inline');
});

t.test('installing it runs nothing, and publishing it proves where it was built', async (t) => {
  const manifest = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
  const atInstall = ['preinstall', 'install', 'postinstall', 'prepare', 'dependencies'];
  t.same(
    atInstall.filter((name) => name in manifest.scripts || (name === 'dependencies' && name in manifest)),
    [],
  );
  t.same(manifest.publishConfig, { access: 'public', provenance: true });
});

t.test('the types are those that a user needs, who has no types of Node', async (t) => {
  const folder = t.testdir({
    node_modules: { 'dns-traversal-service': t.fixture('symlink', ROOT) },
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        module: 'nodenext',
        target: 'es2023',
        types: [],
      },
    }),
    'user.ts': USER,
  });
  const { status, stdout } = spawnSync(`${ROOT}/node_modules/.bin/tsc`, ['-p', folder], { encoding: 'utf8' });
  t.same([status, stdout], [0, '']);
});

/** A program as a user writes it; the comment says that the next line must not compile. */
const USER = `
import { type BriefResult, type ExchangeRow, type Finding, renderText, replayDocument, traverseName, type TraversalEvent, type TraversalResult } from 'dns-traversal-service';

const { events, result } = traverseName('www.example.com', { type: 'MX', views: ['resolver'], families: [4], signal: AbortSignal.timeout(1) });
const told: string[] = [];
for await (const event of events) {
  const one: TraversalEvent = event;
  if (one.event === 'exchange') told.push(one.server.address);
}
const found: BriefResult = await result;
const whole: TraversalResult = await traverseName('www.example.com', { full: true }).result;
const first: ExchangeRow | undefined = whole.exchanges[0];
console.log(first?.rcode, first?.tries.length, renderText(replayDocument(whole), { colour: 'off', detail: 'terse', width: 80 }));
const shares: readonly string[] = found.users.map(({ share }) => share.fraction);
const worst: Finding | undefined = found.findings[0];
for (const outcome of found.views.resolver?.outcomes ?? []) {
  if (outcome.kind === 'answer') console.log(outcome.records.map(({ data }) => data.toUpperCase()));
}
console.log(found.verdict.status, told, shares, worst?.file, worst?.line?.toFixed());
// @ts-expect-error
traverseName('www.example.com', { families: [5] });
// @ts-expect-error
traverseName('www.example.com', { view: ['resolver'] });
// @ts-expect-error
found.exchanges.length;
// @ts-expect-error
found.users[0].share.fraction.toFixed();
`;

t.test('the library has ten exports, of which three are functions', async (t) => {
  const library = readFileSync(`${ROOT}/dist/index.d.ts`, 'utf8');
  const names = [...library.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, all = '']) =>
    all.split(','),
  );
  t.equal(names.length, 10);
  t.same(
    Object.keys(await import(`${ROOT}/dist/index.js`))
      .filter((name) => name !== 'default' && name !== 'module.exports')
      .sort(),
    ['renderText', 'replayDocument', 'traverseName'],
  );
});

t.test('every declaration is there that another names', async (t) => {
  for (const name of DIST.filter((one) => one.endsWith('.d.ts'))) {
    const text = readFileSync(`${ROOT}/dist/${name}`, 'utf8');
    for (const [, from = ''] of text.matchAll(/(?:from |import\()'(\.[^']+)\.ts'/g)) {
      t.ok(DIST.includes(join(dirname(name), `${from}.d.ts`)), `${name} names ${from}`);
    }
  }
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

t.test('what is built in is listed with its licence', async (t) => {
  const { packages }: { packages: Readonly<Record<string, Locked>> } = JSON.parse(
    readFileSync(`${ROOT}/package-lock.json`, 'utf8'),
  );
  const licences = readFileSync(`${ROOT}/dist/LICENSES`, 'utf8');
  const builtIn = [...licences.matchAll(/^(\S+ \d+\.\d+\.\d+)$/gm)].map(([, name = '']) => name);
  t.ok(builtIn.includes(`preact ${packages['node_modules/preact']?.version}`), 'packages were found');
  for (const one of builtIn) {
    const [name = '', version] = one.split(' ');
    const locked = packages[`node_modules/${name}`];
    t.equal(locked?.version, version, one);
    t.match(locked?.license, /^(?:MIT|ISC|BSD-\d-Clause|Apache-2\.0)$/, one);
  }
  const needed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  t.same(
    needed.filter(([, { optional, devOptional }]) => !(optional || devOptional)),
    [],
    'nothing else is installed with it that cannot be left out',
  );
  for (const [path, { resolved, integrity }] of Object.entries(packages).filter(([path]) => path !== '')) {
    // Without an address, it comes from the registry that npm is set to.
    t.match(resolved ?? REGISTRY, new RegExp(`^${REGISTRY}`), `${path}: from the registry`);
    t.match(integrity, /^sha512-/, `${path}: exactly one content`);
  }
});

const REGISTRY = 'https://registry.npmjs.org/';

/** What the lock file says of a package. */
interface Locked {
  readonly dev?: boolean;
  readonly optional?: boolean;
  /** Left out only with both those of developers and those that are optional. */
  readonly devOptional?: boolean;
  readonly version?: string;
  readonly license?: string;
  readonly resolved?: string;
  readonly integrity?: string;
}
