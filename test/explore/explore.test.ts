import t from 'tap';
import { evaluate, outcomesIn } from '../../src/evaluate/evaluate.ts';
import type { Recording } from '../../src/explore/recording.ts';
import { exploreTable, spelledOutcomes, type TableWorld } from '../evaluate/table-world.ts';
import { signedChild } from '../findings/signed-child.ts';
import { traverseWorld } from '../findings/world.ts';
import { HeldNetwork, PLENTY, settled } from './held-network.ts';

/** Twelve root servers, each of which knows another server of the zone; and that one answers. */
const WIDE: TableWorld = {
  roots: Array.from({ length: 12 }, (_, i) => `${letter(i)}.=192.0.2.${i}`).join(' '),
  says: Object.fromEntries([
    ...Array.from({ length: 12 }, (_, i) => [`192.0.2.${i} *`, `referral a. ns${i}.a.=198.51.100.${i}`]),
    ...Array.from({ length: 12 }, (_, i) => [`198.51.100.${i} *`, 'answer 192.0.2.80']),
  ]),
};

t.test('each distinct question is asked once, however many servers refer to it', async (t) => {
  const { asked } = await exploreTable({
    roots: 'r1.=192.0.2.1 r2.=192.0.2.2',
    says: {
      '192.0.2.1 *': 'referral a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12',
      '192.0.2.2 *': 'referral a. ns2.a.=192.0.2.12 ns1.a.=192.0.2.11',
      '192.0.2.11 *': 'answer 192.0.2.80',
      '192.0.2.12 *': 'answer 192.0.2.80',
    },
  });
  t.same(asked, ['192.0.2.1 www.a. A', '192.0.2.2 www.a. A', '192.0.2.11 www.a. A', '192.0.2.12 www.a. A']);
});

t.test('a question goes out the moment it is known, whatever else is still on the wire', async (t) => {
  const wire = new HeldNetwork({
    roots: 'r1.=192.0.2.1 r2.=192.0.2.2',
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns1.a.=192.0.2.11 ns.elsewhere.b.',
      '192.0.2.2 *': 'timeout',
      '192.0.2.1 ns.elsewhere.b. A': 'nxdomain',
      '192.0.2.11 *': 'answer 192.0.2.80',
    },
  });
  const explored = wire.explore(PLENTY);
  t.same(wire.waiting, ['192.0.2.1 www.a. A', '192.0.2.2 www.a. A']);
  await wire.answer('192.0.2.1 www.a. A');
  await settled();
  t.same(
    wire.waiting,
    [
      '192.0.2.2 www.a. A',
      '192.0.2.11 www.a. A',
      '192.0.2.1 ns.elsewhere.b. A',
      '192.0.2.2 ns.elsewhere.b. A',
    ],
    'the silent root server holds nothing up',
  );
  await wire.answerAll();
  const { recording, ending } = await explored;
  t.equal(ending, 'whole');
  t.equal(recording.exchanges.size, 5);
  t.equal(recording.unasked.size, 0);
});

t.test('what a reply leads to goes out before what is known of shorter chains', async (t) => {
  const wire = new HeldNetwork(WIDE);
  const explored = wire.explore(PLENTY);
  t.same(wire.waiting, rootsAsked(0, 2), 'a few at once');
  await wire.answer('192.0.2.0 www.a. A');
  t.same(wire.waiting, [...rootsAsked(1, 2), '198.51.100.0 www.a. A', ...rootsAsked(2, 3)]);
  await wire.answerAll();
  t.equal((await explored).recording.exchanges.size, 24);
});

