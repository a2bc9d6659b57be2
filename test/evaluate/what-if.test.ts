import t from 'tap';
import { parseAddress } from '../../src/dns/address.ts';
import { parseName } from '../../src/dns/name.ts';
import { type Evaluation, outcomesIn } from '../../src/evaluate/evaluate.ts';
import { evaluateWhatIf, type WhatIfEvaluation } from '../../src/evaluate/what-if.ts';
import type { ServerOrAddress } from '../../src/evaluate/world.ts';
import { exploreTable, spelledOutcomes, type TableWorld } from './table-world.ts';

interface Case {
  readonly shows: string;
  readonly world: TableWorld;
  readonly down?: string;
  readonly without?: string;
  readonly only?: string;
  /** Ends, worked out by hand. */
  readonly path: readonly string[];
  /** Absent: those of the path view. */
  readonly resolver?: readonly string[];
  readonly paths?: number;
  /** Milliseconds: best, mean, worst. */
  readonly latency?: readonly [number, number, number];
}

/** Three servers: one name with two addresses, of which one is that of another name too. */
const THREE: TableWorld = {
  roots: 'r1.=192.0.2.1',
  says: {
    '192.0.2.1 *': 'referral a. ns1.a.=192.0.2.11,192.0.2.12 ns2.a.=192.0.2.12',
    '192.0.2.11 *': 'answer 192.0.2.80',
    '192.0.2.12 *': 'answer 192.0.2.81',
  },
};

/** One server with glue, one whose addresses are looked up. */
const LOOKED_UP: TableWorld = {
  roots: 'r1.=192.0.2.1',
  says: {
    '192.0.2.1 ns.b. A': 'answer 192.0.2.21 192.0.2.22',
    '192.0.2.1 *': 'referral a. ns1.a.=192.0.2.11 ns.b.',
    '192.0.2.11 *': 'answer 192.0.2.80',
    '192.0.2.21 *': 'answer 192.0.2.81',
    '192.0.2.22 *': 'answer 192.0.2.82',
  },
};

const CASES: readonly Case[] = [
  {
    shows: 'a server that is down times out at every address, though others have these',
    world: THREE,
    down: 'ns1.a.',
    path: [
      '1/2 answer 192.0.2.81 at a. by ns2.a. 192.0.2.12',
      '1/4 timeout at a. by ns1.a. 192.0.2.11',
      '1/4 timeout at a. by ns1.a. 192.0.2.12',
    ],
    resolver: ['1 answer 192.0.2.81 at a. by ns2.a. 192.0.2.12'],
    paths: 3,
    // Every exchange takes 1 ms; two tries of 200 ms take 400 ms.
    latency: [2, 1 + 1 / 2 + 400 / 2, 401],
  },
  {
    shows: 'an address that is down times out under every name',
    world: THREE,
    down: '192.0.2.12',
    path: [
      '1/2 timeout at a. by ns2.a. 192.0.2.12',
      '1/4 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
      '1/4 timeout at a. by ns1.a. 192.0.2.12',
    ],
    resolver: ['1 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11'],
  },
  {
    shows: 'without a server the shares go to the rest',
    world: THREE,
    without: 'ns2.a.',
    path: [
      '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
      '1/2 answer 192.0.2.81 at a. by ns1.a. 192.0.2.12',
    ],
  },
  {
    shows: 'a name leaves with the last of its glue',
    world: THREE,
    without: '192.0.2.12',
    path: ['1 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11'],
    paths: 1,
  },
  {
    shows: 'only a name is left with all its addresses',
    world: THREE,
    only: 'ns1.a.',
    path: [
      '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
      '1/2 answer 192.0.2.81 at a. by ns1.a. 192.0.2.12',
    ],
  },
  {
    shows: 'only an address is left under every name that has it',
    world: THREE,
    only: '192.0.2.12',
    path: [
      '1/2 answer 192.0.2.81 at a. by ns1.a. 192.0.2.12',
      '1/2 answer 192.0.2.81 at a. by ns2.a. 192.0.2.12',
    ],
  },
  {
    shows: 'a name and one of its addresses: only that address of it',
    world: THREE,
    only: 'ns1.a. 192.0.2.11',
    path: ['1 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11'],
  },
  {
    shows: 'an address is taken from what lookups give',
    world: LOOKED_UP,
    without: '192.0.2.21',
    path: [
      '1/2 answer 192.0.2.82 at a. by ns.b. 192.0.2.22',
      '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
    ],
  },
  {
    shows: 'a lookup of whose answer nothing is left gave no address',
    world: LOOKED_UP,
    without: '192.0.2.21 192.0.2.22',
    path: [
      '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
      '1/2 unresolvable-ns ns.b. at a. because answer 192.0.2.21 192.0.2.22 at . by r1. 192.0.2.1',
    ],
    resolver: ['1 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11'],
  },
  {
    shows: 'what lookups give is cut down to an address; a delegation that lacks it stays',
    world: LOOKED_UP,
    only: '192.0.2.21',
    path: [
      '1/2 answer 192.0.2.81 at a. by ns.b. 192.0.2.21',
      '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
    ],
  },
  {
    shows: 'several at once; --without goes before --only',
    world: THREE,
    without: '192.0.2.11',
    only: 'ns1.a.',
    down: 'ns1.a.',
    path: ['1 timeout at a. by ns1.a. 192.0.2.12'],
    resolver: ['1 servfail at a.'],
  },
];

