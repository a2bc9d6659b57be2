import t from 'tap';
import { addressFromBytes } from '../../src/dns/address.ts';
import { reverseName } from '../../src/dns/name.ts';
import { type OutcomeRow, summaryOf } from '../../src/document/ends.ts';
import { demoWorld } from '../../src/lab/demo-world.ts';
import { showcases } from '../../src/lab/showcases.ts';
import { readWorld } from '../../src/lab/world.ts';
import { ALL_VIEWS, demoResult } from './demo-result.ts';

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
  'www.paris.offices.example': [['1 198.51.100.116'], ['1 198.51.100.116']],
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
  'www.firewall.example': [['1 198.51.100.125'], ['1 198.51.100.125']],
  'www.rollover.example': [['1 198.51.100.118'], ['1 198.51.100.118']],
  'www.new-key.example': [['1 198.51.100.126'], ['1 198.51.100.126']],
  'www.lost-key.example': [['1 198.51.100.119'], ['1 198.51.100.119']],
  'nowhere.denial.example': [['1 nxdomain'], ['1 nxdomain']],
  'www.unsigned.example': [['1 198.51.100.121'], ['1 198.51.100.121']],
  // By turns from the first address, and at the second server from the sixth: two replies of each.
  'www.pool.example': both(`1 ${inTurn(0, 16)}`),
  'www.sealed.example': both(`1 ${inTurn(0, 16)}`),
  'www.cached.example': both(`1 ${inTurn(0, 3)}`),
  'www.weighted.example': both('1 198.51.100.80,203.0.113.110'),
  'www.regional.example': both('1/2 198.51.100.220', '1/2 198.51.100.221'),
  'www.machine.example': both('1/4 192.0.2.124', '3/4 198.51.100.124'),
  'www.stray.example': both('1/3 192.0.2.123', `2/3 ${inTurn(0, 16)}`),
  'www.behind.example': both('1/3 192.0.2.140,192.0.2.141', `2/3 ${inTurn(0, 16)}`),
  'www.mixed.example': [
    ['1/8 192.0.2.110', '1/8 timeout', '3/4 198.51.100.110'],
    ['1/4 192.0.2.110', '3/4 198.51.100.110'],
  ],
};

/** Names whose answers have to be asked for again, which --quick does not. */
const ROTATING = /pool|sealed|cached|weighted|regional|machine|stray|behind/;

/** The same in the path view and in the resolver view. */
function both(...rows: string[]): [paths: string[], resolver: string[]] {
  return [rows, rows];
}

/** Addresses of the pool that Harbour's servers rotate over. */
function inTurn(from: number, size: number): string {
  return Array.from({ length: size }, (_, i) => `198.51.100.${200 + from + i}`).join();
}

t.test('each showcase shows what its line says', async (t) => {
  t.same(showcases.map(({ name }) => name).sort(), Object.keys(EXPECTED).sort());
  await Promise.all(
    showcases.map(async ({ name, type }) => {
      const { views } = await demoResult(name, type, ROTATING.test(name) ? ALL_VIEWS : {});
      t.same([rowsOf(views['first-tries']), rowsOf(views.resolver)], EXPECTED[name], name);
    }),
  );
});

