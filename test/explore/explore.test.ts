import t from 'tap';
import { onAbort } from '../../src/abort.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import type { Exchange, Exchanged } from '../../src/exchange/exchanged.ts';
import type { QueryRank, RankedQuery } from '../../src/exchange/query.ts';
import type { Budget } from '../../src/explore/budget.ts';
import { type Chain, Chains, chainForAlias, chainForLookup } from '../../src/explore/chain.ts';
import { delegationKey, delegationOf } from '../../src/explore/delegation.ts';
import { Explorer } from '../../src/explore/explore.ts';
import type { Recording } from '../../src/explore/recording.ts';
import { BUILT_IN_HINTS, parseRootHints, RootHintsError } from '../../src/explore/roots.ts';
import { letOthersRun } from '../../src/pausable.ts';
import { parseName } from '../../src/wire/name.ts';
import {
  exchangeIn,
  exploreTable,
  scopeOf,
  spelledOutcomes,
  type TableWorld,
} from '../evaluate/table-world.ts';

const PLENTY: Budget = { maxQueries: 1_000, maxTimeMs: 60_000 };

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
  const wire = new Wire({
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

/** Twelve root servers, each of which knows another server of the zone; and that one answers. */
const WIDE: TableWorld = {
  roots: Array.from({ length: 12 }, (_, i) => `${letter(i)}.=192.0.2.${i}`).join(' '),
  says: Object.fromEntries([
    ...Array.from({ length: 12 }, (_, i) => [`192.0.2.${i} *`, `referral a. ns${i}.a.=198.51.100.${i}`]),
    ...Array.from({ length: 12 }, (_, i) => [`198.51.100.${i} *`, 'answer 192.0.2.80']),
  ]),
};

t.test('what a reply leads to goes out before what is known of shorter chains', async (t) => {
  const wire = new Wire(WIDE);
  const explored = wire.explore(PLENTY);
  t.same(wire.waiting, rootsAsked(0, 2), 'a few at once');
  await wire.answer('192.0.2.0 www.a. A');
  t.same(wire.waiting, [...rootsAsked(1, 2), '198.51.100.0 www.a. A', ...rootsAsked(2, 3)]);
  await wire.answerAll();
  t.equal((await explored).recording.exchanges.size, 24);
});

function rootsAsked(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, i) => `192.0.2.${from + i} www.a. A`);
}

