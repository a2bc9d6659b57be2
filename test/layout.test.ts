import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SRC = join(ROOT, 'src');

/** Left to right, as data flows: a folder imports only itself and what stands to its left. */
const ORDER = [
  'wire',
  'exchange',
  'explore',
  'evaluate',
  'document',
  'reading',
  'findings',
  'report',
  'fingerprint',
  'traverse.ts',
  'lab',
  'service',
  'client',
  'cli',
];

/** Belongs to no stage: imported from anywhere, imports nothing but such files and wire's types. */
const COMMON = ['abort.ts', 'limits.ts', 'shape.ts', 'options.ts', 'duration.ts'];

/** Where a package or built-in module may be imported. */
const ONLY_IN: Readonly<Record<string, RegExp>> = {
  'node:dgram': /^(exchange|lab)\//,
  // isIP and BlockList read addresses; sockets are exchange's and the lab's business.
  'node:net': /^(wire|exchange|lab|service)\//,
  'node:http': /^(service|cli)\//,
  'node:https': /^(service|cli)\//,
  'dns-packet': /^wire\//,
  commander: /^cli\//,
  picocolors: /^(cli|report\/table)\//,
  eventsource: /^client\//,
};

interface Import {
  readonly file: string;
  readonly from: string;
  readonly kind: 'type' | 'value';
}

const IMPORTS = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap(importsOf);

t.test('imports only point left', async (t) => {
  for (const { file, from } of IMPORTS.filter((one) => one.from.startsWith('.'))) {
    const [place, target] = [placeOf(file), placeOf(targetOf(file, from))];
    if (place === 'index.ts' || COMMON.includes(target) || place === target) continue;
    if (COMMON.includes(place)) t.equal(target, 'wire', `${file} imports ${from}`);
    else t.ok(ORDER.indexOf(target) < ORDER.indexOf(place), `${file} imports ${from}`);
  }
  t.ok(IMPORTS.length > 100, 'imports were found');
});

t.test('evaluate and report know nothing of how exchanges are made', async (t) => {
  for (const { file, from, kind } of IMPORTS.filter((one) => one.from.includes('/exchange/'))) {
    t.notMatch(file, /^(evaluate|document|reading|findings|report)\//, `${file} imports ${from}`);
    if (file.startsWith('explore/')) t.equal(kind, 'type', `${file} imports only types from ${from}`);
  }
});

t.test('packages and sockets are used where they belong', async (t) => {
  for (const { file, from, kind } of IMPORTS) {
    const only = ONLY_IN[from];
    if (only !== undefined && kind === 'value') t.match(file, only, `${file} imports ${from}`);
  }
});

t.test('there are no import cycles', async (t) => {
  const edges = new Map<string, string[]>();
  for (const { file, from } of IMPORTS) {
    if (!from.startsWith('.')) continue;
    edges.set(file, [...(edges.get(file) ?? []), targetOf(file, from)]);
  }
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) t.fail(`cycle: ${[...path, file].join(' -> ')}`);
    else if (!done.has(file)) for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  t.ok(done.size > 50, 'files were visited');
});

t.test('top-level folders are those of the house', async (t) => {
  const folders = readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name);
  const built = ['node_modules', 'dist'];
  t.same(folders.filter((name) => !built.includes(name)).sort(), ['bin', 'man', 'src', 'test']);
});

function importsOf(file: string): Import[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s+)?([^;'"]*?)\s*(?:from\s+)?['"]([^'"]+)['"]/gm,
  );
  const loads = text.matchAll(/\bimport\('([^']+)'\)/g);
  const loaded = [...loads].map(([, from = '']): Import => ({ file, from, kind: 'value' }));
  const imported = [...statements].map(([, type, names = '', from = '']): Import => {
    const onlyTypes =
      /^\{.*\}$/s.test(names) &&
      names
        .replace(/[{}]/g, '')
        .split(',')
        .every((name) => !name.trim() || /^type\s/.test(name.trim()));
    return { file, from, kind: type !== undefined || onlyTypes ? 'type' : 'value' };
  });
  return [...imported, ...loaded];
}

function targetOf(file: string, from: string): string {
  return relative(SRC, normalize(join(SRC, dirname(file), from)));
}

function placeOf(file: string): string {
  return file.split('/')[0] ?? file;
}
