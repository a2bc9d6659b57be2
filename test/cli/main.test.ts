import { join } from 'node:path';
import t from 'tap';
import type { TraversalResult } from '../../src/document/result.ts';
import { inside } from './inside.ts';
import { ended, start } from './svc.ts';

t.test('options reach the traversal', async (t) => {
  const flags = `-4 --timeout 1.5s --retries 0 --rate 50 --payload-size 512 --tcp --no-edns --no-0x20
    --max-depth 20 --max-queries 99 --max-time 1m30s --max-work 9999`;
  const { status, stdout } = await inside([
    'traverse',
    'www.shop.example',
    'aaaa',
    '--demo',
    '--json',
    ...flags.split(/\s+/),
  ]);
  t.equal(status, 0);
  const { options, query, exchanges }: TraversalResult = JSON.parse(stdout);
  t.same(query, { name: 'www.shop.example.', type: 'AAAA', class: 'IN' });
  t.same(options, {
    families: [4],
    maxDepth: 20,
    maxQueries: 99,
    maxTimeMs: 90_000,
    maxWork: 9_999,
    timeoutMs: 1_500,
    retries: 0,
    rate: 50,
    port: 53,
    payloadSize: 512,
    edns: 'off',
    nameCase: 'lower',
    transport: 'tcp',
    specialTargets: 'allowed',
    quick: false,
    warm: true,
    check: false,
  });
  t.ok(exchanges.every(({ transport, edns }) => transport === 'tcp' && edns === undefined));
  t.ok(exchanges.every(({ server }) => !server.address.includes(':')));
});

t.test('names as people write them', async (t) => {
  const rows: readonly (readonly [command: string, name: string, type: string])[] = [
    ['WWW.Shop.Example', 'www.shop.example.', 'A'],
    ['bücher.example', 'xn--bcher-kva.example.', 'A'],
    ['例え。example MX', 'xn--r8jz45g.example.', 'MX'],
    ['shop.example TYPE257', 'shop.example.', 'CAA'],
    ['a\\.b\\032\\255.example', 'a\\.b\\032\\255.example.', 'A'],
    ['. ns', '.', 'NS'],
    ['-x 198.51.100.80', '80.100.51.198.in-addr.arpa.', 'PTR'],
    ['MX shop.example', 'shop.example.', 'MX'],
    ['mx shop.example', 'shop.example.', 'MX'],
    ['MX localhost', 'localhost.', 'MX'],
    ['shop.example IN MX', 'shop.example.', 'MX'],
    ['shop.example mx in', 'shop.example.', 'MX'],
    ['IN shop.example', 'shop.example.', 'A'],
    ['in NS', 'in.', 'NS'],
    ['shop.example IN', 'shop.example.', 'A'],
    ['shop.example ANY', 'shop.example.', 'ANY'],
    ['-t MX shop.example', 'shop.example.', 'MX'],
    ['--type=MX shop.example', 'shop.example.', 'MX'],
    ['-x 2001:DB8::80', `0.8.${'0.'.repeat(22)}8.b.d.0.1.0.0.2.ip6.arpa.`, 'PTR'],
  ];
  for (const [command, name, type] of rows) {
    const { stdout } = await inside(['traverse', ...command.split(' '), '--demo', '-4', '--json']);
    const { query }: TraversalResult = JSON.parse(stdout);
    t.same(query, { name, type, class: 'IN' }, command);
  }
});

t.test('a bug is told as one, and is no trouble in the DNS', async (t) => {
  const ran = await inside(['traverse', 'www.shop.example'], {
    families: () => Promise.reject(new TypeError('out of order')),
  });
  t.equal(ran.status, 3);
  t.match(ran.stderr, /^svc: this is a bug in svc, please report it:\nTypeError: out of order\n {4}at /);
});

t.test('what still waits when all is done does not keep the process', async (t) => {
  const dir = t.testdir({ 'waits.cjs': 'setInterval(() => {}, 3_600_000);' });
  const env = { NODE_OPTIONS: `--require=${join(dir, 'waits.cjs')}` };
  t.match(await ended(start(['--version'], env)), { status: 0, stdout: /^\d+\.\d+\.\d+\n$/ });
  t.match(await ended(start(['--bogus'], env)), { status: 2, stderr: /^svc: unknown option/ });
});

t.test('no network', async (t) => {
  const { status, stderr } = await inside(['traverse', 'www.example.com'], { families: [] });
  t.equal(status, 3);
  t.equal(stderr, 'svc: no network: this host has no route to the internet (try --demo, which needs none)\n');
  const demo = await inside(['traverse', 'www.shop.example', '--demo', '--json'], { families: [] });
  t.equal(demo.status, 0, 'the demo needs none');
});
