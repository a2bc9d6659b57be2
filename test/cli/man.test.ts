import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Option } from 'commander';
import t from 'tap';
import { isShared } from '../../src/cli/process/help.ts';
import { createProgram, loadedSubcommands, SUBCOMMANDS } from '../../src/cli/program.ts';
import { summaryOf } from '../../src/document/ends.ts';
import { VIEWS } from '../../src/evaluate/views.ts';
import { PROFILE_NAMES } from '../../src/explore/profiles/profiles.ts';
import { type CommandPlace, formatsIn } from '../../src/report/formats.ts';
import { MAN_PAGES } from '../sources.ts';
import { inside } from './inside.ts';
import { forEach } from './svc.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const pageOf = (command: string) => `man/svc${command === '' ? '' : `-${command}`}.1`;

const PAGES = MAN_PAGES;

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
const PROGRAM = createProgram(
  {
    stdin: Readable.from([]),
    stdout: nowhere(),
    stderr: nowhere(),
    env: {},
    onSignal: () => () => {},
    onReload: () => {},
    families: async () => [],
    addressesOf: async () => [],
  },
  await loadedSubcommands(SUBCOMMANDS),
  () => {},
);

/** An option in a page: its flags, and the text that explains it. */
interface Explained {
  readonly flags: readonly string[];
  readonly text: string;
}

/** The items of lists that begin with an option: `.It Fl f Ar file , Fl -file Ar file`. */
function explained(page: string): readonly Explained[] {
  return read(page)
    .split(/^\.It /m)
    .filter((item) => item.startsWith('Fl '))
    .map((item) => {
      const [head = '', ...body] = item.split(/\n(?=.)/);
      const flags = [...head.matchAll(/\bFl (\S+)/g)].map(([, flag]) => `-${flag}`);
      return { flags, text: body.join(' ') };
    });
}

/** What commander has of it: "-f, --file" and "--no-edns". */
function flagsOf({ short, long }: Option): readonly string[] {
  return [short, long].filter((flag) => flag !== undefined);
}

/** A row of a summary: "192.0.2.110 1/8". */
function endAndShare(row: { fraction: string; kind: string; answer?: readonly string[] }): string {
  return `${row.answer?.join(', ') ?? row.kind} ${row.fraction}`;
}

t.test('every option is in the page of its command, and no other', async (t) => {
  for (const command of PROGRAM.commands) {
    const page = pageOf(command.name());
    if (!PAGES.includes(page)) continue;
    // What commands share stands in one section, of svc-traverse(1).
    const own = command.options.filter((option) => command.name() === 'traverse' || !isShared(option));
    const flags = [...own.flatMap(flagsOf), '-h', '--help'];
    if (own.length < command.options.length) t.match(read(page), '\nSHARED OPTIONS', page);
    t.same(
      explained(page)
        .flatMap((one) => one.flags)
        .sort(),
      flags.sort(),
      page,
    );
    for (const option of own) {
      const range = /\((\S+ to \S+; default [^)]+)\)$/.exec(option.description)?.[1];
      const text =
        explained(page).find((one) => one.flags.includes(option.long ?? option.short ?? ''))?.text ?? '';
      if (range !== undefined) t.ok(text.includes(`${range})`), `${page} ${option.flags}: says ${range}`);
    }
  }
  t.ok(PAGES.includes(pageOf('traverse')));
});

t.test('every format is in the pages of the commands and of the API that offer it', async (t) => {
  const places: readonly CommandPlace[] = ['traverse', 'diff', 'servers', 'watch', 'wait'];
  for (const place of places) {
    const [, named = ''] = /^\.It Fl -format Cm (.*)$/m.exec(read(pageOf(place))) ?? [];
    t.same(named.split(' | ').sort(), [...formatsIn(place)].sort(), place);
  }
  const [, named = ''] = /^\.It GET Pa \S*\?format=(.*)$/m.exec(read('man/svc-api.5')) ?? [];
  t.same(named.split(' | '), formatsIn('api'));
});