t.test(
  'what a query limit cuts off is chosen breadth first, and does not depend on who answers first',
  async (t) => {
    const recordings = await Promise.all(
      [1, 2, 3].map(async (seed) => {
        const wire = new HeldNetwork(WIDE);
        const explored = wire.explore({ maxQueries: 17, maxTimeMs: 60_000 });
        await wire.answerAll(seed);
        const { recording, ending } = await explored;
        t.equal(ending, 'query-limit');
        return recording;
      }),
    );
    for (const recording of recordings) {
      t.same(
        keysOf(counted(recording)),
        [
          ...Array.from({ length: 12 }, (_, i) => `192.0.2.${i}`),
          ...Array.from({ length: 5 }, (_, i) => `198.51.100.${i}`),
        ].sort(),
      );
      t.same(
        [...recording.unasked.values()].map(({ query, why }) => [query.address, why]),
        Array.from({ length: 7 }, (_, i) => [`198.51.100.${i + 5}`, { kind: 'query-limit', limit: 17 }]),
      );
    }
  },
);

t.test('also where most questions become known together', async (t) => {
  const roots = Array.from({ length: 30 }, (_, i) => i);
  const world: TableWorld = {
    roots: roots.map((i) => `r${i}.=192.0.2.${i}`).join(' '),
    says: Object.fromEntries(
      roots.flatMap((i) => [
        [
          `192.0.2.${i} *`,
          `referral a. ${roots.map((j) => `ns${j}.a.=198.51.${i}.${j}`).join(' ')} n.a.=192.0.3.${i}`,
        ],
        ...roots.map((j) => [`198.51.${i}.${j} *`, `answer 203.0.113.${i}`]),
        [`192.0.3.${i} *`, 'referral www.a. x.www.a.=192.0.4.1'],
      ]),
    ),
  };
  const results = await Promise.all(
    [1, 2, 3].map(async (seed) => {
      const wire = new HeldNetwork({
        ...world,
        says: { ...world.says, '192.0.4.1 *': 'answer 203.0.113.99' },
      });
      const explored = wire.explore({ maxQueries: 600, maxTimeMs: 60_000 });
      await wire.answerAll(seed);
      const { recording, ending } = await explored;
      t.equal(ending, 'query-limit');
      t.ok(counted(recording).exchanges.size <= 600);
      t.ok(recording.exchanges.size <= 2 * 600);
      const outcomes = spelledOutcomes(outcomesIn(evaluate(recording), 'first-tries'));
      t.ok(outcomes.some((outcome) => outcome.includes('203.0.113.0')));
      return { outcomes, counted: [...counted(recording).exchanges.keys()].sort() };
    }),
  );
  t.same(results[1], results[0]);
  t.same(results[2], results[0]);
  const whole = new HeldNetwork({ ...world, says: { ...world.says, '192.0.4.1 *': 'answer 203.0.113.99' } });
  const explored = whole.explore({ maxQueries: 961, maxTimeMs: 60_000 });
  await whole.answerAll(5);
  t.equal((await explored).ending, 'whole', 'a budget that is enough is used up');
});

t.test('cancelled: what was heard is kept, the rest is a time-limit that says so', async (t) => {
  const wire = new HeldNetwork(WIDE);
  const cancel = new AbortController();
  const explored = wire.explore(PLENTY, cancel.signal);
  await wire.answer('192.0.2.0 www.a. A');
  cancel.abort();
  const { recording, ending } = await explored;
  t.equal(ending, 'cancelled');
  t.same(keysOf(recording), ['192.0.2.0']);
  t.equal(recording.unasked.size, 12, 'eleven root servers and the one server heard of');
  for (const { why } of recording.unasked.values())
    t.same(why, { kind: 'time-limit', limit: 60_000, reason: 'cancelled' });
});

t.test('cancelled after the last reply: nothing is missing, so it is whole', async (t) => {
  const cancel = new AbortController();
  const wire = new HeldNetwork({ roots: 'r1.=192.0.2.1', says: { '192.0.2.1 *': 'nxdomain' } });
  const explored = wire.explore(PLENTY, cancel.signal);
  await wire.answerAll();
  cancel.abort();
  t.equal((await explored).ending, 'whole');
});

t.test('a bug in the exchange is passed on, and nothing is left on the wire behind it', async (t) => {
  const wire = new HeldNetwork(WIDE);
  const explored = wire.explore(PLENTY);
  wire.fail(new Error('a bug'));
  await t.rejects(explored, { message: 'a bug' });
  t.same(wire.waiting, []);
});

