import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { PROFILE_NAMES, PROFILES } from '../src/explore/profiles/profiles.ts';
import { FILES, IMPORTS, type Import, importsOfTests, loadedBy, ROOT, targetOf } from './sources.ts';

/** The rooms of the house as data flows: a room imports only itself and the rooms before it. */
const ROOMS = [
  'base',
  'dns',
  'authority',
  'exchange',
  'explore',
  'evaluate',
  'document',
  'findings',
  'report',
  'lab',
  'traversal',
  'service',
  'cli',
  'index.ts',
  'page',
];

/** The rooms within rooms. Their files are doors, as the files directly in a room are; all other folders are private. */
const ROOMS_WITHIN = [
  'dns/rdata',
  'dns/dnssec',
  'explore/profiles',
  'document/api',
  'document/words',
  'report/views',
  'report/text',
  'report/when',
  'lab/signing',
  'traversal/threads',
  'service/jobs',
  'service/store',
  'service/store/jobs',
  'cli/process',
  'cli/remote',
  'cli/many',
  'cli/plan',
  'cli/view',
  'page/model',
];

/** What is recorded of an exchange, and the questions: data, which all rooms read. */
const RECORDED = ['exchange/query.ts', 'exchange/exchanged.ts'];

/** What names a resolver product, and a name server or a function of sockets, too. */
const NAMES_OF_OTHERS = ['BIND', "'bind'"];

/** Where a package or built-in module may be imported. */
const ONLY_IN: Readonly<Record<string, RegExp>> = {
  'node:dgram': /^(exchange|lab)\//,
  'node:net': /^(exchange|lab|service|cli)\//,
  'node:http': /^(service|cli)\//,
  'node:https': /^(service|cli)\//,
  commander: /^cli\//,
  picocolors: /^(cli|report)\//,
  'eventsource-parser': /^cli\//,
  pg: /^service\/store\//,
};

const WITHIN = IMPORTS.filter(isRelative);

t.test('a room imports only itself and the rooms before it', async (t) => {
  const place = (file: string) => ROOMS.indexOf(roomOf(file));
  t.same(FILES.filter((file) => place(file) < 0).map(dirname), [], 'every file is in a room');
  t.same(written(WITHIN.filter((one) => place(targetOf(one)) > place(one.file))), []);
});

t.test('other rooms and tests import a room through its door', async (t) => {
  const fromOutside = WITHIN.filter((one) => roomOf(one.file) !== roomOf(targetOf(one)));
  t.same(written(fromOutside.filter((one) => !isDoor(targetOf(one)))), []);
  t.same(written(importsOfTests().filter((one) => !isDoor(targetOf(one)))), []);
});

t.test('there are no import cycles', async (t) => {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) cycles.push([...path, file].join(' -> '));
    else if (!done.has(file)) for (const one of importsIn(file)) visit(targetOf(one), [...path, file]);
    done.add(file);
  };
  for (const file of FILES) visit(file, []);
  t.same(cycles, []);
});

t.test('packages and sockets are used where they belong', async (t) => {
  const isAstray = ({ file, from, kind }: Import) => kind === 'value' && ONLY_IN[from]?.test(file) === false;
  t.same(written(IMPORTS.filter(isAstray)), []);
});

t.test('numbers do not depend on how questions are asked', async (t) => {
  const isCode = (file: string) => roomOf(file) === 'exchange' && !RECORDED.includes(file);
  const code = WITHIN.filter((one) => one.kind === 'value' && isCode(targetOf(one)));
  t.same(written(code.filter(({ file }) => /^(evaluate|findings|report)\//.test(file))), []);
});

t.test('the page runs without Node', async (t) => {
  const needed = loadedBy(FILES.filter((file) => roomOf(file) === 'page'));
  const values = IMPORTS.filter(({ file, kind }) => kind === 'value' && needed.includes(file));
  t.same(written(values.filter(({ from }) => from.startsWith('node:'))), []);
});

t.test('few files make a text of a result', async (t) => {
  const entered = loadedBy(['report/plain-text.ts']).filter((file) => /^(document|report)\//.test(file));
  t.ok(entered.length <= 18, entered.join(' '));
});

t.test('only explore/profiles names resolver products', async (t) => {
  const products = Object.values(PROFILES).map(({ product }) => product.replace(/ [\d.]+$/, ''));
  const quoted = PROFILE_NAMES.flatMap((name) => [`'${name}'`, `"${name}"`]);
  const names = [...new Set([...products, ...quoted])].filter((name) => !NAMES_OF_OTHERS.includes(name));
  const others = FILES.filter((file) => !/^(?:explore\/profiles\/|traversal\/fingerprint\.ts$)/.test(file));
  const naming = others.flatMap((file) => {
    const text = readFileSync(join(ROOT, 'src', file), 'utf8');
    return names.filter((name) => text.includes(name)).map((name) => `${file} names ${name}`);
  });
  t.same(naming, []);
});

t.test('CONTRIBUTING.md describes every room', async (t) => {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const rooms = ROOMS.filter((room) => !room.includes('.'));
  t.same(
    rooms.filter((room) => !text.includes(`**${room}**`)),
    [],
  );
});

t.test('top-level folders are those of the house', async (t) => {
  const folders = readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(\.|node_modules$|dist$)/.test(entry.name))
    .map(({ name }) => name);
  t.same(folders.sort(), ['bin', 'man', 'src', 'test']);
});

/** The top-level folder of a file in `src`, or the file itself if it is in none. */
function roomOf(file: string): string {
  return file.split('/')[0] ?? file;
}

function isDoor(file: string): boolean {
  const folder = dirname(file);
  return !folder.includes('/') || ROOMS_WITHIN.includes(folder);
}

function isRelative({ from }: Import): boolean {
  return from.startsWith('.');
}

function importsIn(file: string): Import[] {
  return WITHIN.filter((one) => one.file === file);
}

function written(imports: readonly Import[]): string[] {
  return imports.map(({ file, from }) => `${file} imports ${from}`);
}
