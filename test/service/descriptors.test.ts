import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { allot } from '../../src/service/descriptors.ts';
import { ask } from './http-client.ts';

const SVC = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));

t.test('what is left of the descriptors is shared out', async (t) => {
  const WANTED = { connections: 1_000, queries: 512, threads: 2 };
  // 20 are open, 64 are kept free, and each thread takes 16.
  for (const [limit, expected] of [
    [100_000, { kind: 'allotted', use: WANTED }],
    [1_628, { kind: 'allotted', use: WANTED }],
    [1_627, { kind: 'allotted', use: { connections: 1_000, queries: 511, threads: 2 } }],
    [1_024, { kind: 'allotted', use: { connections: 606, queries: 302, threads: 2 } }],
    [256, { kind: 'allotted', use: { connections: 94, queries: 46, threads: 2 } }],
    [132, { kind: 'allotted', use: { connections: 16, queries: 16, threads: 1 } }],
    [131, { kind: 'too-few', needed: 132 }],
    [64, { kind: 'too-few', needed: 132 }],
  ] as const) {
    t.same(allot({ limit, open: 20 }, WANTED), expected, `${limit}`);
  }
  const few = { ...WANTED, connections: 5 };
  const use = { connections: 5, queries: 26, threads: 1 };
  t.same(allot({ limit: 131, open: 20 }, few), { kind: 'allotted', use });
  const many = allot({ limit: 256, open: 20 }, { ...WANTED, threads: 128 });
  t.match(many, { use: { threads: 2 } }, 'on a large machine, too');
});

/** `svc serve` with this limit on open files, and its standard error by lines; killed when the test ends. */
function serveWith(t: Test, limit: number, flags: readonly string[] = []) {
  const script = `ulimit -n ${limit} && exec "$0" "$@"`;
  const words = [process.execPath, SVC, 'serve', '--listen', '127.0.0.1:0', ...flags];
  const child = spawn('sh', ['-c', script, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
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
  for (const limit of [64, 100]) {
    const { lines, exit } = serveWith(t, limit);
    t.equal(await exit, 3);
    t.equal(lines.length, 1);
    t.match(lines[0], /^svc: .*open files.*: raise the limit \(ulimit -n\)$/);
  }
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