t.test('while it runs, questions on the wire are pending', async (t) => {
  const wire = new HeldNetwork(WIDE);
  const explored = wire.explore(PLENTY);
  await wire.answer('192.0.2.0 www.a. A');
  t.equal(wire.explorer.pending, 12);
  await wire.answerAll();
  await explored;
});

t.test('what the warm walk asked is as urgent as the cold walk once that wants it', async (t) => {
  const wire = new HeldNetwork({
    roots: 'r1.=192.0.2.1',
    otherwise: 'nodata',
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns1.a.=192.0.2.11',
      '192.0.2.11 a. NS': 'own ns1.a. ns.c.',
      '192.0.2.11 www.a. A': 'alias ns.c.',
      '192.0.2.1 ns.c. A': 'answer 192.0.2.80',
    },
    scope: { warm: 'on' },
  });
  const explored = wire.explore(PLENTY);
  await wire.answer('192.0.2.1 www.a. A');
  await wire.answer('192.0.2.11 a. NS');
  t.equal(wire.rankOf('192.0.2.1 ns.c. A'), 'warm');
  await wire.answer('192.0.2.11 www.a. A');
  t.equal(wire.rankOf('192.0.2.1 ns.c. A'), 'cold');
  await wire.answerAll();
  await explored;
});

t.test(
  'without the warm walk --check asks about the zones of the cold one, and not about those of lookups',
  async (t) => {
    const world: TableWorld = {
      roots: 'r1.=192.0.2.1',
      says: {
        '192.0.2.1 www.a. A': 'referral a. ns.c.',
        '192.0.2.1 ns.c. A': 'referral c. ns1.c.=192.0.2.21',
        '192.0.2.21 ns.c. A': 'answer 192.0.2.11',
        '192.0.2.11 www.a. A': 'answer 192.0.2.80',
      },
      otherwise: 'nodata',
      scope: { warm: 'off', check: 'on' },
    };
    const { asked, evaluation } = await exploreTable(world);
    t.equal(evaluation.warm, undefined);
    t.same(asked.filter((row) => /(SOA|NS)$/.test(row)).sort(), [
      '192.0.2.1 . NS',
      '192.0.2.1 . SOA',
      '192.0.2.11 a. NS',
      '192.0.2.11 a. SOA',
    ]);
  },
);

t.test(
  '--check asks every server of a signed zone, but for the root, which DS records it wants',
  async (t) => {
    for (const [shows, world, expected] of [
      ['signed', signedChild({}), ['192.0.2.31', '192.0.2.32']],
      [
        'signed, and no DS record says so',
        signedChild({ signing: { ds: [] } }),
        ['192.0.2.31', '192.0.2.32'],
      ],
      ['not signed', signedChild({ signing: 'unsigned' }), []],
      ['not checked', signedChild({ check: false }), []],
      ['not validated', signedChild({ dnssec: false }), []],
    ] as const) {
      const { exchanges } = await traverseWorld(world);
      const asked = exchanges.filter(({ question }) => /^CD/.test(question.type));
      for (const type of ['CDS', 'CDNSKEY']) {
        const addresses = asked
          .filter(({ question }) => question.type === type)
          .map(({ server }) => server.address);
        t.same(addresses.sort(), expected, `${type}: ${shows}`);
      }
      t.same(
        new Set(asked.map(({ question, purpose }) => `${question.name} ${purpose}`)),
        new Set(expected.map(() => 'x.a. check')),
      );
    }
  },
);

function rootsAsked(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, i) => `192.0.2.${from + i} www.a. A`);
}

function letter(i: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + i);
}

/** The exchanges that count. */
function counted({ exchanges, unasked }: Recording): Pick<Recording, 'exchanges'> {
  return { exchanges: new Map([...exchanges].filter(([key]) => !unasked.has(key))) };
}

function keysOf({ exchanges }: Pick<Recording, 'exchanges'>): string[] {
  return [...exchanges.values()].map(({ address }) => address).sort();
}