t.test('addresses of the demo have names', async (t) => {
  for (const address of ['198.51.100.80', '2001:db8:1::80']) {
    const { views } = await demoResult(reverseName(address), 'PTR');
    t.same(rowsOf(views['first-tries']), ['1 www.shop.example.'], address);
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
function rowsOf(view: { readonly outcomes: readonly OutcomeRow[] }): string[] {
  return summaryOf(view)
    .map(({ fraction, kind, answer }) => `${fraction} ${answer?.join().replace(/^("....).*/, '$1') ?? kind}`)
    .sort();
}

type Row = readonly [question: string, validating: string[]];

/**
 * Worked out by hand: what the demo's users get behind resolvers that try another server where something does not
 * verify.
 */
const EXPECTED_VALIDATING_DEMO: readonly Row[] = [
  ['www.shop.example', ['1 secure 198.51.100.80']],
  ['www.blog.test AAAA', ['1 secure 2001:db8:2::110']],
  ['nowhere.shop.example', ['1 secure nxdomain']],
  ['80.100.51.198.in-addr.arpa PTR', ['1 secure www.shop.example.']],
  ['pic.img.shop.example', ['1 secure 198.51.100.80']],
  ['www.lame.example', ['1 secure 198.51.100.101']],
  ['www.forgotten.example', ['1 secure 198.51.100.102']],
  ['www.dead.example', ['1 secure 198.51.100.107']],
  ['www.missing-glue.example', ['1 secure 198.51.100.111']],
  ['www.wrong-glue.example', ['1 secure 198.51.100.112']],
  ['www.six.example', ['1 secure 198.51.100.113']],
  ['www.intranet.example', ['1 secure 198.51.100.109']],
  ['post.letters.example TXT', ['1 secure "MIIB']],
  // What is stale was signed, too.
  ['www.stale.example', ['0.5 secure 192.0.2.104', '0.5 secure 198.51.100.104']],
  ['spring.sale.example', ['0.5 secure 198.51.100.106', '0.5 secure nxdomain']],
  ['www.launch.test', ['0.5 secure 203.0.113.111', '0.5 secure nxdomain']],
  ['www.mixed.example', ['0.25 secure 192.0.2.110', '0.75 secure 198.51.100.110']],
  ['www.moved.example', ['1 secure 203.0.113.103']],
  ['www.copied.example', ['1 secure 198.51.100.114']],
  ['www.berlin.offices.example', ['1 secure 198.51.100.115']],
  ['www.circle.example', ['1 secure alias-loop']],
  ['www.magazine.example', ['1 secure 203.0.113.200']],
  ['www.left.example', ['1 servfail unresolvable-ns']],
  ['www.old.example', ['1 insecure 198.51.100.108']],
  ['www.unsigned.example', ['1 insecure 198.51.100.121']],
  // An interceptor cannot sign: it speaks for a zone below one that the root says is signed.
  ['www.hotel.example', ['1 servfail no-signature']],
  // The signatures of one server have expired.
  ['www.expired.example', ['1 secure 198.51.100.117']],
  // The keys of the other server serve for both.
  ['www.firewall.example', ['1 secure 198.51.100.125']],
  // Keys of one server do not verify what the other one signed.
  ['www.rollover.example', ['1 secure 198.51.100.118']],
  ['www.new-key.example', ['1 secure 198.51.100.126']],
  ['www.lost-key.example', ['1 servfail no-matching-ds']],
  ['nowhere.denial.example', ['1 servfail no-proof']],
  ['www.denial.example', ['1 secure 198.51.100.120']],
];

t.test('what users of the demo get behind validating resolvers', async (t) => {
  await Promise.all(
    EXPECTED_VALIDATING_DEMO.map(async ([question, validating]) => {
      const [name = '', type = 'A'] = question.split(' ');
      const {
        views: { validating: view },
      } = await demoResult(name, type, ALL_VIEWS);
      t.same(rowsOfValidatingDemo(view?.outcomes ?? []), validating, question);
    }),
  );
});

/** Sorted, those that read alike added up. */
function rowsOfValidatingDemo(outcomes: readonly OutcomeRow[]): string[] {
  const sums = new Map<string, number>();
  for (const outcome of outcomes) {
    const text = textOf(outcome);
    sums.set(text, (sums.get(text) ?? 0) + outcome.probability);
  }
  return [...sums].map(([text, sum]) => `${Number(sum.toFixed(6))} ${text}`).sort();
}

function textOf(end: OutcomeRow): string {
  switch (end.kind) {
    case 'answer':
      return `${end.security} ${end.records.map(({ data }) => data.replace(/^("....).*/, '$1')).join()}`;
    case 'nxdomain':
    case 'nodata':
    case 'alias-loop':
      return `${end.security} ${end.kind}`;
    case 'servfail':
      return `servfail ${end.cause?.kind === 'bogus' ? end.cause.reason : end.cause?.kind}`;
    default:
      return end.kind;
  }
}