t.test('no text lists the profiles by hand, as svc help profiles does so', async (t) => {
  const either = `(?:${PROFILE_NAMES.join('|')})`;
  const list = new RegExp(`\\b${either}(?: ?[,|] ?(?:or )?| (?:and|or) )${either}\\b`);
  for (const text of ['README.md', 'CONTRIBUTING.md', ...PAGES]) {
    const [listed] = list.exec(read(text).replace(/\s+/g, ' ')) ?? [];
    t.equal(listed, undefined, `${text} refers to svc help profiles`);
  }
});

t.test('the page of the program has its commands and options', async (t) => {
  const page = pageOf('');
  const commands = [...read(page).matchAll(/^\.It Ic (\S+)/gm)].map(([, name]) => name);
  t.same(commands, [...SUBCOMMANDS.map(({ name }) => name), 'help']);
  t.same(
    explained(page)
      .flatMap((one) => one.flags)
      .sort(),
    ['--help', '--version', '-h', '-v'],
  );
});

t.test('every page in section 1 is that of a command', async (t) => {
  const pages = ['', ...SUBCOMMANDS.map(({ name }) => name)].map(pageOf);
  for (const page of PAGES.filter((one) => one.endsWith('.1'))) t.ok(pages.includes(page), page);
});

t.test('package.json has every page', async (t) => {
  const { man }: { man: readonly string[] } = JSON.parse(read('package.json'));
  t.same([...man].sort(), PAGES.map((page) => `./${page}`).sort());
});

// Beside the pages, so that it finds those that others refer to.
const mandoc = spawnSync('mandoc', ['-T', 'lint', ...PAGES.map((page) => basename(page))], {
  cwd: join(ROOT, 'man'),
  encoding: 'utf8',
});

t.test('mandoc finds nothing wrong', { skip: mandoc.error !== undefined && 'no mandoc here' }, async (t) => {
  t.equal(mandoc.stdout, '');
});

t.test('what README and pages show can be run', async (t) => {
  const dir = t.testdir({ 'names.txt': 'www.shop.example\nwww.stale.example # trouble\n' });
  const texts = ['README.md', ...PAGES].map(read);
  const commands = texts
    .flatMap((text) => [...text.matchAll(/^\$ svc ([^|#>\n]+)/gm)])
    .map(([, words = '']) => words.trim());
  const local = [...new Set(commands)].filter(
    (command) => /--demo|--replay|^help/.test(command) && !/^serve /.test(command),
  );
  // What some commands save, others read.
  const isReader = (command: string) => command.includes('--replay');
  const run = async (command: string) => {
    const words = command.split(/\s+/).map((word) => (/\.(?:json|txt)$/.test(word) ? join(dir, word) : word));
    const { status, stdout } = await inside(words);
    // On a busy machine replies come late, and a product may give up: critical to a monitor.
    const isCritical = status === 2 && stdout.startsWith('DNS CRITICAL');
    t.ok(status === 0 || status === 1 || isCritical, `svc ${command}`);
    t.ok(stdout.length > 0);
  };
  await forEach(
    local.filter((command) => !isReader(command)),
    run,
  );
  await forEach(local.filter(isReader), run);
  t.ok(local.length > 5);
});

t.test('svc-model(7) has the names of all views', (t) => {
  const page = read('man/svc-model.7');
  for (const { name, behaviour } of VIEWS)
    if (behaviour !== 'profile') t.match(page, new RegExp(`^\\.Ql ${name} ,$`, 'm'), name);
  t.end();
});

t.test('the worked example of svc-model(7) has the numbers that the program gives', async (t) => {
  const page = read('man/svc-model.7');
  const [, command = ''] = /^\$ svc (.*)$/m.exec(page) ?? [];
  const { stdout } = await inside([...command.split(' '), '--json', '--full']);
  const { views, figures } = JSON.parse(stdout);
  const worked = [...page.matchAll(/^\.It (\S+) Ta .* Ta ([\d/]+)$/gm)].map(
    ([, end, share]) => `${end} ${share}`,
  );
  t.same(worked, summaryOf(views['first-tries']).map(endAndShare));
  const words = page.replace(/\s+/g, ' ');
  for (const { fraction, answer } of summaryOf(views.resolver)) t.match(words, `${answer} gets ${fraction}`);
  t.match(words, `= ${figures.paths} paths in all.`);
});