for (const { shows, world, ...one } of CASES) {
  t.test(shows, async (t) => {
    const imagined = evaluationIn(await imagine(world, one));
    const { countPaths, latency } = imagined;
    t.same(spelledOutcomes(outcomesIn(imagined, 'first-tries')), one.path);
    t.same(spelledOutcomes(outcomesIn(imagined, 'resolver')), one.resolver ?? one.path);
    if (one.paths !== undefined) t.equal(countPaths(), BigInt(one.paths));
    if (one.latency !== undefined) t.same([latency.best, latency.mean, latency.worst], one.latency);
  });
}

t.test('the zone’s own set is changed too, with the glue that it has from its delegation', async (t) => {
  const world: TableWorld = {
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 . NS': 'own r1.=192.0.2.1',
      '192.0.2.1 *': 'referral a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12',
      '192.0.2.11 a. NS': 'own ns1.a. ns2.a.',
      '192.0.2.12 a. NS': 'own ns1.a. ns2.a.',
      '192.0.2.11 *': 'answer 192.0.2.80',
      '192.0.2.12 *': 'answer 192.0.2.81',
    },
    scope: { check: 'on' },
  };
  const warmOf = async (changes: Changes) =>
    spelledOutcomes(outcomesIn(evaluationIn(await imagine(world, changes)), 'first-tries/warm'));
  const first = '1 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11';
  t.same(await warmOf({ without: '192.0.2.12' }), [first]);
  t.same(await warmOf({ only: '192.0.2.11' }), [first]);
  t.same(await warmOf({ down: 'ns2.a.' }), [
    '1/2 answer 192.0.2.80 at a. by ns1.a. 192.0.2.11',
    '1/2 timeout at a. by ns2.a. 192.0.2.12',
  ]);
});

t.test('there is no such world', async (t) => {
  const unknown = await imagine(THREE, { down: 'ns3.a.' });
  t.match(unknown, { kind: 'unknown-server', server: { name: 'ns3.a.' } });
  t.match(await imagine(THREE, { only: '192.0.2.80' }), { kind: 'unknown-server' });
  t.same(await imagine(THREE, { without: 'ns1.a. ns2.a.' }), { kind: 'emptied', zone: 'a.' });
  t.same(await imagine(THREE, { without: 'r1.' }), { kind: 'emptied', zone: '.' });
});

