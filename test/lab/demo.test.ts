import t from 'tap';
import type { SummaryRow } from '../../src/document/ends.ts';
import { showcases } from '../../src/lab/demo/showcases.ts';
import { demoWorld } from '../../src/lab/demo/world.ts';
import { readWorld } from '../../src/lab/world.ts';
import { addressFromBytes } from '../../src/wire/address.ts';
import { reverseName } from '../../src/wire/name.ts';
import { demoResult } from './demo-result.ts';

/** Worked out by hand: the ends of each showcase with both families, in the path view and the resolver view. */
const EXPECTED: Readonly<Record<string, [paths: string[], resolver: string[]]>> = {
  'www.shop.example': [['1 198.51.100.80'], ['1 198.51.100.80']],
  'www.blog.test': [['1 2001:db8:2::110'], ['1 2001:db8:2::110']],
  'nowhere.shop.example': [['1 nxdomain'], ['1 nxdomain']],
  'www.lame.example': [['1/2 198.51.100.101', '1/2 lame'], ['1 198.51.100.101']],
  'www.forgotten.example': [['1/2 198.51.100.102', '1/2 error'], ['1 198.51.100.102']],
  'www.dead.example': [['1/2 198.51.100.107', '1/2 timeout'], ['1 198.51.100.107']],
  'www.stale.example': [
    ['1/2 192.0.2.104', '1/2 198.51.100.104'],
    ['1/2 192.0.2.104', '1/2 198.51.100.104'],
  ],
  'spring.sale.example': [
    ['1/2 198.51.100.106', '1/2 nxdomain'],
    ['1/2 198.51.100.106', '1/2 nxdomain'],
  ],
  'www.launch.test': [
    ['1/2 203.0.113.111', '1/2 nxdomain'],
    ['1/2 203.0.113.111', '1/2 nxdomain'],
  ],
  '80.100.51.198.in-addr.arpa': [['1 www.shop.example.'], ['1 www.shop.example.']],
  'www.moved.example': [['1 203.0.113.103'], ['1 203.0.113.103']],
  'www.copied.example': [['1 198.51.100.114'], ['1 198.51.100.114']],
  'www.berlin.offices.example': [['1 198.51.100.115'], ['1 198.51.100.115']],
  'www.hotel.example': [['1 198.51.100.116'], ['1 198.51.100.116']],
  // ns2, half of the time, is lost only if both of its lookups come to ns2: 1/2 of 1/2 of 1/2.
  'www.missing-glue.example': [['1/8 no-glue', '7/8 198.51.100.111'], ['1 198.51.100.111']],
  'www.wrong-glue.example': [['1/2 198.51.100.112', '1/2 error'], ['1 198.51.100.112']],
  'www.left.example': [['1 unresolvable-ns'], ['1 servfail']],
  'www.circle.example': [['1 alias-loop'], ['1 alias-loop']],
  'www.magazine.example': [['1/4 timeout', '3/4 203.0.113.200'], ['1 203.0.113.200']],
  'www.six.example': [['1/4 timeout', '3/4 198.51.100.113'], ['1 198.51.100.113']],
  'www.intranet.example': [['1/2 198.51.100.109', '1/2 timeout'], ['1 198.51.100.109']],
  'www.old.example': [['1 198.51.100.108'], ['1 198.51.100.108']],
  'post.letters.example': [['1/2 "MIIB', '1/2 unreachable'], ['1 "MIIB']],
  // Nothing is wrong with these for those who ask for no proof; for others see validating-demo.test.ts.
  'www.expired.example': [['1 198.51.100.117'], ['1 198.51.100.117']],
  'www.rollover.example': [['1 198.51.100.118'], ['1 198.51.100.118']],
  'www.lost-key.example': [['1 198.51.100.119'], ['1 198.51.100.119']],
  'nowhere.denial.example': [['1 nxdomain'], ['1 nxdomain']],
  'www.unsigned.example': [['1 198.51.100.121'], ['1 198.51.100.121']],
  'www.mixed.example': [
    ['1/8 192.0.2.110', '1/8 timeout', '3/4 198.51.100.110'],
    ['1/4 192.0.2.110', '3/4 198.51.100.110'],
  ],
};

t.test('each showcase shows what its line says', async (t) => {
  t.same(showcases.map(({ name }) => name).sort(), Object.keys(EXPECTED).sort());
  await Promise.all(
    showcases.map(async ({ name, type }) => {
      const { summary, resolver } = await demoResult(name, type);
      t.same([rowsOf(summary), rowsOf(resolver.summary)], EXPECTED[name], name);
    }),
  );
});

t.test('addresses of the demo have names', async (t) => {
  for (const address of ['198.51.100.80', '2001:db8:1::80']) {
    const { summary } = await demoResult(reverseName(address), 'PTR');
    t.same(rowsOf(summary), ['1 www.shop.example.'], address);
  }
});

t.test('every address of a name server exists in the world', async (t) => {
  const servers = readWorld(demoWorld());
  const known = new Set(servers.flatMap(({ addresses }) => addresses));
  const records = servers
    .flatMap(({ zones }) => zones)
    .flatMap((zone) => [...zone.nodes.values()])
    .flatMap((node) => [...node.values()].flat());
  const targets = new Set(records.filter(({ type }) => type === 'NS').map(({ target }) => target));
  for (const { name, type, rdata } of records) {
    if (!targets.has(name) || (type !== 'A' && type !== 'AAAA')) continue;
    const address = addressFromBytes(rdata);
    if (!known.has(address)) t.fail(`no server has ${address}, which is ${name}`);
  }
  t.ok(targets.size > 20);
});

t.test('showcases fit on a line', async (t) => {
  for (const { name, type, option, line } of showcases)
    t.ok([name, type, option].join(' ').length < 38 && line.length < 68, line);
});

/** Sorted, an answer by the beginning of its data. */
function rowsOf(summary: readonly SummaryRow[]): string[] {
  return summary
    .map(({ fraction, kind, answer }) => `${fraction} ${answer?.join().replace(/^("....).*/, '$1') ?? kind}`)
    .sort();
}
