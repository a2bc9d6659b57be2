import t from 'tap';
import { evaluate, outcomesIn } from '../../src/evaluate/evaluate.ts';
import type { Exchange } from '../../src/exchange/exchanged.ts';
import { Explorer } from '../../src/explore/explore.ts';
import type { Scope } from '../../src/explore/recording.ts';
import {
  exchangeIn,
  exploreTable,
  scopeOf,
  spelledOutcomes,
  type TableWorld,
} from '../evaluate/table-world.ts';
import { HeldNetwork, PLENTY } from './held-network.ts';

/** Twelve root servers, each of which knows another server of the zone; and that one answers. */
const WIDE: TableWorld = {
  roots: Array.from({ length: 12 }, (_, i) => `${letter(i)}.=192.0.2.${i}`).join(' '),
  says: Object.fromEntries([
    ...Array.from({ length: 12 }, (_, i) => [`192.0.2.${i} *`, `referral a. ns${i}.a.=198.51.100.${i}`]),
    ...Array.from({ length: 12 }, (_, i) => [`198.51.100.${i} *`, 'answer 192.0.2.80']),
  ]),
};

t.test('what the work of exploring cuts off does not depend on who answers first either', async (t) => {
  const ring = (zone: string) => `referral ${zone}. s.${zone}.=192.0.2.2 n1. n2.`;
  const asked = ['b.', 'n1.', 'n2.'].flatMap((name) => [`${name} A`, `${name} AAAA`]);
  const world: TableWorld = {
    roots: 'r.=192.0.2.1',
    says: {
      '192.0.2.1 www.a. A': 'referral a. b.',
      ...Object.fromEntries(asked.map((row) => [`192.0.2.1 ${row}`, ring(row.split('.')[0] ?? '')])),
      '192.0.2.2 *': 'nxdomain',
    },
    scope: { maxWork: 260, families: [4, 6] },
  };
  const outcomes = await Promise.all(
    [0, 1, 2, 3].map(async (seed) => {
      const wire = new HeldNetwork(world);
      const explored = wire.explore(PLENTY);
      await wire.answerAll(seed);
      return spelledOutcomes(outcomesIn(evaluate((await explored).recording), 'first-tries'));
    }),
  );
  for (const other of outcomes) t.same(other, outcomes[0]);
});

t.test(
  'what the check has no work left for counts all the same where the cold walk came to it',
  async (t) => {
    const outcomesWith = async (maxWork: number, check: 'on' | 'off') => {
      const { evaluation } = await exploreTable({
        roots: 'r1.=192.0.2.1 r2.=192.0.2.2',
        says: {
          '192.0.2.1 www.a. A': 'alias www.b.',
          '192.0.2.2 www.a. A': 'alias www.b.',
          '192.0.2.1 www.b. A': 'answer 192.0.2.80',
          '192.0.2.2 www.b. A': 'answer 192.0.2.81',
          '192.0.2.1 . NS': 'answer r3.',
          '192.0.2.2 . NS': 'answer r4.',
          '192.0.2.1 *': 'nodata',
          '192.0.2.2 *': 'nodata',
        },
        scope: { maxWork, check },
        maxQueries: 1_000,
      });
      return spelledOutcomes(outcomesIn(evaluation, 'first-tries'));
    };
    for (let maxWork = 1; maxWork < 12; maxWork += 1) {
      t.same(await outcomesWith(maxWork, 'on'), await outcomesWith(maxWork, 'off'), `work ${maxWork}`);
    }
  },
);

t.test('a limit cuts off the questions of --check first, then those of the warm walk', async (t) => {
  const viewsWith = async (maxQueries: number, scope: Partial<Scope>) => {
    const { evaluation } = await exploreTable({
      roots: 'r1.=192.0.2.1',
      says: {
        '192.0.2.1 www.a. A': 'referral a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12',
        '192.0.2.1 . NS': 'own r1.',
        '192.0.2.11 a. NS': 'own ns1.a. ns3.a.=192.0.2.13',
        '192.0.2.12 a. NS': 'own ns1.a.',
        '192.0.2.11 *': 'answer 192.0.2.80',
        '192.0.2.12 *': 'answer 192.0.2.80',
        '192.0.2.13 *': 'answer 192.0.2.81',
      },
      otherwise: 'nodata',
      scope,
      maxQueries,
    });
    const [cold, warm] = (['first-tries', 'first-tries/warm'] as const).map(
      (name) => evaluation.views.get(name)?.outcomes,
    );
    return { cold: spelledOutcomes(cold ?? []), warm: warm && spelledOutcomes(warm) };
  };
  for (let maxQueries = 1; maxQueries < 20; maxQueries += 1) {
    const quick = await viewsWith(maxQueries, {});
    const usual = await viewsWith(maxQueries, { warm: 'on' });
    const checked = await viewsWith(maxQueries, { warm: 'on', check: 'on' });
    t.same(usual.cold, quick.cold, `${maxQueries} queries, cold`);
    t.same(checked, usual, `${maxQueries} queries, cold and warm`);
  }
});