t.test('what is left is not taken away by its other name or its addresses', async (t) => {
  const rows: readonly (readonly [world: TableWorld, only: string, without: string, taken: boolean])[] = [
    [THREE, 'ns1.a.', '192.0.2.11 192.0.2.12', true],
    [THREE, 'ns1.a.', '192.0.2.11', false],
    [THREE, '192.0.2.11', 'ns1.a.', true],
    // ns2.a. has it, too.
    [THREE, '192.0.2.12', 'ns1.a.', false],
    [LOOKED_UP, 'ns.b.', '192.0.2.21 192.0.2.22', true],
    [LOOKED_UP, 'ns.b.', '192.0.2.21', false],
    [LOOKED_UP, '192.0.2.22', 'ns.b.', true],
  ];
  for (const [world, only, without, taken] of rows) {
    const imagined = await imagine(world, { only, without });
    t.equal(imagined.kind, taken ? 'taken' : 'imagined', `--only ${only} --without ${without}`);
  }
});

t.test('servers of the case that a delegation stands are servers of the record', async (t) => {
  // Below a., the zone's own set is asked; ns2.a. alone refers x.a. on.
  const world: TableWorld = {
    ask: 'www.x.a. A',
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 . NS': 'own r2.=192.0.2.2',
      '192.0.2.1 *': 'referral a. ns1.a.=192.0.2.11',
      '192.0.2.2 *': 'referral a. ns2.a.=192.0.2.12',
      '192.0.2.12 a. NS': 'own ns3.a.=192.0.2.13',
      '192.0.2.12 www.x.a. A': 'referral x.a. ns4.x.a.=192.0.2.14 ns.b.',
      '192.0.2.1 ns.b. A': 'answer 192.0.2.21',
      '192.0.2.2 ns.b. A': 'answer 192.0.2.22',
    },
    otherwise: 'answer 203.0.113.1',
    scope: { warm: 'on' },
  };
  for (const server of ['ns4.x.a.', '192.0.2.14', 'ns.b.', '192.0.2.22']) {
    t.equal((await imagine(world, { down: server })).kind, 'imagined', `--down ${server}`);
    t.equal((await imagine(world, { without: server })).kind, 'imagined', `--without ${server}`);
    t.equal((await imagine(world, { only: server })).kind, 'imagined', `--only ${server}`);
  }
});

t.test('a delegation that no path comes to any more may be empty', async (t) => {
  const world: TableWorld = {
    roots: 'r1.=192.0.2.1 r2.=192.0.2.2',
    says: {
      '192.0.2.1 *': 'referral a. ns1.a.=192.0.2.11',
      '192.0.2.2 *': 'answer 192.0.2.80',
      '192.0.2.11 *': 'answer 192.0.2.81',
    },
  };
  const imagined = evaluationIn(await imagine(world, { without: 'ns1.a. r1.' }));
  t.same(spelledOutcomes(outcomesIn(imagined, 'first-tries')), ['1 answer 192.0.2.80 at . by r2. 192.0.2.2']);
});

t.test('what the record lacks counts as beyond the query limit', async (t) => {
  const { recording, evaluation } = await exploreTable(THREE);
  const exchanges = new Map([...recording.exchanges].filter(([key]) => !key.startsWith('192.0.2.11')));
  const changes = { down: [{ kind: 'address', address: '192.0.2.12' }], without: [], only: [] } as const;
  const imagined = evaluateWhatIf({ ...recording, exchanges }, evaluation, changes, ASKED);
  t.same(spelledOutcomes(outcomesIn(evaluationIn(imagined), 'resolver')), [
    '1 query-limit at a. by ns1.a. 192.0.2.11',
  ]);
});

type Changes = Pick<Case, 'down' | 'without' | 'only'>;

const ASKED = { families: [4], timeoutMs: 200, retries: 1, maxQueries: 1_000 } as const;

async function imagine(world: TableWorld, { down, without, only }: Changes) {
  const { recording, evaluation } = await exploreTable(world);
  const whatIf = { down: serversIn(down), without: serversIn(without), only: serversIn(only) };
  return evaluateWhatIf(recording, evaluation, whatIf, ASKED);
}

function evaluationIn(imagined: WhatIfEvaluation): Evaluation {
  if (imagined.kind !== 'imagined') throw new Error(imagined.kind);
  return imagined.evaluation;
}

function serversIn(words: string | undefined): readonly ServerOrAddress[] {
  return (words?.split(' ') ?? []).map((word) => {
    const address = parseAddress(word);
    return address === undefined ? { kind: 'server', name: parseName(word) } : { kind: 'address', address };
  });
}
