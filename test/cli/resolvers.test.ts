import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { TraversalResult } from '../../src/document/result.ts';
import { startLab } from '../../src/lab/lab.ts';
import type { ServerSpec } from '../../src/lab/world.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { inside } from './inside.ts';

/** Half of the paths say .80, a quarter .81, and a quarter is refused. */
const DELEGATED: readonly ServerSpec[] = [
  {
    name: 'a.root.',
    addresses: ['127.0.0.1'],
    zones: [
      zoneText(
        '.',
        `
         @ NS a.root.
         a.root. A 127.0.0.1
         test. NS ns1.test.
         test. NS ns2.test.
         test. NS ns3.test.
         test. NS ns4.test.
         ns1.test. A 127.0.0.2
         ns2.test. A 127.0.0.3
         ns3.test. A 127.0.0.4
         ns4.test. A 127.0.0.5`,
      ),
    ],
  },
  { name: 'ns1.test.', addresses: ['127.0.0.2', '127.0.0.3'], zones: [saying('www A 192.0.2.80')] },
  { name: 'ns3.test.', addresses: ['127.0.0.4'], zones: [saying('www A 192.0.2.81')] },
  { name: 'ns4.test.', addresses: ['127.0.0.5'], faults: [{ kind: 'rcode', rcode: 'REFUSED' }] },
];

/** Nobody delegates to these: they are asked as resolvers. */
const RESOLVERS: readonly ServerSpec[] = [
  { name: 'r1.', addresses: ['127.0.1.1'], zones: [saying('www 42 A 192.0.2.81')] },
  { name: 'r2.', addresses: ['127.0.1.2'], zones: [saying('www 7 A 192.0.2.99')] },
  { name: 'r3.', addresses: ['127.0.1.3'], faults: [{ kind: 'rcode', rcode: 'SERVFAIL' }] },
  { name: 'r4.', addresses: ['127.0.1.4'], faults: [{ kind: 'rcode', rcode: 'REFUSED' }] },
  { name: 'r5.', addresses: ['127.0.1.5'], faults: [{ kind: 'dead' }] },
  { name: 'r6.', addresses: ['127.0.1.6'], faults: [{ kind: 'lame', zone: '.', ns: ['a.root.'] }] },
  { name: 'r7.', addresses: ['127.0.1.7'], faults: [{ kind: 'recurses' }] },
];

function saying(records: string): string {
  return zoneText(
    'test.',
    `@ NS ns1\n${records}\nold CNAME gone\nnew CNAME www\nnowhere CNAME empty\nempty TXT x`,
  );
}

