import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { ROOT } from '../sources.ts';
import { startDemoService } from './demo-service.ts';
import { inside } from './inside.ts';
import { ended, forEach, start, svc } from './svc.ts';

const demo = (...words: readonly string[]) => inside(['traverse', '--demo', ...words]);

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
  for (const [command, status] of rows) t.equal((await demo(...command.split(' '))).status, status, command);
});

t.test('the graph as an image', async (t) => {
  const { status, stdout, stderr } = await demo('www.mixed.example', '--format', 'svg');
  t.equal(status, 1);
  t.match(stdout, /^<\?xml .*<svg .*>www\.mixed\.example\. A: 2 different answers, .*<\/svg>\n$/s);
  t.equal(stderr, '');
});

t.test('what to install, before anything is asked, where nothing can draw', async (t) => {
  // A copy of the program without packages beside it.
  const folder = mkdtempSync(join(tmpdir(), 'svc-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const needed = (path: string) => !/\/dist\/(?:page|kept)/.test(path);
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter: needed });
  const words = ['traverse', 'www.mixed.example', '--demo', '--format'];
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
    ['traverse www.shop.example --demo --format nagios', 0, /^DNS OK - [^\n]+ \| [^\n]+\n$/],
    ['traverse www.dead.example --demo --format nagios', 1, /^DNS WARNING - [^\n]+ \| [^\n]+\n$/],
    ['traverse www.stale.example --demo --format=nagios', 2, /^DNS CRITICAL - [^\n]+ \| [^\n]+\n$/],
    [
      'traverse www.shop.example --demo --format nagios --max-queries 4',
      3,
      /^DNS UNKNOWN - [^|]+; the query limit left questions unasked: [^|\n]+\n$/,
    ],
    ['traverse --demo -f x --format nagios', 3, /^DNS UNKNOWN - --format nagios is for one name: [^\n]+\n$/],
    ['traverse a..b --format nagios', 3, /^DNS UNKNOWN - "a\.\.b" is not a domain name[^\n]*\n$/],
    ['traverse --format nagios --nonsense', 3, /^DNS UNKNOWN - unknown option '--nonsense' [^\n]+\n$/],
    ['traverse a --server http://localhost:1 --format nagios', 3, /^DNS UNKNOWN - [^\n]+\n$/],
  ];
  await forEach(rows, async ([command, status, said]) => {
    const ran = await svc(...command.split(' '));
    t.equal(ran.status, status, command);
    t.match(ran.stdout, said);
  });
});

t.test('a check that is interrupted', async (t) => {
  const command = ['traverse', 'www.dead.example', '--demo', '--timeout', '60s', '--format', 'nagios'];
  const ran = await inside(command, {
    terminals: ['stderr'],
    onStderr: (written, interrupt) => {
      if (/replies, 2 awaited/.test(written)) interrupt();
    },
  });
  t.equal(ran.status, 3);
  t.match(ran.stdout, /^DNS UNKNOWN - [^|]*interrupted: 50 % of paths are unknown\n$/);
});

t.test('what is only imagined is told as that', async (t) => {
  const command = ['www.dead.example', '--down', 'ns1.harbour.example'];
  const ticket = (await demo(...command, '--format', 'md')).stdout;
  t.match(ticket, '**If ns1.harbour.example is down: every path fails**');
  t.match(ticket, '|  | paths now | resolvers now | paths | resolvers |');
  const metrics = (await demo(...command, '--format', 'prometheus')).stdout;
  t.match(metrics, 'exit_status{name="www.dead.example.",type="A",what_if="ns1.harbour.example is down"} 1');
  const check = await demo(...command, '--format', 'nagios');
  t.match(
    check.stdout,
    /^DNS CRITICAL - www\.dead\.example A: if ns1\.harbour\.example is down, every path fails/,
  );
});

t.test('a replay and a service give the same', async (t) => {
  const service = await startDemoService();
  t.teardown(service.stop);
  const file = join(t.testdir(), 'saved.json');
  await svc('traverse', 'www.mixed.example', '--demo', '--save', file);
  for (const [format, status, said] of [
    ['md', 1, /^# `www\.mixed\.example\. A`\n[\s\S]*\n## What to do\n/],
    ['nagios', 2, /^DNS CRITICAL - www\.mixed\.example A: 2 different answers, /],
    ['prometheus', 1, /\{name="www\.mixed\.example\.",type="A",server="ns\.mixed\.example\."\} 0\.25\n/],
  ] as const) {
    const places = [
      ['--replay', file],
      ['www.mixed.example', '--server', service.url],
    ];
    for (const place of places) {
      const ran = await svc('traverse', ...place, '--format', format);
      t.same([ran.status, ran.stderr], [status, ''], `${format} ${place[0]}`);
      t.match(ran.stdout, said);
    }
  }
  const lasting = await ended(start(['traverse', '--replay', file, '--fail-on', 'critical']));
  t.equal(lasting.status, 0);
});

t.test('a referral that is planned has nothing of the reply in its place', async (t) => {
  const { stdout } = await demo('www.new.example', '-v', '--delegate', 'new.example=ns1.harbour.example');
  t.match(stdout, /referral to new\.example\. +planned, on 25 % of paths, x7$/m);
  t.match(stdout, /referral to example\. +qr, 168 B, on 16\.67 % of paths, x1$/m);
  t.notMatch(stdout, 'NS_AA_ON_REFERRAL');
});

t.test('what is imagined is said once, above columns that stand under their heads', async (t) => {
  const [one, two] = ['ns1.harbour.example', 'ns2.harbour.example'];
  const { stdout } = await demo('www.mixed.example', '--down', one, '--down', two, '--down', `${one}.`);
  const [title = '', heads = '', ...rows] = stdout.split('\n').slice(2);
  t.equal(title, `If ${one} and ${two} are down`);
  const ends = (line: string) =>
    [...line.matchAll(/(?:now|then|%)(?= {2}|$)/g)].map((at) => at.index + at[0].length);
  t.equal(ends(heads).length, 4);
  t.same(ends(rows[0] ?? ''), ends(heads));
});
