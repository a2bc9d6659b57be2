import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { ROOT } from '../sources.ts';
import { startDemoService } from './demo-service.ts';
import { inside } from './inside.ts';
import { ended } from './svc.ts';

const demo = (...words: readonly string[]) => inside(['traverse', '--demo', ...words]);

// Most of them wait for dead servers.
t.jobs = 3;

t.test('a severity to fail on decides between 0 and 1', async (t) => {
  const rows: readonly (readonly [command: string, status: number])[] = [
    ['www.dead.example', 1],
    ['www.dead.example --fail-on error', 0],
    ['www.dead.example --fail-on warning', 1],
    ['www.dead.example --fail-on=error -q', 0],
    ['www.launch.test --fail-on critical --json', 0],
    ['www.launch.test --fail-on error --short', 1],
    ['www.shop.example --fail-on warning', 0],
    ['www.shop.example --fail-on warning --max-queries 4', 3],
    ['www.shop.example --fail-on info', 2],
    ['www.shop.example --fail-on error --format nagios', 3],
  ];
  for (const [command, status] of rows)
    t.equal((await demo('--quick', ...command.split(' '))).status, status, command);
});

t.test('the graph as an image', async (t) => {
  const { status, stdout, stderr } = await demo('www.mixed.example', '--quick', '--format', 'svg');
  t.equal(status, 1);
  t.match(stdout, /^<\?xml .*<svg .*>www\.mixed\.example\. A: 75 % of users get .*<\/svg>\n$/s);
  t.equal(stderr, '');
});

t.test('what to install, before anything is asked, where nothing can draw', async (t) => {
  // A copy of the program without packages beside it.
  const folder = mkdtempSync(join(tmpdir(), 'svc-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const needed = (path: string) => !/\/dist\/(?:page|kept)/.test(path);
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter: needed });
  const words = ['traverse', 'www.mixed.example', '--demo', '--quick', '--format'];
  const program = join(folder, 'bin/svc.js');
  const ran = await ended(spawn(process.execPath, [program, ...words, 'svg'], { env: {} }));
  t.match(ran, {
    status: 3,
    stdout: '',
    stderr: /^svc: [^\n]*: npm install --global @viz-js\/viz, or [^\n]*\n$/,
  });
  const other = await ended(spawn(process.execPath, [program, ...words, 'dot'], { env: {} }));
  t.match(other, { status: 1, stdout: /^digraph / });
});

t.test('a check for monitoring systems', async (t) => {
  const rows: readonly (readonly [command: string, status: number, said: RegExp])[] = [
    ['traverse www.shop.example --demo --quick --format nagios', 0, /^DNS OK - [^\n]+ \| [^\n]+\n$/],
    ['traverse www.dead.example --demo --quick --format nagios', 1, /^DNS WARNING - [^\n]+ \| [^\n]+\n$/],
    ['traverse www.stale.example --demo --quick --format=nagios', 2, /^DNS CRITICAL - [^\n]+ \| [^\n]+\n$/],
    [
      'traverse www.shop.example --demo --format nagios --max-queries 4',
      3,
      /^DNS UNKNOWN - [^|]+; the query limit left questions unasked: [^|\n]+\n$/,
    ],
    ['traverse --demo -f x --format nagios', 3, /^DNS UNKNOWN - --format nagios is for one name: [^\n]+\n$/],
    ['traverse a..b --format nagios', 3, /^DNS UNKNOWN - "a\.\.b" is not a domain name[^\n]*\n$/],
    [
      'traverse --format nagios --nonsense',
      3,
      /^DNS UNKNOWN - svc traverse has no option --nonsense: [^\n]+\n$/,
    ],
    ['traverse a --server http://localhost:1 --format nagios', 3, /^DNS UNKNOWN - [^\n]+\n$/],
  ];
  for (const [command, status, said] of rows) {
    const ran = await inside(command.split(' '));
    t.equal(ran.status, status, command);
    t.match(ran.stdout, said);
  }
});