t.test(
  'what a query limit cuts off is chosen breadth first, and does not depend on who answers first',
  async (t) => {
    const recordings = await Promise.all(
      [1, 2, 3].map(async (seed) => {
        const wire = new Wire(WIDE);
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
      const wire = new Wire({ ...world, says: { ...world.says, '192.0.4.1 *': 'answer 203.0.113.99' } });
      const explored = wire.explore({ maxQueries: 600, maxTimeMs: 60_000 });
      await wire.answerAll(seed);
      const { recording, ending } = await explored;
      t.equal(ending, 'query-limit');
      t.ok(counted(recording).exchanges.size <= 600);
      t.ok(recording.exchanges.size <= 2 * 600);
      const outcomes = spelledOutcomes(evaluate(recording).outcomes);
      t.ok(outcomes.some((outcome) => outcome.includes('203.0.113.0')));
      return { outcomes, counted: [...counted(recording).exchanges.keys()].sort() };
    }),
  );
  t.same(results[1], results[0]);
  t.same(results[2], results[0]);
  const whole = new Wire({ ...world, says: { ...world.says, '192.0.4.1 *': 'answer 203.0.113.99' } });
  const explored = whole.explore({ maxQueries: 961, maxTimeMs: 60_000 });
  await whole.answerAll(5);
  t.equal((await explored).ending, 'whole', 'a budget that is enough is used up');
});

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
      const wire = new Wire(world);
      const explored = wire.explore(PLENTY);
      await wire.answerAll(seed);
      return spelledOutcomes(evaluate((await explored).recording).outcomes);
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
      return spelledOutcomes(evaluation.outcomes);
    };
    for (let maxWork = 1; maxWork < 12; maxWork += 1) {
      t.same(await outcomesWith(maxWork, 'on'), await outcomesWith(maxWork, 'off'), `work ${maxWork}`);
    }
  },
);

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
    const wire = new Wire({
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
    t.same(spelledOutcomes(evaluate((await explored).recording).outcomes), [
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

t.test('cancelled: what was heard is kept, the rest is a time-limit that says so', async (t) => {
  const wire = new Wire(WIDE);
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
  const wire = new Wire({ roots: 'r1.=192.0.2.1', says: { '192.0.2.1 *': 'nxdomain' } });
  const explored = wire.explore(PLENTY, cancel.signal);
  await wire.answerAll();
  cancel.abort();
  t.equal((await explored).ending, 'whole');
});

t.test('the time limit ends an exploration whose servers are silent', async (t) => {
  const wire = new Wire(WIDE);
  const { recording, ending } = await wire.explore({ maxQueries: 1_000, maxTimeMs: 1 });
  t.equal(ending, 'time-limit');
  t.equal(recording.exchanges.size, 0);
  t.equal(recording.unasked.size, 12);
});

t.test('a bug in the exchange is passed on, and nothing is left on the wire behind it', async (t) => {
  const wire = new Wire(WIDE);
  const explored = wire.explore(PLENTY);
  wire.fail(new Error('a bug'));
  await t.rejects(explored, { message: 'a bug' });
  t.same(wire.waiting, []);
});

t.test('while it runs, questions on the wire are pending', async (t) => {
  const wire = new Wire(WIDE);
  const explored = wire.explore(PLENTY);
  await wire.answer('192.0.2.0 www.a. A');
  t.equal(wire.explorer.pending, 12);
  const { exchanges, unasked } = wire.explorer.recording();
  t.equal(exchanges.size, 1);
  t.ok([...unasked.values()].every(({ why }) => why.kind === 'pending'));
  await wire.answerAll();
  await explored;
});

t.test('delegations of equal content are equal, in whatever order they came', async (t) => {
  const glue = (...addresses: string[]) => new Map([[parseName('ns1.a.'), addresses]]);
  const zone = parseName('a.');
  const one = delegationOf(zone, glue('192.0.2.2', '192.0.2.1', '192.0.2.2'));
  t.equal(delegationKey(one), delegationKey(delegationOf(zone, glue('192.0.2.1', '192.0.2.2'))));
  t.not(delegationKey(one), delegationKey(delegationOf(zone, glue('192.0.2.1'))));
  t.not(delegationKey(one), delegationKey(delegationOf(parseName('b.'), glue('192.0.2.1', '192.0.2.2'))));
});

t.test('where aliases and lookups go on', async (t) => {
  const chains = new Chains();
  const zones = ['example.', 'shop.example.', 'eu.shop.example.'];
  const chain = zones.reduce(
    (above, zone) => chains.extend(above, delegationOf(parseName(zone), new Map())),
    chains.root(BUILT_IN_HINTS),
  );
  const at = (found: Chain | undefined) => found?.delegation.zone;
  const rows: [target: string, type: string, zone: string][] = [
    ['www.eu.shop.example.', 'A', 'eu.shop.example.'],
    ['eu.shop.example.', 'A', 'eu.shop.example.'],
    ['eu.shop.example.', 'DS', 'shop.example.'],
    ['www.shop.example.', 'A', 'shop.example.'],
    ['shop.example.', 'DS', 'example.'],
    ['cdn.test.', 'A', '.'],
    ['.', 'DS', '.'],
  ];
  for (const [target, type, zone] of rows) {
    t.equal(at(chainForAlias(chain, parseName(target), type)), zone, `alias to ${target} ${type}`);
  }
  const lookups: [nameserver: string, zone: string][] = [
    ['ns1.eu.shop.example.', 'shop.example.'],
    ['ns1.shop.example.', 'shop.example.'],
    ['ns1.other.example.', 'example.'],
    ['ns1.hoster.test.', '.'],
  ];
  for (const [nameserver, zone] of lookups) {
    t.equal(at(chainForLookup(chain, parseName(nameserver))), zone, `lookup of ${nameserver}`);
  }
  t.equal(
    chainForLookup(chains.root(BUILT_IN_HINTS), parseName('ns1.')),
    undefined,
    'nothing before the root',
  );
});

t.test('root hints', async (t) => {
  t.equal(BUILT_IN_HINTS.nameservers.length, 13);
  t.ok(BUILT_IN_HINTS.nameservers.every(({ glue }) => glue.length === 2));
  const file = [
    ';  comments and blank lines are fine',
    '',
    '.                        3600000      NS    A.ROOT-SERVERS.NET.',
    'A.ROOT-SERVERS.NET.      3600000      A     198.41.0.4',
    'A.ROOT-SERVERS.NET.      3600000 IN   AAAA  2001:503:BA3E::2:30 ; canonical afterwards',
    '. IN NS b.root-servers.net',
    'unlisted.example. A 192.0.2.1',
  ].join('\r\n');
  t.same(parseRootHints(file).nameservers, [
    { name: 'a.root-servers.net.', glue: ['198.41.0.4', '2001:503:ba3e::2:30'] },
    { name: 'b.root-servers.net.', glue: [] },
  ]);
  const wrong: [text: string, message: string][] = [
    ['', 'no NS record of the root zone (".") in it'],
    ['. NS', 'line 1: expected "owner [ttl] [IN] type data"'],
    ['\n. NS a. b.', 'line 2: expected "owner [ttl] [IN] type data"'],
    ['example. NS a.', 'line 1: NS record of example., expected "."'],
    ['a. A 127.1', 'line 1: "127.1" is not an address'],
    ['. TXT hello', 'line 1: type TXT, expected NS, A or AAAA'],
    ['. NS a..b.', 'line 1: '],
  ];
  for (const [text, message] of wrong) {
    t.throws(() => parseRootHints(text), RootHintsError);
    t.throws(() => parseRootHints(text), { message: new RegExp(`^${escaped(message)}`) }, message);
  }
});

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

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

interface Waiting {
  readonly row: string;
  readonly query: RankedQuery;
  readonly resolve: (exchanged: Exchanged) => void;
  readonly reject: (reason: unknown) => void;
}

/** A network on which the test decides which question is answered next. */
class Wire {
  readonly #world: TableWorld;
  #queue: Waiting[] = [];
  #explorer: Explorer | undefined;
  #state: 'exploring' | 'explored' = 'exploring';

  constructor(world: TableWorld) {
    this.#world = world;
  }

  explore(budget: Budget, signal: AbortSignal = new AbortController().signal): ReturnType<Explorer['run']> {
    this.#explorer = new Explorer(scopeOf(this.#world), budget);
    const silent = { heard: () => undefined };
    const run = this.#explorer.run((query, stop) => this.#ask(query, stop), signal, silent);
    const over = () => {
      this.#state = 'explored';
    };
    run.then(over, over);
    return run;
  }

  get explorer(): Explorer {
    if (this.#explorer === undefined) throw new Error('nothing is explored yet');
    return this.#explorer;
  }

  /** The questions on the wire, in the order they were asked. */
  get waiting(): readonly string[] {
    return this.#queue.map(({ row }) => row);
  }

  /** How urgent a question on the wire is by now. */
  rankOf(row: string): QueryRank | undefined {
    const query = this.#queue.find((one) => one.row === row)?.query;
    return query?.rising?.now.rank ?? query?.rank;
  }

  async answer(row: string): Promise<void> {
    const [waiting] = this.#queue.filter((one) => one.row === row);
    if (waiting === undefined) throw new Error(`nobody asked ${row}`);
    this.#queue = this.#queue.filter((one) => one !== waiting);
    waiting.resolve(exchangeIn(this.#world, waiting.query));
    await settled();
  }

  /** Answers one by one, in an order that a seed chooses, until exploring is over. */
  async answerAll(seed = 0): Promise<void> {
    await settled();
    for (let turn = seed; this.#state === 'exploring'; turn += seed * 7 + 1) {
      if (this.#queue.length === 0) await letOthersRun();
      else await this.answer(this.waiting[turn % this.#queue.length] ?? '');
    }
  }

  fail(reason: Error): void {
    this.#queue.shift()?.reject(reason);
  }

  #ask(query: RankedQuery, stop: AbortSignal): Promise<Exchanged> {
    const { name, type } = query.question;
    return new Promise((resolve, reject) => {
      const waiting = { row: `${query.address} ${name} ${type}`, query, resolve, reject };
      this.#queue.push(waiting);
      onAbort(stop, () => {
        this.#queue = this.#queue.filter((one) => one !== waiting);
        reject(stop.reason);
      });
    });
  }
}

/** Lets everything that can go on without the network go on. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

t.test('what was asked for the check is as urgent as the cold walk once that wants it', async (t) => {
  const wire = new Wire({
    roots: 'r1.=192.0.2.1',
    otherwise: 'nodata',
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns1.a.=192.0.2.11',
      '192.0.2.11 a. NS': 'own ns1.a. ns.c.',
      '192.0.2.11 www.a. A': 'alias ns.c.',
      '192.0.2.1 ns.c. A': 'answer 192.0.2.80',
    },
    scope: { check: 'on' },
  });
  const explored = wire.explore(PLENTY);
  await wire.answer('192.0.2.1 www.a. A');
  await wire.answer('192.0.2.11 a. NS');
  t.equal(wire.rankOf('192.0.2.1 ns.c. A'), 'check');
  await wire.answer('192.0.2.11 www.a. A');
  t.equal(wire.rankOf('192.0.2.1 ns.c. A'), 'cold');
  await wire.answerAll();
  await explored;
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
    const { outcomes } = evaluate(recording);
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
