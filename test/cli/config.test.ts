import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { inside } from './inside.ts';

// Most of them wait for dead servers.
t.jobs = 3;

const MIXED = ['www.mixed.example', '--demo', '--quick', '--json'];
const NAMES = [
  { match: 'www.mixed.example', expect: ['198.51.100.110', '192.0.2.110'], ignore: ['FIRST_TRY_FAILS'] },
  { match: '*.example', expect: ['nxdomain'] },
];

/** The environment of a user with this configuration. */
function home(folder: string, configuration: unknown) {
  mkdirSync(join(folder, 'svc'), { recursive: true });
  writeFileSync(join(folder, 'svc', 'config.json'), JSON.stringify(configuration));
  return { env: { XDG_CONFIG_HOME: folder } };
}

t.test('a configuration says what is expected of which names', async (t) => {
  const around = home(t.testdir(), { names: NAMES });
  const { stdout } = await inside(MIXED, around);
  const result = JSON.parse(stdout);
  t.match(result, { options: { configured: 'www.mixed.example' }, expected: NAMES[0]?.expect });
  t.same(result.ignored, { FIRST_TRY_FAILS: 1 });
  t.notOk(JSON.stringify(result.findings).includes('UNEXPECTED_ANSWER'));
  const words = 'FIRST_TRY_FAILS: www.mixed.example in the configuration';
  for (const [format, says] of [
    ['text', `\nIgnored ${words}\n`],
    ['md', `\nIgnored: ${words}.\n`],
    ['nagios', `; ignored: ${words}`],
  ] as const) {
    const { stdout } = await inside(['www.mixed.example', '--demo', '--quick', '--format', format], around);
    t.ok(stdout.replace(/\\(.)/g, '$1').replace(/ +/g, ' ').includes(says), format);
  }
  const other = JSON.parse((await inside(['www.shop.example', ...MIXED.slice(1)], around)).stdout);
  t.match(other.findings, [{ code: 'UNEXPECTED_ANSWER' }], 'the first pattern that matches counts');
});

t.test('options win, and none reads no file', async (t) => {
  const around = home(t.testdir(), { names: NAMES });
  const won = JSON.parse((await inside([...MIXED, '--expect', '198.51.100.110'], around)).stdout);
  t.same(won.expected, ['198.51.100.110']);
  t.same(won.ignored, { FIRST_TRY_FAILS: 1 }, 'but the other list stays');
  const without = JSON.parse((await inside([...MIXED, '--config', 'none'], around)).stdout);
  t.same([without.expected, without.ignored, without.options.configured], [undefined, undefined, undefined]);
});

t.test('many names have the same configuration, here and in worker threads', async (t) => {
  const around = home(t.testdir(), { names: NAMES });
  const names = Array.from({ length: 20 }, () => 'www.mixed.example');
  const { stdout } = await inside([...names, '--demo', '--quick', '--json'], around);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.equal(lines.length, names.length);
  for (const { findings } of lines)
    t.notOk(findings.some(({ code }: { code: string }) => code === 'FIRST_TRY_FAILS'));
});

t.test('a faulty file is told where it is read', async (t) => {
  const rows: readonly (readonly [configuration: unknown, told: string])[] = [
    [{ names: [{ match: 'a..b' }] }, '/names/0/match: is not a name or a pattern: a label is empty'],
    [
      { names: [{ match: 'a.b', expects: [] }] },
      '/names/0/expects: is unknown (known: match, expect, ignore)',
    ],
    [{ names: [{ match: 'a.b', ignore: ['NS_FOO'] }] }, 'ignore: "NS_FOO" is not the code of a finding'],
    ['text', 'the document: must be an object'],
  ];
  for (const [configuration, told] of rows) {
    const { status, stderr } = await inside(MIXED, home(t.testdir(), configuration));
    t.same([status, stderr.includes(told)], [3, true], stderr);
  }
});

t.test('expected answers are one answer, and the exit status goes by that', async (t) => {
  const stale = ['www.stale.example', '--demo', '--quick', '--json'];
  const both = await inside([...stale, '--expect', '198.51.100.104', '--expect', '192.0.2.0/24']);
  t.equal(both.status, 0);
  t.notOk(/ANSWERS_DIFFER|ANSWER_NOT_CERTAIN|UNEXPECTED_ANSWER/.test(both.stdout));
  const one = await inside([...stale, '--expect', '198.51.100.104']);
  t.equal(one.status, 1);
  const { findings } = JSON.parse(one.stdout);
  const unexpected = findings.filter(({ code }: { code: string }) => code === 'UNEXPECTED_ANSWER');
  t.match(unexpected, [{ severity: 'error', server: { name: 'ns2.harbour.example.' } }]);
  const words = await inside([...stale.slice(0, 3), '--expect', '198.51.100.104', '--expect', '192.0.2.104']);
  t.match(words.stdout, /^www\.stale\.example\. A\s+50 % of users get [^:]* as\s+expected$/m);
});