t.test('what resolvers say, and which ends that is', async (t) => {
  const lab = await startLab({ servers: [...DELEGATED, ...RESOLVERS] });
  t.teardown(() => lab.close());
  const dir = t.testdir({ 'named.root': lab.hints });
  const around = {
    addressesOf: async (name: string) => (name === 'dns.test' ? ['127.0.1.1', '127.0.1.2'] : []),
  };
  const run = (...words: readonly string[]) => {
    const network = ['--root-hints', join(dir, 'named.root'), '--port', `${lab.port}`];
    const hasty = ['--allow-special-targets', '--timeout', '500ms', '--retries', '0', '-4'];
    return inside(['traverse', ...words, ...network, ...hasty], around);
  };
  const at = (address: string) => `@${address}#${lab.port}`;
  const read = (text: string): TraversalResult => JSON.parse(text);
  const resolversIn = (text: string) =>
    (read(text).resolvers ?? []).map(({ server, says, outcomes, ttl }) => ({ server, says, outcomes, ttl }));

  const plain = read((await run('www.test', '--json', '--full')).stdout);
  t.same(
    plain.views['first-tries'].outcomes.map(({ fraction, kind }) => `${fraction} ${kind}`),
    ['1/4 answer', '1/4 answer', '1/4 answer', '1/4 error'],
  );
  t.notOk('resolvers' in plain, 'nobody was named');

  await t.test('each kind of reply', async (t) => {
    const rows: readonly (readonly [
      address: string,
      says: object,
      outcomes: number[],
      ttl: number | null,
    ])[] = [
      ['127.0.0.2', { kind: 'answer', answer: ['192.0.2.80'] }, [0, 1], 300],
      ['127.0.1.1', { kind: 'answer', answer: ['192.0.2.81'] }, [2], 42],
      ['127.0.1.2', { kind: 'answer', answer: ['192.0.2.99'] }, [], 7],
      ['127.0.1.3', { kind: 'error', rcode: 'SERVFAIL' }, [3], null],
      ['127.0.1.4', { kind: 'error', rcode: 'REFUSED' }, [], null],
      ['127.0.1.5', { kind: 'timeout' }, [], null],
      ['127.0.1.6', { kind: 'no-resolver' }, [], null],
      // It replies in this way to RD alone.
      ['127.0.1.7', { kind: 'nodata' }, [], 300],
    ];
    const { status, stdout } = await run(
      'www.test',
      '--json',
      '--full',
      ...rows.map(([address]) => at(address)),
    );
    t.equal(status, 1);
    t.same(
      resolversIn(stdout),
      rows.map(([address, says, outcomes, ttl]) => ({
        server: { address, port: lab.port },
        says,
        outcomes,
        ttl,
      })),
    );
    t.same(
      read(stdout).views['first-tries'].outcomes,
      plain.views['first-tries'].outcomes,
      'no probability changes',
    );
    t.same(read(stdout).figures.exchanges, plain.figures.exchanges, 'and no count');
  });

  await t.test('denials, behind aliases too', async (t) => {
    const rows: readonly (readonly [name: string, kind: string, outcomes: number[]])[] = [
      ['gone.test', 'nxdomain', [0, 1, 2]],
      ['old.test', 'nxdomain', [0, 1, 2]],
      ['empty.test', 'nodata', [0, 1, 2]],
      ['nowhere.test', 'nodata', [0, 1, 2]],
      ['new.test', 'answer', []],
    ];
    for (const [name, kind, outcomes] of rows) {
      const [row] = resolversIn((await run(name, '--json', '--full', at('127.0.1.2'))).stdout);
      t.equal(row?.says.kind, kind, name);
      t.equal(row?.outcomes.length, outcomes.length, `${name}: ${row?.outcomes}`);
    }
  });

  await t.test('in text', async (t) => {
    const { stdout } = await run(at('127.0.1.1'), 'www.test', at('127.0.1.2'), at('127.0.1.3'), '--explain');
    const [, block = ''] = stdout.split('Resolvers say\n');
    t.same(
      block
        .split('\n')
        .slice(0, 3)
        .map((line) => line.replaceAll(`#${lab.port}`, '').replace(/ {2,}/g, '  ')),
      [
        '  127.0.1.1  192.0.2.81  as 25 % of first tries do, at ns3.test; TTL left 42s',
        '  127.0.1.2  192.0.2.99  as no first try does; TTL left 7s',
        '  127.0.1.3  SERVFAIL  25 % of first tries fail, at ns4.test',
      ],
    );
    const [, advice = ''] = stdout.split(`The resolver 127.0.1.2#${lab.port}\n`);
    t.match(
      advice,
      /^ {2}No first try ends in what it says: .*Ask it again in 7s,\s+when its TTL has run out\./s,
    );
    const partly = await run('www.test', at('127.0.1.2'), '--max-queries', '3');
    t.match(partly.stdout, / {2}192\.0\.2\.99 +as no known first try does; TTL left 7s\n/);
    const short = await run('www.test', '--short', at('127.0.1.1'));
    t.match(
      short.stdout,
      new RegExp(`^[^@]*192.0.2.80\n[^@]*@127\\.0\\.1\\.1#${lab.port} {2}192\\.0\\.2\\.81\n$`),
    );
  });

  await t.test('by name: all its addresses, each once', async (t) => {
    const named = `@dns.test#${lab.port}`;
    const { stdout } = await run('www.test', '--json', '--full', named, at('127.0.1.1'), named);
    t.same(
      resolversIn(stdout).map(({ server }) => `${server.address} ${server.name ?? ''}`),
      ['127.0.1.1 dns.test.', '127.0.1.2 dns.test.'],
    );
  });

  await t.test('saved, and shown again by a replay', async (t) => {
    const file = join(dir, 'saved.json');
    const { stdout } = await run(
      'www.test',
      '--json',
      '--full',
      '--save',
      file,
      at('127.0.1.1'),
      at('127.0.1.5'),
    );
    t.equal(readFileSync(file, 'utf8'), stdout);
    t.equal(
      (await inside(['traverse', '--replay', file, '--json', '--full'])).stdout,
      stdout,
      'to the last digit',
    );
    const spoilt = { ...read(stdout), resolvers: [{ server: { address: 'x', port: 0 }, reply: {} }] };
    writeFileSync(file, JSON.stringify(spoilt));
    const refused = await inside(['traverse', '--replay', file]);
    t.match(refused, {
      status: 3,
      stderr: /\/resolvers\/0\/server\/address: must be an IPv4 or IPv6 address/,
    });
  });
});

t.test('a resolver without an address', async (t) => {
  const lost = Object.assign(new Error('no such name'), { errno: -3008 });
  const addressesOf = async () => Promise.reject(lost);
  const ran = await inside(['traverse', 'www.shop.example', '@nowhere.test'], { addressesOf, families: [4] });
  t.same(ran, {
    status: 3,
    stdout: '',
    stderr: 'svc: @nowhere.test: this host finds no address for it: unknown node or service\n',
  });
});
