import t from 'tap';
import { type Query, queryKey } from '../../src/exchange/query.ts';
import type { Recording } from '../../src/explore/recording.ts';
import { ReplayedExploration, replayExchanges } from '../../src/explore/replayed-exploration.ts';
import { randomWarmWorld } from '../evaluate/random-warm-world.ts';
import { randomRingWorld } from '../evaluate/random-world.ts';
import { runWorld } from '../evaluate/run-world.ts';
import { exploreTable, type TableWorld } from '../evaluate/table-world.ts';

interface Case extends TableWorld {
  readonly shows: string;
  /** "address: names" as known when each exchange was heard. */
  readonly heard: readonly string[];
  /** Further names that are known at the end, and names of addresses that nothing was heard from. */
  readonly later: Readonly<Record<string, readonly string[]>>;
}

const CASES: readonly Case[] = [
  {
    shows: 'names from root hints and glue, several for one address',
    roots: 'r1.=192.0.2.1 r2.=192.0.2.1',
    says: {
      '192.0.2.1 *': 'referral a. ns2.a.=192.0.2.11 ns1.a.=192.0.2.11',
      '192.0.2.11 *': 'answer 192.0.2.80',
    },
    heard: ['192.0.2.1: r1. r2.', '192.0.2.11: ns1.a. ns2.a.'],
    later: {},
  },
  {
    shows: 'a name that a lookup leads to; one that comes up later is missing until then',
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns.b. ns1.a.=192.0.2.11',
      '192.0.2.1 ns.b. A': 'referral b. ns1.b.=192.0.2.21',
      '192.0.2.21 ns.b. A': 'answer 192.0.2.11',
      '192.0.2.11 *': 'answer 192.0.2.80',
    },
    heard: ['192.0.2.1: r1.', '192.0.2.11: ns1.a.', '192.0.2.1: r1.', '192.0.2.21: ns1.b.'],
    later: { '192.0.2.11': ['ns.b.', 'ns1.a.'] },
  },
  {
    shows: 'a question asked in vain: only a path without its pending lookup would need it',
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 *': 'referral a. ns1.a.=192.0.2.11 ns2.a.',
      '192.0.2.11 ns2.a. A': 'answer 192.0.2.12',
      '192.0.2.12 ns2.a. A': 'answer 192.0.2.12',
      '192.0.2.11 www.a. A': 'answer 192.0.2.80',
      '192.0.2.12 www.a. A': 'answer 192.0.2.80',
    },
    heard: [
      '192.0.2.1: r1.',
      '192.0.2.11: ns1.a.',
      '192.0.2.1: r1.',
      '192.0.2.11: ns1.a.',
      '192.0.2.12: ns2.a.',
      '192.0.2.12: ns2.a.',
    ],
    later: {},
  },
  {
    shows: 'what a limit cut off',
    roots: 'r1.=192.0.2.1',
    maxQueries: 1,
    says: { '192.0.2.1 *': 'referral a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12' },
    heard: ['192.0.2.1: r1.'],
    later: { '192.0.2.11': ['ns1.a.'], '192.0.2.12': ['ns2.a.'], '192.0.2.13': [] },
  },
];

/** What exploring knew once it had heard the whole recording. */
function replayed(recording: Recording): ReplayedExploration {
  const exploration = new ReplayedExploration(recording);
  for (const exchanged of recording.exchanges.values()) exploration.learn(exchanged);
  return exploration;
}

for (const { shows, heard, later, ...world } of CASES) {
  t.test(shows, async (t) => {
    const { recording } = await exploreTable(world);
    const again = replayExchanges(recording);
    t.same(
      again.map(({ exchanged, names }) => `${exchanged.address}: ${names.join(' ')}`),
      heard,
    );
    t.same(
      again.map(({ position }) => position),
      heard.map((_row, index) => index + 1),
    );
    const names = replayed(recording).names;
    for (const [address, known] of Object.entries(later)) t.same(names.of(address).names, known, address);
  });
}

