import { execFileSync } from 'node:child_process';
import t from 'tap';
import { SERVED_DEFAULTS } from '../../src/base/limits.ts';
import { parseName } from '../../src/dns/name.ts';
import { DEFAULT_OPTIONS, type TraversalOptions, traversalOptions } from '../../src/document/options.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { CHOSEN_VIEWS, QUICK_VIEWS } from '../../src/evaluate/views.ts';
import { commandLine } from '../../src/page/model/exports.ts';
import { inside } from '../cli/inside.ts';

const USUAL = traversalOptions(SERVED_DEFAULTS);
const SERVER = { url: 'https://dns.example', usual: USUAL };
const ELSE: TraversalOptions = {
  ...USUAL,
  families: [4],
  check: true,
  views: CHOSEN_VIEWS,
  profiles: ['bind', 'knot'],
  timeoutMs: 500,
  maxWork: 99,
};
const QUERY = { name: parseName('www.mixed.example'), type: 'A', class: 'IN' } as const;

t.test('the command that gives the same', async (t) => {
  const rows: readonly (readonly [title: string, options: Partial<TraversalOptions>, command: string])[] = [
    ['says nothing of what is usual', {}, 'svc traverse www.mixed.example --server https://dns.example'],
    [
      'but of what is not usual for services',
      { maxQueries: DEFAULT_OPTIONS.maxQueries },
      'svc traverse www.mixed.example --max-queries 20000 --server https://dns.example',
    ],
    ['one family', { families: [6] }, 'svc traverse www.mixed.example -6 --server https://dns.example'],
    [
      'checks',
      { check: true, views: QUICK_VIEWS },
      'svc traverse www.mixed.example --views first-tries,resolver --check --server https://dns.example',
    ],
  ];
  for (const [title, options, command] of rows) {
    t.equal(commandLine({ query: QUERY, options: { ...USUAL, ...options } }, SERVER), command, title);
  }
});

t.test('where the service does more, or less, by default', async (t) => {
  const rows: readonly (readonly [options: TraversalOptions, words: string])[] = [
    [ELSE, ''],
    [{ ...ELSE, maxWork: 9 }, ' --max-work 9'],
    [{ ...ELSE, profiles: ['bind', 'knot'] }, ''],
    [{ ...ELSE, profiles: ['bind'] }, ' --profiles bind'],
    [{ ...ELSE, profiles: [] }, ' --profiles none'],
    [{ ...ELSE, views: QUICK_VIEWS, profiles: [] }, ' --views first-tries,resolver --profiles none'],
    [{ ...ELSE, timeoutMs: 2_000, edns: 'off' }, ' --timeout 2s --no-edns'],
  ];
  for (const [options, words] of rows) {
    const command = commandLine({ query: QUERY, options }, { ...SERVER, usual: ELSE });
    t.equal(command, `svc traverse www.mixed.example${words} --server https://dns.example`);
  }
});

t.test('it means the same to the program', async (t) => {
  const changed: Partial<TraversalOptions> = {
    families: [4],
    timeoutMs: 1_500,
    retries: 0,
    payloadSize: 512,
    transport: 'tcp',
    edns: 'off',
    nameCase: 'lower',
    maxDepth: 20,
    maxQueries: 99,
    maxTimeMs: 90_000,
    maxWork: 9_999,
    check: true,
  };
  const whatIf = { down: ['ns.mixed.example.'], without: ['198.51.100.1'], only: [], delegate: [] };
  const command = commandLine({ query: QUERY, options: traversalOptions(changed), whatIf }, SERVER);
  const result = await run(wordsOf(command));
  const kept = Object.keys(changed).map((name) => [
    name,
    Object.entries(result.options).find(([key]) => key === name)?.[1],
  ]);
  t.same(Object.fromEntries(kept), changed, command);
  t.same(result.whatIf, whatIf);
});

t.test('planned delegations', async (t) => {
  const delegate = [
    {
      zone: parseName('mixed.example'),
      nameservers: [{ name: parseName('ns1.harbour.example'), glue: ['198.51.100.1', '2001:db8:1::1'] }],
    },
  ];
  const whatIf = { down: [], without: [], only: [], delegate };
  const command = commandLine({ query: QUERY, options: DEFAULT_OPTIONS, whatIf }, SERVER);
  t.match(command, ' --delegate mixed.example=ns1.harbour.example/198.51.100.1/2001:db8:1::1 ');
  t.same((await run(wordsOf(command))).whatIf?.delegate, delegate);
});

t.test('a shell takes names for what they are', async (t) => {
  const names = [
    "it's.example",
    '$(reboot).example',
    'a b\\;c\\"\\`.example',
    '*.example',
    '\\000\\127\\255.example',
    '-x.example',
    '.',
  ];
  for (const written of names) {
    const name = parseName(written.replace(' ', '\\032').replace('$(', '\\$\\(').replace(')', '\\)'));
    const command = commandLine({ query: { ...QUERY, name, type: 'TXT' }, options: DEFAULT_OPTIONS }, SERVER);
    const [, , asked = '', type] = wordsOf(command);
    t.equal(parseName(asked), name, command);
    t.equal(type, 'TXT');
    t.notMatch(asked, /^-/, 'and not for options');
  }
});

/** What a shell makes of a command. */
function wordsOf(command: string): readonly string[] {
  return execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
}

/** Runs a command against the demo rather than a service. */
async function run([, ...words]: readonly string[]): Promise<TraversalResult> {
  const own = words.slice(0, words.indexOf('--server'));
  const { stdout, stderr } = await inside([...own, '--demo', '--json']);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}