t.test('many name servers at one delegation are work, though they share an address', async (t) => {
  const askedWith = async (servers: number) => {
    const names = Array.from({ length: servers }, (_, n) => `ns${n}.a.=192.0.2.11`).join(' ');
    const { asked } = await exploreTable({
      roots: 'r1.=192.0.2.1',
      says: { '192.0.2.1 *': `referral a. ${names}`, '192.0.2.11 *': 'answer 192.0.2.80' },
      scope: { maxWork: 2_000 },
    });
    return asked;
  };
  t.same(await askedWith(256), ['192.0.2.1 www.a. A', '192.0.2.11 www.a. A']);
  t.same(await askedWith(400), ['192.0.2.1 www.a. A']);
});

t.test('depth counts referrals, aliases and lookups; what is deeper is not asked', async (t) => {
  const world: TableWorld = {
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns1.a.=192.0.2.11',
      '192.0.2.1 www.b. A': 'answer 192.0.2.80',
      '192.0.2.11 *': 'alias www.b.',
    },
  };
  const askedWithin = async (maxDepth: number) =>
    (await exploreTable({ ...world, scope: { maxDepth } })).asked.length;
  t.same(await Promise.all([0, 1, 2, 3].map(askedWithin)), [1, 2, 3, 3]);
});

t.test('a lookup only matters where its answer is still within the depth', async (t) => {
  const world: TableWorld = {
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns.b.',
      '192.0.2.1 ns.b. A': 'referral b. ns1.b.=192.0.2.12',
      '192.0.2.12 ns.b. A': 'answer 192.0.2.13',
      '192.0.2.13 www.a. A': 'answer 192.0.2.80',
    },
  };
  const askedWithin = async (maxDepth: number) =>
    (await exploreTable({ ...world, scope: { maxDepth } })).asked.map((row) => row.split(' ')[0]);
  t.same(await askedWithin(1), ['192.0.2.1']);
  t.same(await askedWithin(2), ['192.0.2.1', '192.0.2.1']);
  t.same(await askedWithin(3), ['192.0.2.1', '192.0.2.1', '192.0.2.12', '192.0.2.13']);
});

t.test(
  'a step that is first reached deep, and then by a shorter way, counts as deep as by that',
  async (t) => {
    const wire = new HeldNetwork({
      ask: 'www.a.b. A',
      roots: 'r1.=192.0.2.1 r2.=192.0.2.2',
      scope: { maxDepth: 3 },
      says: {
        '192.0.2.1 www.a.b. A': 'referral b. ns.x.',
        '192.0.2.2 www.a.b. A': 'referral b. ns.b.=192.0.2.12',
        '192.0.2.12 *': 'referral a.b. ns.x.',
        '192.0.2.1 ns.x. A': 'referral x. n.x.=192.0.2.20',
        '192.0.2.2 ns.x. A': 'referral x. n.x.=192.0.2.20',
        '192.0.2.20 *': 'answer 192.0.2.30',
        '192.0.2.30 *': 'answer 192.0.2.80',
      },
    });
    const explored = wire.explore(PLENTY);
    for (const row of ['2 www.a.b. A', '12 www.a.b. A', '1 ns.x. A']) await wire.answer(`192.0.2.${row}`);
    t.same(wire.waiting, ['192.0.2.1 www.a.b. A', '192.0.2.2 ns.x. A'], 'by the long way, x. is too deep');
    await wire.answer('192.0.2.1 www.a.b. A');
    t.ok(wire.waiting.includes('192.0.2.20 ns.x. A'), 'by the short way, it is not');
    await wire.answerAll();
    t.same(spelledOutcomes(outcomesIn(evaluate((await explored).recording), 'first-tries')), [
      '1/2 answer 192.0.2.80 at b. by ns.x. 192.0.2.30',
      '1/2 unresolvable-ns ns.x. at a.b. because depth-limit at x.',
    ]);
  },
);

t.test('only addresses of the enabled families are looked up and asked', async (t) => {
  const world: TableWorld = {
    roots: 'r1.=192.0.2.1,2001:db8::1',
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns.b. ns1.a.=2001:db8::11',
      '2001:db8::1 www.a. A': 'referral a. ns.b. ns1.a.=2001:db8::11',
      '192.0.2.1 *': 'timeout',
      '2001:db8::1 *': 'timeout',
      '2001:db8::11 *': 'answer 192.0.2.80',
    },
  };
  const four = await exploreTable(world);
  t.same(
    four.asked,
    ['192.0.2.1 www.a. A', '192.0.2.1 ns.b. A', '192.0.2.1 ns1.a. A'],
    'without IPv4 glue, its address is looked up',
  );
  const six = await exploreTable({ ...world, scope: { families: [6] } });
  t.same(six.asked, ['2001:db8::1 www.a. A', '2001:db8::11 www.a. A', '2001:db8::1 ns.b. AAAA']);
});

t.test('special-purpose addresses are not asked unless allowed', async (t) => {
  const world: TableWorld = {
    roots: 'r1.=198.41.0.4 r2.=127.0.0.1 r3.=10.0.0.1',
    scope: { specialTargets: 'blocked' },
    says: { '198.41.0.4 *': 'nxdomain' },
  };
  t.same((await exploreTable(world)).asked, ['198.41.0.4 www.a. A']);
});