t.test('of many names for one address the first are shown, and the others counted', async (t) => {
  const names = Array.from({ length: 18 }, (_, at) => `n${at + 10}.`);
  const roots = [...names].reverse().map((name) => `${name}=192.0.2.1`);
  const { recording } = await exploreTable({ roots: roots.join(' '), says: { '192.0.2.1 *': 'nodata' } });
  const shown = { names: names.slice(0, 16), namesOmitted: 2 };
  t.same(replayed(recording).names.of('192.0.2.1'), shown);
  t.match(replayExchanges(recording), [{ position: 1, ...shown }]);
});

t.test('exchanges that exploring had no question for are passed over', async (t) => {
  const { recording } = await exploreTable({ roots: 'r1.=192.0.2.1', says: { '192.0.2.1 *': 'nodata' } });
  const [[, exchanged] = []] = recording.exchanges;
  if (exchanged === undefined) throw new Error('nothing was asked');
  const foreign = { ...exchanged, address: '192.0.2.99' };
  const exchanges = new Map([['foreign', foreign], ...recording.exchanges]);
  t.match(replayExchanges({ ...recording, exchanges }), [{ position: 2, exchanged, names: ['r1.'] }]);
});

/** The root's own set has a server that a. is delegated to as well. */
const ROOTS = 'r.=192.0.2.1';
const SAYS = {
  '192.0.2.1 . NS': 'own s.=192.0.2.2',
  '192.0.2.1 www.a. A': 'referral a. ns.a.=192.0.2.2',
  '192.0.2.2 www.a. A': 'answer 192.0.2.80',
};

function rowOf({ address, question: { name, type } }: Query): string {
  return `${address} ${name} ${type}`;
}

/** What each exchange was asked for, by its row; those of `first` are heard first. */
function ranksIn(recording: Recording, first: readonly string[] = []): Record<string, string> {
  const place = (row: string) => (first.includes(row) ? first.indexOf(row) : first.length);
  const heard = [...recording.exchanges.values()].sort((a, b) => place(rowOf(a)) - place(rowOf(b)));
  const exchanges = new Map(heard.map((one) => [queryKey(one), one]));
  const known = replayed({ ...recording, exchanges });
  return Object.fromEntries(heard.map((one) => [rowOf(one), known.rankOf(queryKey(one))]));
}

t.test('what a more urgent walk needs too was not asked for the others, whoever replied first', async (t) => {
  const checked = { roots: ROOTS, says: SAYS, otherwise: 'nodata', scope: { check: 'on' } } as const;
  const { recording } = await exploreTable(checked);
  const usual = ranksIn(recording);
  t.match(usual, {
    '192.0.2.1 . NS': 'warm',
    '192.0.2.1 . SOA': 'check',
    '192.0.2.1 www.a. A': 'cold',
    '192.0.2.2 www.a. A': 'cold',
  });
  t.same(ranksIn(recording, ['192.0.2.1 . NS', '192.0.2.2 www.a. A']), usual);
});

t.test('nothing was asked for --check without it, however little work there may be', async (t) => {
  const { recording } = await exploreTable({ roots: ROOTS, says: SAYS });
  const ranks = ranksIn({ ...recording, scope: { ...recording.scope, maxWork: 1 } });
  t.same(ranks, { '192.0.2.1 www.a. A': 'cold', '192.0.2.2 www.a. A': 'cold' });
});

const WORLDS = 60;

t.test(`in ${WORLDS} random worlds, exploring itself knows as much as exploring again does`, async (t) => {
  let [compared, warm] = [0, 0];
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const world = seed % 2 === 0 ? randomWarmWorld(seed) : randomRingWorld(seed);
    const { recording, known } = await runWorld(world, 100_000, 'on');
    if (recording.unasked.size > 0 || known === undefined) continue;
    compared += 1;
    const again = replayed(recording);
    const keys = [...recording.exchanges.keys()];
    const ranks = keys.map((key) => known.rankOf(key));
    t.strictSame(
      ranks,
      keys.map((key) => again.rankOf(key)),
    );
    t.strictSame(known.mainSteps(), again.mainSteps());
    for (const { address } of recording.exchanges.values())
      t.strictSame(known.names.of(address), again.names.of(address));
    if (ranks.includes('warm')) warm += 1;
  }
  t.ok(compared >= WORLDS / 2, `${compared} compared`);
  t.ok(warm >= WORLDS / 8, `${warm} with warm questions`);
});
