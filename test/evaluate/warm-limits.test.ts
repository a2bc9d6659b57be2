import t from 'tap';
import { evaluate, outcomesIn } from '../../src/evaluate/evaluate.ts';
import type { Query } from '../../src/exchange/query.ts';
import { Explorer } from '../../src/explore/explore.ts';
import { checked, exchangeIn, exploreTable, scopeOf, type TableWorld } from './table-world.ts';

t.test('what a limit kept from being asked is the apex question', async (t) => {
  const { evaluation } = await exploreTable(
    checked({ roots: 'r1.=192.0.2.1', maxQueries: 1, says: { '192.0.2.1 www.a. A': 'nxdomain' } }),
  );
  t.same(
    outcomesIn(evaluation, 'first-tries/warm').map(({ end }) => [end.kind, end.question]),
    [['query-limit', { name: '.', type: 'NS' }]],
  );
});

t.test('everything that the check asks besides the cold walk', async (t) => {
  const world: TableWorld = {
    ask: 'www.x.a. A',
    roots: 'r1.=192.0.2.1',
    otherwise: 'nodata',
    says: {
      '192.0.2.1 www.x.a. A': 'referral a. ns1.a.=192.0.2.11',
      '192.0.2.11 www.x.a. A': 'referral x.a. ns.x.a.=192.0.2.21 ns.b.=192.0.2.9',
      '192.0.2.1 ns.b. A': 'answer 192.0.2.22',
      '192.0.2.21 x.a. NS': 'own ns2.x.a.=192.0.2.23',
      '192.0.2.21 www.x.a. A': 'answer 192.0.2.80',
      '192.0.2.22 www.x.a. A': 'answer 192.0.2.80',
      '192.0.2.23 www.x.a. A': 'answer 192.0.2.80',
    },
  };
  const { asked: cold } = await exploreTable(world);
  const { asked } = await exploreTable(checked(world));
  const servers = ['192.0.2.21', '192.0.2.22', '192.0.2.23'];
  t.same(
    asked.filter((one) => !cold.includes(one)).sort(),
    [
      // Of the root and a top-level domain, no addresses of their servers.
      ...['192.0.2.1 . NS', '192.0.2.1 . SOA', '192.0.2.11 a. NS', '192.0.2.11 a. SOA'],
      '192.0.2.23 www.x.a. A',
      // Nor of ns.b., which is outside the zone.
      ...servers.flatMap((server) =>
        ['x.a. NS', 'x.a. SOA', 'ns.x.a. A', 'ns2.x.a. A'].map((question) => `${server} ${question}`),
      ),
    ].sort(),
  );
});

t.test(
  'a limit cuts off questions about zones before those of the warm walk, and none is asked beyond it',
  async (t) => {
    const servers = Array.from({ length: 150 }, (_, i) => `ns${i}.x.a.=192.0.2.${i + 50}`).join(' ');
    const world: TableWorld = {
      ask: 'www.x.a. A',
      roots: 'r1.=192.0.2.1',
      maxQueries: 600,
      otherwise: 'nodata',
      says: Object.fromEntries([
        ['192.0.2.1 www.x.a. A', `referral x.a. ${servers}`],
        ...Array.from({ length: 150 }, (_, i) => [`192.0.2.${i + 50} x.a. NS`, `own ${servers}`]),
      ]),
    };
    const { evaluation, asked, recording } = await exploreTable(checked(world));
    t.ok(asked.length <= 2 * 600, 'asked', { asked: asked.length });
    t.ok([...recording.exchanges.keys()].filter((key) => !recording.unasked.has(key)).length <= 600, 'count');
    t.same(
      outcomesIn(evaluation, 'first-tries/warm'),
      outcomesIn(evaluation, 'first-tries'),
      'the warm walk is whole',
    );
    const unasked = [...recording.unasked.values()];
    t.ok(unasked.every(({ why, query }) => why.kind === 'query-limit' && query.question.name !== 'www.x.a.'));
  },
);

t.test('whatever is cut short is unknown because of that, however far it came', async (t) => {
  const world = checked({
    roots: 'r1.=192.0.2.1',
    otherwise: 'nodata',
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12',
      '192.0.2.11 a. NS': 'own ns1.a. ns3.a.=192.0.2.13',
      '192.0.2.12 a. NS': 'own ns4.a.=192.0.2.14',
    },
  });
  const { asked } = await exploreTable(world);
  for (const most of asked.keys()) {
    const caller = new AbortController();
    let left = most;
    const exchange = async (query: Query) => {
      if (left === 0) caller.abort();
      left -= 1;
      caller.signal.throwIfAborted();
      return exchangeIn(world, query);
    };
    const explorer = new Explorer(scopeOf(world), { maxQueries: 1_000, maxTimeMs: 10_000 });
    const { recording, ending } = await explorer.run(exchange, caller.signal, { heard: () => {} });
    const { views } = evaluate(recording);
    const kinds = new Set([...views.values()].flatMap(({ outcomes }) => outcomes.map(({ end }) => end.kind)));
    t.notOk(kinds.has('work-limit'), `after ${most} exchanges`, { kinds: [...kinds] });
    t.equal(ending, 'cancelled', `after ${most} exchanges`);
  }
});
