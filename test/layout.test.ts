import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { EXPORTS, FILES, IMPORTS, loadedBy, ROOT, TESTS, targetOf } from './sources.ts';

/** The rooms of the house as data flows: a room imports only itself and what stands before it. */
const ROOMS = [
  'wire',
  'validate',
  'exchange',
  'explore',
  'probe',
  'evaluate',
  'document',
  'reading',
  'findings',
  'report',
  'progress',
  'fingerprint',
  'replay.ts',
  'imagine.ts',
  'provable.ts',
  'judged-anew.ts',
  'traverse.ts',
  'lab',
  'work',
  'service',
  'client',
  'cli',
  'index.ts',
  'page',
];

/** Rooms within rooms, and the files beside them: the same order. */
const ROOMS_WITHIN: Readonly<Record<string, readonly string[]>> = {
  reading: [
    'bearing.ts',
    'by-family.ts',
    'grouped.ts',
    'finding-place.ts',
    'security-at.ts',
    'result-index.ts',
    'failures.ts',
    'comparison.ts',
    'exit-status.ts',
    'culprits.ts',
    'user-shares.ts',
    'referrals.ts',
    'walk.ts',
    'words',
    'finding-families.ts',
    'end-words.ts',
    'summary-line.ts',
    'compared-shares.ts',
    'sure-difference.ts',
    'cold-and-warm.ts',
    'warm-words.ts',
    'validated',
    'what-if-words.ts',
    'conclusion.ts',
    'verdict.ts',
    'resolver-reply.ts',
    'resolver-words.ts',
    'wording.ts',
    'account.ts',
    'end-groups.ts',
    'software-line.ts',
    'steps',
    'changes',
  ],
  report: [
    'result',
    'table',
    'text',
    'explain',
    'graph',
    'trace',
    'render',
    'monitor',
    'markdown',
    'formats.ts',
  ],
  service: [
    'log.ts',
    'descriptors.ts',
    'slots.ts',
    'clients',
    'webhook',
    'engine',
    'jobs',
    'directory',
    'store',
    'metrics',
    'settings.ts',
    'environment.ts',
    'notices.ts',
    'page',
    'http',
    'openapi',
    'service.ts',
  ],
  page: ['api', 'parts', 'picture', 'what-if', 'result', 'form', 'live', 'shell', 'main.tsx'],
  cli: ['process', 'flags', 'runner', 'view', 'many', 'again', 'completion', 'commands', 'program'],
};

/** Belongs to no stage: imported from anywhere, imports nothing but such files and wire's types. */
const COMMON = [
  'abort.ts',
  'chance.ts',
  'encodings.ts',
  'exchanged.ts',
  'get-or-make.ts',
  'limits.ts',
  'make-folder.ts',
  'metrics-text.ts',
  'octets.ts',
  'shape',
  'options.ts',
  'package-folder.ts',
  'duration.ts',
  'pausable.ts',
  'rising-urgency.ts',
  'urgency-line.ts',
  'version.ts',
  'whole-file.ts',
];

/** Where a package or built-in module may be imported. */
const ONLY_IN: Readonly<Record<string, RegExp>> = {
  'node:dgram': /^(exchange|lab)\//,
  'node:net': /^((exchange|lab|service)\/|cli\/process\/open-pipe\.ts$)/,
  'node:http': /^(service|cli)\//,
  'node:https': /^(service|cli)\//,
  commander: /^cli\//,
  picocolors: /^(cli|report\/table)\//,
  'eventsource-parser': /^client\//,
  bullmq: /^service\/store\//,
  ioredis: /^service\/store\//,
};

/** Nobody imports these, but declarations that are made by the compiler do. */
const COMPILER_NEEDS = ['Optional'];

/** More files than this in one folder are two rooms. */
const MOST_FILES = 30;

const WITHIN = IMPORTS.filter(({ from }) => from.startsWith('.'));
const importsIn = (file: string) => WITHIN.filter((one) => one.file === file);

t.test('imports only point back', async (t) => {
  for (const one of WITHIN) {
    const [room, target] = [roomOf(one.file), roomOf(targetOf(one))];
    if (COMMON.includes(target) || room === target) continue;
    if (COMMON.includes(room)) t.equal(target, 'wire', `${one.file} imports ${one.from}`);
    else t.ok(ROOMS.indexOf(target) < ROOMS.indexOf(room), `${one.file} imports ${one.from}`);
  }
  t.ok(WITHIN.length > 100, 'imports were found');
});

t.test('every file and folder is a room or common', async (t) => {
  const known = new Set([...ROOMS, ...COMMON]);
  for (const room of new Set(FILES.map(roomOf))) t.ok(known.has(room), `src/${room}`);
});