t.test('a check that is interrupted', async (t) => {
  const command = 'traverse www.dead.example --quick --demo --timeout 60s --format nagios'.split(' ');
  const ran = await inside(command, {
    terminals: ['stderr'],
    onStderr: (written, interrupt) => {
      if (/12 replies, 2 awaited/.test(written)) interrupt();
    },
  });
  t.equal(ran.status, 3);
  t.match(ran.stdout, /^DNS UNKNOWN - [^|]*interrupted: 50 % of paths are unknown\n$/);
});

t.test('what is only imagined is told as that', async (t) => {
  const command = ['www.dead.example', '--quick', '--down', 'ns1.harbour.example'];
  const ticket = (await demo(...command, '--format', 'md')).stdout;
  t.match(
    ticket,
    '**If ns1.harbour.example is down: all users get SERVFAIL (no usable server for dead.example)**',
  );
  t.match(ticket, '|  | users now | users then |');
  const metrics = (await demo(...command, '--format', 'prometheus')).stdout;
  t.match(metrics, 'exit_status{name="www.dead.example.",type="A",what_if="ns1.harbour.example is down"} 1');
  const check = await demo(...command, '--format', 'nagios');
  t.match(
    check.stdout,
    /^DNS CRITICAL - www\.dead\.example A: if ns1\.harbour\.example is down: all users get SERVFAIL/,
  );
});

