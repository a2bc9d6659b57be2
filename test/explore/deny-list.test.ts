import t from 'tap';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import type { Query } from '../../src/exchanged.ts';
import { DenyListError, parseDenyList } from '../../src/explore/deny-list.ts';
import { Explorer } from '../../src/explore/explore.ts';
import { NOBODY, policyOf } from '../../src/explore/policy.ts';
import { parseName } from '../../src/wire/name.ts';
import { exchangeIn, scopeOf, spelledOutcomes, type TableWorld } from '../evaluate/table-world.ts';

const LIST = `
# Networks
192.0.2.128/25   # half of it
2001:DB8:0:1::/64
203.0.113.7
  Example.COM
www.example.net. # one host
bücher.example
`;

t.test('a deny list has one prefix or name a line', async (t) => {
  t.same(parseDenyList(LIST), {
    prefixes: ['192.0.2.128/25', '2001:db8:0:1::/64', '203.0.113.7/32'],
    names: ['example.com.', 'www.example.net.', 'xn--bcher-kva.example.'],
  });
  t.same(parseDenyList('\r\n# nothing\r\n'), NOBODY);
  t.same(parseDenyList('192.0.2.77/24').prefixes, ['192.0.2.0/24'], 'bits beyond the prefix do not count');
});

t.test('what is no entry is refused, with its line', async (t) => {
  for (const entry of [
    '192.0.2.0/33',
    '192.0.2',
    '10/8',
    '2001:db8::/129',
    '2001:db8',
    'example..com',
    'two words',
    '.',
    'a/b',
    '0',
  ]) {
    t.throws(() => parseDenyList(`example.com\n${entry}\n`), DenyListError, entry);
    t.throws(() => parseDenyList(`example.com\n${entry}\n`), /^line 2: /, entry);
  }
});

t.test('a policy denies what is in a prefix, and names at or below a name', async (t) => {
  const policy = policyOf(parseDenyList(LIST));
  const ADDRESSES = [
    ['192.0.2.127', false],
    ['192.0.2.128', true],
    ['192.0.2.255', true],
    ['203.0.113.7', true],
    ['203.0.113.8', false],
    ['2001:db8:0:1::53', true],
    ['2001:db8:0:2::53', false],
    ['64:ff9b::192.0.2.200', true],
    ['64:ff9b::c000:2c8', true],
    ['2002:c000:2c8::1', true],
    ['2002:c000:201::1', false],
  ] as const;
  for (const [address, denied] of ADDRESSES) t.equal(policy.deniesAddress(address), denied, address);
  const NAMES = [
    ['example.com', true],
    ['a.b.example.com', true],
    ['anexample.com', false],
    ['com', false],
    ['.', false],
    ['www.example.net', true],
    ['example.net', false],
    ['a\\.example.com', false],
  ] as const;
  for (const [name, denied] of NAMES) t.equal(policy.deniesName(parseName(name)), denied, name);
  t.notOk(policyOf(NOBODY).deniesAddress('192.0.2.1') || policyOf(NOBODY).deniesName(parseName('a')));
});

/** A zone with a server in a denied network, one with a denied name, and one that is neither. */
const WORLD: TableWorld = {
  roots: 'r.=198.51.100.1',
  says: {
    '198.51.100.1 www.a. A': 'referral a. ns1.a.=192.0.2.200 ns.victim.b.=198.51.100.2 ns3.a.=198.51.100.3',
    '198.51.100.3 *': 'alias www.b.',
    '198.51.100.1 www.b. A': 'referral b. ns.b.=198.51.100.4 ns.victim.b.',
    '198.51.100.4 www.b. A': 'answer 192.0.2.80',
  },
};

t.test('who is denied is asked nothing, and a replay without the list says the same', async (t) => {
  const asked: string[] = [];
  const exchange = async (query: Query) => {
    asked.push(`${query.address} ${query.question.name}`);
    return exchangeIn(WORLD, query);
  };
  const policy = policyOf(parseDenyList('192.0.2.128/25\nvictim.b'));
  const explorer = new Explorer(scopeOf(WORLD), { maxQueries: 1_000, maxTimeMs: 10_000 }, policy);
  const explored = explorer.run(exchange, new AbortController().signal, { heard: () => {} });
  const { recording, ending } = await explored;
  t.equal(ending, 'whole');
  t.same(asked, ['198.51.100.1 www.a.', '198.51.100.3 www.a.', '198.51.100.1 www.b.', '198.51.100.4 www.b.']);
  t.same(
    [...recording.unasked.values()].map(({ query, why }) => [query.address, query.question.name, why.kind]),
    [
      ['198.51.100.2', 'www.a.', 'blocked'],
      ['192.0.2.200', 'www.a.', 'blocked'],
      ['198.51.100.1', 'ns.victim.b.', 'blocked'],
    ],
  );
  t.same(spelledOutcomes(evaluate(recording).outcomes), [
    '1/3 blocked at a. by ns.victim.b. 198.51.100.2',
    '1/3 blocked at a. by ns1.a. 192.0.2.200',
    '1/6 answer 192.0.2.80 at b. by ns.b. 198.51.100.4',
    '1/6 no-glue ns.victim.b. at b. because blocked at . by r. 198.51.100.1',
  ]);
});

t.test('a name that is denied is asked of nobody', async (t) => {
  const exchange = async () => {
    throw new Error('nothing may be asked');
  };
  const policy = policyOf(parseDenyList('a.'));
  const explorer = new Explorer(scopeOf(WORLD), { maxQueries: 1_000, maxTimeMs: 10_000 }, policy);
  const { recording } = await explorer.run(exchange, new AbortController().signal, { heard: () => {} });
  t.same(spelledOutcomes(evaluate(recording).outcomes), ['1 blocked at . by r. 198.51.100.1']);
});