t.test('imports within a room only point back', async (t) => {
  for (const [room, order] of Object.entries(ROOMS_WITHIN)) {
    for (const one of WITHIN.filter(({ file }) => roomOf(file) === room)) {
      const [place, target] = [placeIn(room, one.file), placeIn(room, targetOf(one))];
      if (target === undefined || place === target) continue;
      t.ok(order.indexOf(target) < order.indexOf(place ?? ''), `${one.file} imports ${one.from}`);
    }
    const places = new Set(FILES.filter((file) => roomOf(file) === room).map((file) => placeIn(room, file)));
    t.same([...places].sort(), [...order].sort(), `the rooms within ${room}`);
  }
});

t.test('text, explain and graph take nothing from each other', async (t) => {
  const each = ['text', 'explain', 'graph'].map((form) => `report/${form}/`);
  for (const one of WITHIN) {
    const form = each.find((room) => one.file.startsWith(room));
    const target = each.find((room) => targetOf(one).startsWith(room));
    if (form !== undefined && target !== undefined) t.equal(target, form, `${one.file} imports ${one.from}`);
  }
});

t.test('evaluate and report know nothing of how exchanges are made', async (t) => {
  for (const one of WITHIN.filter((each) => targetOf(each).startsWith('exchange/'))) {
    const { file, from, kind } = one;
    t.notMatch(file, /^(evaluate|document|reading|findings|report)\//, `${file} imports ${from}`);
    if (file.startsWith('explore/')) t.equal(kind, 'type', `${file} imports only types from ${from}`);
  }
});

t.test('what a page in a browser needs runs without Node', async (t) => {
  const needed = loadedBy(FILES.filter((file) => /^(page|evaluate|reading|report)\//.test(file)));
  for (const { file, from } of IMPORTS.filter((one) => one.kind === 'value' && needed.includes(one.file))) {
    t.notMatch(from, /^node:/, `${file} imports ${from}`);
  }
  t.ok(needed.length > 50, 'files were found');
});

t.test('packages and sockets are used where they belong', async (t) => {
  for (const { file, from, kind } of IMPORTS) {
    const only = ONLY_IN[from];
    if (only !== undefined && kind === 'value') t.match(file, only, `${file} imports ${from}`);
  }
});

t.test('there are no import cycles', async (t) => {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) t.fail(`cycle: ${[...path, file].join(' -> ')}`);
    else if (!done.has(file)) for (const one of importsIn(file)) visit(targetOf(one), [...path, file]);
    done.add(file);
  };
  for (const file of FILES) visit(file, []);
  t.ok(done.size > 50, 'files were visited');
});

t.test('an exported name has one home', async (t) => {
  const homes = new Map<string, string[]>();
  for (const { file, name } of EXPORTS) {
    if (file !== 'index.ts') homes.set(name, [...(homes.get(name) ?? []), file]);
  }
  for (const [name, files] of homes) t.equal(files.length, 1, `${name} in ${files.join(' and ')}`);
  t.ok(homes.size > 200, 'exports were found');
});

t.test('what is exported is needed elsewhere', async (t) => {
  const texts = [...FILES.map((file) => `src/${file}`), ...TESTS].map((file) => {
    return { file, words: new Set(readFileSync(join(ROOT, file), 'utf8').match(/\w+/g)) };
  });
  for (const { file, name } of EXPORTS) {
    if (file === 'index.ts' || COMPILER_NEEDS.includes(name)) continue;
    const isNeeded = texts.some((one) => one.file !== `src/${file}` && one.words.has(name));
    t.ok(isNeeded, `${name} in src/${file}`);
  }
});

t.test('no folder has grown into two', async (t) => {
  const sizes = new Map<string, number>();
  for (const file of FILES) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  for (const [folder, size] of sizes) t.ok(size <= MOST_FILES, `src/${folder} has ${size} files`);
});

t.test('the map in CONTRIBUTING.md has every room', async (t) => {
  const paragraphs = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split('\n\n');
  const folders = new Set(FILES.map((file) => dirname(file)).filter((folder) => folder !== '.'));
  for (const folder of folders) {
    const [room, within] = folder.split('/');
    const paragraph = paragraphs.find((one) => one.startsWith(`**${room}**`));
    t.ok(paragraph?.includes(within === undefined ? '' : `\`${within}/\``), `src/${folder}`);
  }
});

t.test('top-level folders are those of the house', async (t) => {
  const folders = readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name);
  const built = ['node_modules', 'dist'];
  t.same(folders.filter((name) => !built.includes(name)).sort(), ['bin', 'man', 'src', 'test']);
});

/** The top-level folder of a file in `src`, or the file itself if it is in none. */
function roomOf(file: string): string {
  return file.split('/')[0] ?? file;
}

/** The folder or file directly inside a room that a file belongs to. */
function placeIn(room: string, file: string): string | undefined {
  const [top, place] = file.split('/');
  return top === room ? place : undefined;
}
