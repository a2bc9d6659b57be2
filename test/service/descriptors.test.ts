import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { allot, jobsWithin } from '../../src/cli/process/descriptors.ts';
import { summaryOf } from '../../src/document/ends.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { startLab } from '../../src/lab/lab.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { ask, start } from './http-client.ts';

const SVC = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));

t.test('what is left of the descriptors is shared out', async (t) => {
  const WANTED = { connections: 1_000, queries: 512, threads: 2 };
  // 20 are open, 16 are kept free, and each thread takes 6, that which renders too.
  for (const [limit, expected] of [
    [100_000, { kind: 'allotted', use: WANTED }],
    [1_566, { kind: 'allotted', use: WANTED }],
    [1_565, { kind: 'allotted', use: { connections: 1_000, queries: 511, threads: 2 } }],
    [1_024, { kind: 'allotted', use: { connections: 647, queries: 323, threads: 2 } }],
    [256, { kind: 'allotted', use: { connections: 135, queries: 67, threads: 2 } }],
    [64, { kind: 'allotted', use: { connections: 11, queries: 5, threads: 1 } }],
    [56, { kind: 'allotted', use: { connections: 4, queries: 4, threads: 1 } }],
    [55, { kind: 'too-few', needed: 56 }],
    [10, { kind: 'too-few', needed: 56 }],
  ] as const) {
    t.same(allot({ limit, open: 20 }, WANTED), expected, `${limit}`);
  }
  const few = { ...WANTED, connections: 2 };
  const use = { connections: 2, queries: 5, threads: 1 };
  t.same(allot({ limit: 55, open: 20 }, few), { kind: 'allotted', use });
  const many = allot({ limit: 256, open: 20 }, { ...WANTED, threads: 128 });
  t.match(many, { use: { threads: 8 } }, 'on a large machine, too');
});

t.test('with fewer queries at once there are fewer jobs', async (t) => {
  const WANTED = { maxJobs: 8, maxJobsPerClient: 4, perTraversalInFlight: 64 };
  for (const [queries, maxJobs, maxJobsPerClient, perTraversalInFlight] of [
    [639, 8, 4, 64],
    [100, 8, 4, 13],
    [40, 5, 3, 8],
    [7, 1, 1, 7],
  ] as const) {
    t.same(jobsWithin(queries, WANTED), { maxJobs, maxJobsPerClient, perTraversalInFlight }, `${queries}`);
  }
});