t.test('the time limit ends an exploration whose servers are silent', async (t) => {
  const wire = new HeldNetwork(WIDE);
  const { recording, ending } = await wire.explore({ maxQueries: 1_000, maxTimeMs: 1 });
  t.equal(ending, 'time-limit');
  t.equal(recording.exchanges.size, 0);
  t.equal(recording.unasked.size, 12);
});

t.test('addresses count as work: referrals that name thousands do not multiply it', async (t) => {
  const addresses = Array.from({ length: 2_000 }, (_, n) => `127.0.${n >> 8}.${n & 255}`);
  const glue = addresses.join(',');
  const { asked, evaluation } = await exploreTable({
    ask: 'www.x.y.z. A',
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 *': `referral z. ns1.z.=${glue} ns2.z.=${glue} ns3.elsewhere.`,
      ...Object.fromEntries(addresses.map((address) => [`${address} *`, 'nodata'])),
    },
    scope: { maxWork: 20 },
    maxQueries: 10_000,
  });
  t.ok(asked.length <= 20 * 16, `${asked.length} questions`);
  t.equal(evaluation.coverage, 'limited');
});

t.test(
  'more addresses of one step than usual are much work: looked-up servers have them for nothing',
  async (t) => {
    const SERVERS = 4;
    const addresses = Array.from({ length: SERVERS * 2_000 }, (_, n) => `127.0.${n >> 8}.${n & 255}`);
    const { asked } = await exploreTable({
      roots: 'r1.=192.0.2.1',
      says: {
        '192.0.2.1 www.a. A': `referral a. ${Array.from({ length: SERVERS }, (_, n) => `n${n}.b.`).join(' ')}`,
        '192.0.2.1 *': 'referral b. s.b.=192.0.2.2',
        ...Object.fromEntries(
          Array.from({ length: SERVERS }, (_, n) => [
            `192.0.2.2 n${n}.b. A`,
            `answer ${addresses.slice(n * 2_000, (n + 1) * 2_000).join(' ')}`,
          ]),
        ),
        ...Object.fromEntries(addresses.map((address) => [`${address} *`, 'nodata'])),
      },
      scope: { maxWork: 200_000 },
      maxQueries: 20_000,
    });
    t.ok(asked.length > 2_000, `${asked.length} questions`);
    t.ok(asked.length < 6_000, `${asked.length} questions`);
  },
);

t.test('packets and octets end in the query limit too, which says which of them', async (t) => {
  /** Ten root servers, each of which knows one server that answers; every reply has 40 octets. */
  const world: TableWorld = {
    roots: Array.from({ length: 10 }, (_, i) => `${letter(i)}.=192.0.2.${i}`).join(' '),
    says: Object.fromEntries([
      ...Array.from({ length: 10 }, (_, i) => [`192.0.2.${i} *`, `referral a. ns${i}.a.=198.51.100.${i}`]),
      ...Array.from({ length: 10 }, (_, i) => [`198.51.100.${i} *`, 'answer 192.0.2.80']),
    ]),
  };
  const ROWS = [
    ['packets', { maxPackets: 14 }, 14],
    ['packets', { maxPackets: 19 }, 19],
    ['packets', { maxPackets: 1 }, 1],
    ['octets', { maxOctets: 14 * 40 }, 15],
    ['octets', { maxOctets: 14 * 40 - 1 }, 14],
  ] as const;
  for (const [unit, budget, heard] of ROWS) {
    let left = 0;
    const exchange: Exchange = async (query, signal, leaving) => {
      // One after the other, as a pacer would have it.
      for (let turn = 0; turn < waiting; turn += 1) await Promise.resolve();
      waiting += 1;
      leaving?.();
      signal.throwIfAborted();
      left += 1;
      return exchangeIn(world, query);
    };
    let waiting = 0;
    const explorer = new Explorer(scopeOf(world), { ...PLENTY, ...budget });
    const { recording, ending } = await explorer.run(exchange, new AbortController().signal, {
      heard: () => {},
    });
    const limit = Object.values(budget)[0];
    t.equal(ending, 'query-limit', `${limit} ${unit}`);
    if (unit === 'packets') t.equal(left, limit, 'not one more leaves');
    t.equal(recording.exchanges.size, heard);
    t.ok(recording.unasked.size > 0);
    for (const { why } of recording.unasked.values()) t.same(why, { kind: 'query-limit', limit, unit });
    const outcomes = outcomesIn(evaluate(recording), 'first-tries');
    t.ok(
      outcomes.some(({ end }) => end.kind === 'query-limit' && end.unit === unit),
      'the rest is unknown',
    );
  }
  const enough = new Explorer(scopeOf(world), { ...PLENTY, maxPackets: 20, maxOctets: 20 * 40 });
  const exchange: Exchange = async (query, _signal, leaving) => {
    leaving?.();
    return exchangeIn(world, query);
  };
  const { ending } = await enough.run(exchange, new AbortController().signal, { heard: () => {} });
  t.equal(ending, 'whole', 'a budget that is just enough cuts nothing off');
});

function letter(i: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + i);
}
