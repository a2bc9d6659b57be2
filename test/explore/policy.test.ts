import t from 'tap';
import { letOthersRun } from '../../src/base/event-loop.ts';
import { parseName } from '../../src/dns/name.ts';
import { evaluate, outcomesIn } from '../../src/evaluate/evaluate.ts';
import type { Exchange } from '../../src/exchange/exchanged.ts';
import type { Query } from '../../src/exchange/query.ts';
import { Explorer } from '../../src/explore/explore.ts';
import {
  DENY_NOTHING,
  DenyListError,
  EMPTY_DENY_LIST,
  type Policy,
  parseDenyList,
  policyOf,
} from '../../src/explore/policy.ts';
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
  t.same(parseDenyList('\r\n# nothing\r\n'), EMPTY_DENY_LIST);
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
  t.notOk(
    policyOf(EMPTY_DENY_LIST).deniesAddress('192.0.2.1') ||
      policyOf(EMPTY_DENY_LIST).deniesName(parseName('a')),
  );
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
  t.same(spelledOutcomes(outcomesIn(evaluate(recording), 'first-tries')), [
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
  t.same(spelledOutcomes(outcomesIn(evaluate(recording), 'first-tries')), [
    '1 blocked at . by r. 198.51.100.1',
  ]);
});

/** Two name servers of one zone: ns1.a. is alias.b. too. */
const THREE_SERVERS: TableWorld = {
  roots: 'r.=192.0.2.1',
  says: {
    '192.0.2.1 *': 'referral a. ns1.a.=192.0.2.11 alias.b.=192.0.2.11 ns2.a.=192.0.2.12',
    '192.0.2.11 *': 'answer 192.0.2.80',
    '192.0.2.12 *': 'answer 192.0.2.80',
  },
};

t.test('a list that changes in mid-job holds for all that has not been sent', async (t) => {
  const ROWS: readonly (readonly [entry: string, sent: readonly string[], kept: number])[] = [
    ['203.0.113.0/24', ['192.0.2.1', '192.0.2.11', '192.0.2.12'], 0],
    ['192.0.2.11', ['192.0.2.1', '192.0.2.12'], 1],
    ['b', ['192.0.2.1', '192.0.2.12'], 1],
    ['www.a', ['192.0.2.1'], 2],
    ['192.0.2.0/24', ['192.0.2.1'], 2],
  ];
  for (const [entry, expected, kept] of ROWS) {
    let now = DENY_NOTHING;
    const policy: Policy = {
      get list() {
        return now.list;
      },
      deniesAddress: (address) => now.deniesAddress(address),
      deniesName: (name) => now.deniesName(name),
    };
    const sent: string[] = [];
    const exchange: Exchange = async (query, _signal, leaving) => {
      // Everything is known by the time that the turn of the second one comes.
      if (query.address !== '192.0.2.1') {
        await letOthersRun();
        now = policyOf(parseDenyList(entry));
      }
      leaving?.();
      sent.push(query.address);
      return exchangeIn(THREE_SERVERS, query);
    };
    const explorer = new Explorer(scopeOf(THREE_SERVERS), { maxQueries: 100, maxTimeMs: 60_000 }, policy);
    const silent = { heard: () => undefined };
    const { recording, ending } = await explorer.run(exchange, new AbortController().signal, silent);
    t.same(sent, expected, entry);
    t.equal(ending, 'whole');
    t.same(
      [...recording.unasked.values()].map(({ why }) => why),
      Array.from({ length: kept }, () => ({ kind: 'blocked', reason: 'denied' })),
    );
    t.equal(explorer.pending, 0);
  }
});