/** `svc` with this limit on open files. */
function svcWith(limit: number, words: readonly string[]) {
  const script = `ulimit -n ${limit} && exec "$0" "$@"`;
  return spawn('sh', ['-c', script, process.execPath, SVC, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** `svc serve`, and its standard error by lines; killed when the test ends. */
function serveWith(t: Test, limit: number, flags: readonly string[] = []) {
  const child = svcWith(limit, ['serve', '--listen', '127.0.0.1:0', ...flags]);
  const exit = once(child, 'close').then(([code]) => code);
  t.teardown(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const lines: string[] = [];
  const heard = createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
  return { lines, heard, exit };
}

t.test('with too few descriptors it says so in one line', async (t) => {
  for (const limit of [40, 48]) {
    const { lines, exit } = serveWith(t, limit);
    t.equal(await exit, 3);
    t.equal(lines.length, 1);
    t.match(lines[0], /^svc: .*open files.*: raise the limit \(ulimit -n\)$/);
  }
});

t.test('with too few for the servers of the demo it says what to do', async (t) => {
  const child = svcWith(64, ['serve', '--listen', '127.0.0.1:0', '--demo']);
  const exit = once(child, 'close');
  t.equal(
    await text(child.stderr),
    'svc: cannot start the servers of the demo: too many open files: raise the limit on open files (ulimit -n 256)\n',
  );
  t.same(await exit, [3, null]);
});

t.test('for one name of the demo they are enough, because only its servers are started', async (t) => {
  const child = svcWith(64, ['traverse', 'www.shop.example', '--demo', '--short']);
  const exit = once(child, 'close');
  t.match(await text(child.stdout), /198\.51\.100\.80/);
  t.same(await exit, [0, null]);
});

/** A zone that has more name servers than 64 descriptors would allow at once; every other one is silent. */
async function startWideWorld(t: Test): Promise<readonly string[]> {
  const numbers = Array.from({ length: 60 }, (_, at) => at + 1);
  const zone = numbers
    .map((number) => `example. NS n${number}.example.\nn${number}.example. A 127.0.14.${number}`)
    .join('\n');
  const root = '. NS a.root.\na.root. A 127.0.14.100';
  const lab = await startLab({
    servers: [
      { name: 'a.root.', addresses: ['127.0.14.100'], zones: [zoneText('.', `${root}\n${zone}`)] },
      ...numbers.map((number) => ({
        name: `n${number}.example.`,
        addresses: [`127.0.14.${number}`],
        zones: [zoneText('example.', `${zone}\nwww A 203.0.113.80`)],
        faults: number % 2 === 0 ? [{ kind: 'dead' } as const] : [],
      })),
    ],
  });
  t.teardown(lab.close);
  const hints = join(t.testdir({ hints: lab.hints }), 'hints');
  const limits = ['--quick', '--rate', '0', '--timeout', '1500ms', '--retries', '0'];
  return ['--root-hints', hints, '--port', `${lab.port}`, '--allow-special-targets', '-4', ...limits];
}

/** What any traversal of that world has to say, whatever it lacks. */
const HALF_AND_HALF = [
  ['answer', '1/2'],
  ['timeout', '1/2'],
];

function shares({ views }: Pick<TraversalResult, 'views'>) {
  return summaryOf(views['first-tries']).map(({ kind, fraction }) => [kind, fraction]);
}

t.test('with 64 a command does its work', async (t) => {
  const flags = await startWideWorld(t);
  const child = svcWith(64, ['traverse', 'www.example', '--json', '--full', ...flags]);
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  t.same(shares(JSON.parse(await stdout)), HALF_AND_HALF);
  t.equal(await stderr, '');
});

t.test('with 64 the service does a job, also in a full house', async (t) => {
  const flags = await startWideWorld(t);
  const { lines, heard } = serveWith(t, 64, ['--trust-proxy', 'none', ...flags]);
  while (lines.length < 2) await once(heard, 'line');
  const [warning, listening] = lines.map((line) => JSON.parse(line));
  t.match(warning, { level: 'warning', message: /^only 64 files.*raise the limit/, jobs: 1, threads: 1 });
  const place = { host: '127.0.0.1', port: Number(new URL(listening.url).port) };
  const crowd = Array.from({ length: 100 }, () => connect(place.port, place.host).on('error', () => {}));
  t.teardown(() => {
    for (const socket of crowd) socket.destroy();
  });
  const { links } = JSON.parse((await start(place, { name: 'www.example' })).text);
  await ask(place, 'GET', links.events);
  const job = JSON.parse((await ask(place, 'GET', `${links.self}?full`)).text);
  t.match(job, { status: 'complete', result: Object }, JSON.stringify({ ...job, result: undefined }));
  t.same(shares(job.result), HALF_AND_HALF);
  const drawn = await ask(place, 'GET', `${links.self}?format=svg`);
  t.match(drawn, { status: 200, text: '<svg ' }, 'and draws it');
  const levels = new Set(lines.slice(2).map((line) => JSON.parse(line).level));
  t.strictSame(levels, new Set(['info']), 'and has nothing more to complain of');
});

t.test('with few it works in bounds, also in a full house', async (t) => {
  const { lines, heard } = serveWith(t, 256, ['--trust-proxy', 'none']);
  while (lines.length < 2) await once(heard, 'line');
  const [warning, listening] = lines.map((line) => JSON.parse(line));
  t.match(warning, { level: 'warning', message: /raise the limit/, connections: Number, queries: Number });
  const port = Number(new URL(listening.url).port);
  const crowd = Array.from({ length: 300 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  t.teardown(() => {
    for (const socket of crowd) socket.destroy();
  });
  await Promise.all(crowd.map((socket) => once(socket, 'connect').catch(() => {})));
  for (let count = 0; count < 5; count += 1) {
    t.equal((await ask({ host: '127.0.0.1', port }, 'GET', '/api/health')).status, 200);
  }
  const { text } = await ask({ host: '127.0.0.1', port }, 'GET', '/metrics');
  const open = Number(/^traversal_connections (\d+)$/m.exec(text)?.[1]);
  t.ok(open <= warning.connections, `${open} connections`);
});