t.test('a replay and a service give the same', async (t) => {
  const service = await startDemoService();
  t.teardown(service.stop);
  const file = join(t.testdir(), 'saved.json');
  await demo('www.mixed.example', '--quick', '--save', file);
  for (const [format, status, said] of [
    ['md', 1, /^# `www\.mixed\.example\. A`\n[\s\S]*\n## Do\n/],
    ['nagios', 2, /^DNS CRITICAL - www\.mixed\.example A: 75 % of users get /],
    ['prometheus', 1, /\{name="www\.mixed\.example\.",type="A",server="ns\.mixed\.example\."\} 0\.125\n/],
  ] as const) {
    const places = [
      ['--replay', file],
      ['www.mixed.example', '--quick', '--server', service.url],
    ];
    for (const place of places) {
      const ran = await inside(['traverse', ...place, '--format', format]);
      t.same([ran.status, ran.stderr], [status, ''], `${format} ${place[0]}`);
      t.match(ran.stdout, said);
    }
  }
  const lasting = await inside(['traverse', '--replay', file, '--fail-on', 'critical']);
  t.equal(lasting.status, 0);
});

t.test('a referral that is planned has nothing of the reply in its place', async (t) => {
  const { stdout } = await demo(
    ...'www.new.example --quick -v --delegate new.example=ns1.harbour.example'.split(' '),
  );
  t.match(stdout, /referral to new\.example\. +planned, on 25 % of paths, x7$/m);
  t.match(stdout, /referral to example\. +qr, \d+ B, on 16\.67 % of paths, x1$/m);
  t.notMatch(stdout, 'NS_AA_ON_REFERRAL');
});

t.test('what is imagined is said once, above columns that stand under their heads', async (t) => {
  const [one, two] = ['ns1.harbour.example', 'ns2.harbour.example'];
  const down = ['--down', one, '--down', two, '--down', `${one}.`];
  const { stdout } = await demo('www.mixed.example', '--profiles', 'none', ...down);
  const [title = ''] = stdout.split('\n');
  const [heads = '', ...rows] = stdout.slice(stdout.indexOf('Users get')).split('\n');
  t.match(title, `www.mixed.example. A  if ${one} and ${two} are down: 50 % of users get`);
  const ends = (line: string) =>
    [...line.matchAll(/(?:now|then|%)(?= {2}|$)/g)].map((at) => at.index + at[0].length);
  t.equal(ends(heads).length, 2);
  t.same(ends(rows[0] ?? ''), ends(heads));
});

const ONE = 'one line';
const INDENTED = 'indented';

t.test('JSON is one line, and indented on a terminal', async (t) => {
  const file = join(t.testdir(), 'saved.json');
  await inside(['traverse', 'www.shop.example', '--demo', '--quick', '-q', '--save', file]);
  const replay = `traverse --replay ${file} --json --full`;
  const rows = [
    [replay, 'pipe', ONE],
    [replay, 'terminal', INDENTED],
    ['servers www.shop.example --demo --quick --json', 'pipe', ONE],
    ['servers www.shop.example --demo --quick --json', 'terminal', INDENTED],
  ] as const;
  for (const [command, to, expected] of rows) {
    const { stdout } = await inside(command.split(' '), to === 'pipe' ? {} : { terminals: ['stdout'] });
    t.equal(lookOf(stdout), expected, `${command.replace(file, 'FILE')} to a ${to}`);
  }
});

t.test('a file has one line, whatever shows the result', async (t) => {
  const file = join(t.testdir(), 'saved.json');
  for (const flags of [[], ['--json']]) {
    const words = ['traverse', 'www.shop.example', '--demo', '--quick', '--save', file, ...flags];
    await inside(words, { terminals: ['stdout'] });
    t.equal(lookOf(readFileSync(file, 'utf8')), ONE, `with ${flags.join() || 'nothing else'}`);
  }
});

function lookOf(text: string): string {
  const value: unknown = JSON.parse(text);
  if (text === `${JSON.stringify(value)}\n`) return ONE;
  return text === `${JSON.stringify(value, undefined, 2)}\n` ? INDENTED : 'neither';
}

const dir = t.testdir({});
const saved = async (file: string, ...args: readonly string[]) => {
  const path = join(dir, file);
  const { status, stderr } = await inside(['traverse', ...args, '--demo', '-q', '--save', path]);
  t.ok(status === 0 || status === 1, stderr);
  return path;
};

t.test('svc diff', async (t) => {
  const mixed = await saved('mixed.json', 'www.mixed.example', '--quick');
  const only4 = await saved('only-4.json', 'www.mixed.example', '--quick', '-4');
  const stale = await saved('stale.json', 'www.stale.example', '--check', '--retries', '0');
  const cut = await saved('cut.json', 'www.mixed.example', '--quick', '--max-depth', '30');

  t.test('two results', async (t) => {
    const same = await inside(['diff', mixed, cut]);
    t.same([same.status, same.stderr], [0, '']);
    t.match(same.stdout, /^www\.mixed\.example\. A {2}the same\n\nbefore .*\nafter .*\n$/);
    const changed = await inside(['diff', mixed, only4]);
    t.same([changed.status, changed.stderr], [1, '']);
    t.match(changed.stdout, /^www\.mixed\.example\. A {2}changed\n/);
    t.match(changed.stdout, /^12\.5 % {2}25 % {2}198\.51\.100\.110 {2}ns1\.harbour\.example\. 198/m);
    t.match(changed.stdout, /^gone {2}2001:db8:1::1 {2}ns1\.harbour\.example\.$/m);
  });

  t.test('as JSON', async (t) => {
    const { stdout } = await inside(['diff', mixed, only4, '--json']);
    const { query, views, findings, servers, same, ...others } = JSON.parse(stdout);
    const { 'first-tries': outcomes, resolver } = views;
    t.same(query, { name: 'www.mixed.example.', type: 'A', class: 'IN' });
    t.match(outcomes[0], { before: '1/8', after: '1/4', kind: 'answer', server: { address: /^\d/ } });
    t.same(outcomes.map(({ before, after }: Changed) => `${before} ${after}`).sort(), [
      '1/8 1/4',
      '1/8 1/4',
      '1/8 1/4',
      '1/8 null',
      '1/8 null',
      '1/8 null',
    ]);
    t.ok(resolver.length > 0);
    t.same([findings, same, others], [{ gone: [], new: [] }, false, {}]);
    t.same(servers.new, []);
    t.match(servers.gone[0], { address: '2001:db8::1', names: ['a.root.'] });
  });

  t.test('what the first result asked is asked now', async (t) => {
    const { status, stdout } = await inside(['diff', stale, '--demo', '--json']);
    const { same, views } = JSON.parse(stdout);
    t.match([status, same, views.warm], [0, true, []], 'with its options');
    const service = await startDemoService();
    t.teardown(service.stop);
    const remote = await inside(['diff', mixed, '--server', service.url]);
    t.equal(remote.status, 0, remote.stderr);
    t.match(remote.stdout, /^www\.mixed\.example\. A {2}the same\n/);
  });

  t.test('what cannot be compared', async (t) => {
    const rows: readonly (readonly [args: readonly string[], status: number, words: RegExp])[] = [
      [[], 2, /OLD is missing/],
      [['-', '-'], 2, /both stdin/],
      [[mixed, stale], 2, /different questions: www\.mixed\.example A and www\.stale\.example A/],
      [[mixed, only4, '--demo'], 2, /leave out NEW, or --demo and --server/],
      [[mixed, '--demo', '--server', 'http://localhost:1'], 2, /--demo does not go with --server/],
      [[join(dir, 'none.json')], 3, /cannot read .*none\.json/],
      [['-'], 3, /^svc: stdin is not JSON/],
      [[mixed, '--server', 'http://localhost:1'], 3, /cannot reach http:\/\/localhost:1/],
    ];
    for (const [args, status, words] of rows) {
      const ran = await inside(['diff', ...args]);
      t.equal(ran.status, status, args.join(' '));
      t.match(ran.stderr, words);
      t.equal(ran.stdout, '');
    }
  });

  t.test('no comparison where nothing is heard, or when interrupted', async (t) => {
    const old = JSON.parse(readFileSync(mixed, 'utf8'));
    const other = join(dir, 'other.json');
    const servedBy = (address: string) => {
      const nameservers = [{ name: 'a.root.', glue: [address] }];
      return { ...old, delegations: [{ id: 'd1', zone: '.', nameservers }] };
    };
    const unheard = async (changed: object, ...flags: string[]) => {
      writeFileSync(other, JSON.stringify(changed));
      const { status, stdout, stderr } = await inside(['diff', other, ...flags]);
      t.same([status, stdout], [3, '']);
      return stderr;
    };
    t.equal(
      await unheard(servedBy('198.41.0.4'), '--demo'),
      'svc: no server replied: OLD is not of the demo, leave out --demo\n',
    );
    const onLoopback = servedBy('127.0.0.1');
    t.equal(
      await unheard({ ...onLoopback, options: { ...old.options, port: 9 } }),
      'svc: no server replied: the root servers of OLD are not on the internet; if it is of the demo, add --demo\n',
    );
    writeFileSync(other, JSON.stringify({ ...old, options: { ...old.options, timeoutMs: 60_000 } }));
    const interrupted = await inside(['diff', other, '--demo'], {
      terminals: ['stderr'],
      onStderr: (_, interrupt) => interrupt(),
    });
    t.same([interrupted.status, interrupted.stdout], [130, '']);
    t.match(interrupted.stderr, /svc: interrupted: there is nothing to compare\n$/);
  });

  t.test('a difference that a limit may have made', async (t) => {
    const { status } = await inside(
      `traverse www.mixed.example --demo --quick -q --max-queries 9 --save ${cut}`.split(' '),
    );
    t.equal(status, 3);
    const ran = await inside(['diff', mixed, cut]);
    t.equal(ran.status, 3);
    t.match(ran.stderr, /^svc: one of the results is incomplete/);
    t.match(ran.stdout, /^www\.mixed\.example\. A {2}changed\n/);
    t.equal((await inside(['diff', cut, cut])).status, 0, 'the same is the same');
  });
});

interface Changed {
  readonly before: string | null;
  readonly after: string | null;
}
