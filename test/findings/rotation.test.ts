import t from 'tap';
import { summaryOf } from '../../src/document/ends.ts';
import { readResult } from '../../src/document/read-result.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { exitStatus } from '../../src/report/views/conclusion.ts';
import { shareWords } from '../../src/report/views/wording.ts';
import { replaying, replayWhatIf } from '../../src/traversal/replay.ts';
import { addressOf, COLD_WITH_REPEATS, rotatingWorld, type Turns } from './rotating-worlds.ts';
import {
  alias,
  answer,
  denial,
  type FindingsWorld,
  failure,
  ledger,
  rcode,
  referral,
  type Saying,
  traverseWorld,
} from './world.ts';

/** Records of a pool by their numbers: "192.0.2.101". */
const pool = (...numbers: readonly number[]) => numbers.map((number) => `192.0.2.${100 + number}`);

const ROTATING: Turns = { www: [pool(1, 2), pool(2, 3), pool(3, 1)] };
const OTHER_TURN: Turns = { www: [pool(2, 3), pool(1, 3), pool(1, 2)] };

interface Row {
  readonly shows: string;
  readonly servers: readonly Turns[];
  /** Numbers of the pool that ends have at the servers that rotate. */
  readonly pool: readonly number[];
  /** Numbers of servers whose ends vary; the first is 1. */
  readonly vary: readonly number[];
  /** Codes of ANSWERS_* and ANSWER_* findings with severities, and the server if one is named. */
  readonly finds: readonly string[];
  readonly status: number;
}

const ONE_ANSWER = ['info ANSWERS_ROTATE'];

const ROWS: readonly Row[] = [
  {
    shows: 'servers that rotate over one pool give one answer',
    servers: [ROTATING, OTHER_TURN],
    pool: [1, 2, 3],
    vary: [1, 2],
    finds: ONE_ANSWER,
    status: 0,
  },
  {
    shows: 'one server alone is asked three times, and rotates',
    servers: [ROTATING],
    pool: [1, 2, 3],
    vary: [1],
    finds: ONE_ANSWER,
    // NS_COUNT_LOW
    status: 1,
  },
  {
    shows: 'servers that all agree at first',
    servers: [{ www: [pool(1), pool(2)] }, { www: [pool(1), pool(2)] }],
    pool: [1, 2],
    vary: [1, 2],
    finds: ONE_ANSWER,
    status: 0,
  },
  {
    shows: 'the same records in another order do not vary',
    servers: [{ www: [pool(1, 2), pool(2, 1)] }, { www: [pool(2, 1)] }],
    pool: [],
    vary: [],
    finds: [],
    status: 0,
  },
  {
    shows:
      'a front end that caches gives records of the pool only: once all that rotate are asked 8 times, it belongs to them',
    servers: [
      { www: [pool(1), pool(2), pool(1), pool(2), pool(1), pool(2), pool(3)] },
      { www: [pool(2), pool(1)] },
      { www: [pool(3)] },
    ],
    pool: [1, 2, 3],
    vary: [1, 2, 3],
    finds: ONE_ANSWER,
    status: 0,
  },
  {
    shows: 'a fixed server with a record of the pool and an older serial does not belong',
    servers: [ROTATING, OTHER_TURN, { www: [pool(3)], serials: [4] }],
    pool: [1, 2, 3],
    vary: [1, 2],
    finds: ['error ANSWERS_DIFFER 192.0.2.13', 'error ANSWER_NOT_CERTAIN', 'info ANSWERS_ROTATE'],
    status: 1,
  },
  {
    shows: 'a fixed server outside the pool with an older serial stays a fault',
    servers: [ROTATING, OTHER_TURN, { www: [pool(9)], serials: [4] }],
    pool: [1, 2, 3],
    vary: [1, 2],
    finds: ['error ANSWERS_DIFFER 192.0.2.13', 'error ANSWER_NOT_CERTAIN', 'info ANSWERS_ROTATE'],
    status: 1,
  },
  {
    shows: 'a fixed server outside the pool with the same serial: one version, a warning',
    servers: [ROTATING, OTHER_TURN, { www: [pool(9)] }],
    pool: [1, 2, 3],
    vary: [1, 2],
    finds: ['warning ANSWERS_DIFFER 192.0.2.13', 'warning ANSWER_NOT_CERTAIN', 'info ANSWERS_ROTATE'],
    status: 1,
  },
  {
    shows: 'a stale server that rotates over another pool stays a fault',
    servers: [ROTATING, OTHER_TURN, { www: [pool(7, 8), pool(8, 9)], serials: [4] }],
    pool: [1, 2, 3],
    vary: [1, 2],
    finds: ['error ANSWERS_DIFFER 192.0.2.13', 'error ANSWER_NOT_CERTAIN', 'info ANSWERS_ROTATE'],
    status: 1,
  },
  {
    shows: 'two stale servers that share another pool do not vouch for each other',
    servers: [
      ROTATING,
      OTHER_TURN,
      { www: [pool(7, 8), pool(8, 9)], serials: [4] },
      { www: [pool(8, 9), pool(7, 9)], serials: [4] },
    ],
    pool: [1, 2, 3],
    vary: [1, 2],
    finds: [
      'error ANSWERS_DIFFER 192.0.2.13',
      'error ANSWERS_DIFFER 192.0.2.14',
      'error ANSWER_NOT_CERTAIN',
      'info ANSWERS_ROTATE',
    ],
    status: 1,
  },
  {
    shows: 'an older serial does not matter where the pools overlap',
    servers: [ROTATING, { www: [pool(3, 4), pool(4, 1)], serials: [4] }],
    pool: [1, 2, 3, 4],
    vary: [1, 2],
    finds: ONE_ANSWER,
    status: 0,
  },
  {
    shows: 'another pool without an older serial is another part of the same',
    servers: [ROTATING, { www: [pool(7), pool(8)] }],
    pool: [1, 2, 3, 7, 8],
    vary: [1, 2],
    finds: ONE_ANSWER,
    status: 0,
  },
  {
    shows: 'serials wrap around (RFC 1982)',
    servers: [{ ...ROTATING, serials: [3] }, OTHER_TURN, { www: [pool(9)], serials: [2 ** 32 - 5] }].map(
      (turns, i) => (i === 1 ? { ...turns, serials: [3] } : turns),
    ),
    pool: [1, 2, 3],
    vary: [1, 2],
    finds: ['error ANSWERS_DIFFER 192.0.2.13', 'error ANSWER_NOT_CERTAIN', 'info ANSWERS_ROTATE'],
    status: 1,
  },
  {
    shows: 'one stale machine behind an address: its serial goes back, and others do not vary',
    servers: [{ www: [pool(1)] }, { www: [pool(9), pool(1)], serials: [5, 4] }],
    pool: [],
    vary: [],
    finds: ['error ANSWERS_DIFFER 192.0.2.12', 'error ANSWER_NOT_CERTAIN'],
    status: 1,
  },
  {
    shows: 'a server that was just being updated does not go back: it rotates as far as anybody can tell',
    servers: [
      { www: [pool(1)], serials: [5] },
      { www: [pool(9), pool(1)], serials: [4, 5, 5, 5, 5, 5, 5, 5] },
    ],
    pool: [1, 9],
    vary: [1, 2],
    finds: ONE_ANSWER,
    status: 0,
  },
  {
    shows: 'a machine that denies the name behind an address of others that know it',
    servers: [{ www: [pool(1)] }, { www: [pool(1)] }].map((turns, i) =>
      i === 0 ? { www: [answer('192.0.2.101'), denial('nxdomain')] } : turns,
    ),
    pool: [],
    vary: [],
    finds: ['error ANSWERS_DIFFER 192.0.2.11', 'error ANSWER_NOT_CERTAIN'],
    status: 1,
  },
  {
    shows: 'fixed data for each server with one serial: one version, warnings, and status 1',
    servers: [{ www: [pool(1)] }, { www: [pool(2)] }],
    pool: [],
    vary: [],
    finds: ['warning ANSWERS_DIFFER', 'warning ANSWER_NOT_CERTAIN'],
    status: 1,
  },
  {
    shows: 'fixed data with different serials: as ever',
    servers: [{ www: [pool(1)] }, { www: [pool(2)], serials: [4] }],
    pool: [],
    vary: [],
    finds: ['error ANSWER_NOT_CERTAIN', 'ANSWERS_DIFFER'],
    status: 1,
  },
  {
    shows: 'a server that stops replying is not waited for again',
    servers: [ROTATING, { www: [answer(...pool(2)), failure('timeout')] }],
    pool: [1, 2, 3],
    vary: [1, 2],
    finds: ONE_ANSWER,
    status: 0,
  },
];

const ABOUT_ANSWERS = /ANSWERS_DIFFER|ANSWERS_ROTATE|ANSWER_NOT_CERTAIN/;

function aboutAnswers({ findings }: TraversalResult): readonly string[] {
  return findings
    .filter(({ code }) => ABOUT_ANSWERS.test(code))
    .map(({ severity, code, server }) => [severity, code, server?.address ?? []].flat().join(' '));
}

/** A cause may be as severe as its consequence. */
const CAUSE_OF_ERROR = /^(error|warning) (?=ANSWERS_DIFFER$)/;

t.test('answers that vary by themselves', async (t) => {
  for (const { shows, servers, pool: numbers, vary, finds, status } of ROWS) {
    const result = await traverseWorld(rotatingWorld(servers));
    const varying = result.views['first-tries'].outcomes.filter((end) => end.kind === 'answer' && end.varies);
    t.same(
      varying.map(({ server }) => server?.address).sort(),
      vary.map((number) => addressOf(number - 1)),
      shows,
    );
    for (const end of varying)
      t.same(end.kind === 'answer' && end.records.map(({ data }) => data), pool(...numbers), shows);
    const isOneVersion = finds.includes('warning ANSWERS_DIFFER');
    const found = aboutAnswers(result).map((one) => (isOneVersion ? one : one.replace(CAUSE_OF_ERROR, '')));
    t.same([...found].sort(), [...finds].sort(), shows);
    t.equal(exitStatus(result), status, shows);
    t.equal(
      new Set(result.views['first-tries'].outcomes.map(({ server }) => server?.address)).size,
      servers.length,
      `${shows}: each server has its ends`,
    );
  }
});

const repeated = <Row>(times: number, row: Row) => Array.from({ length: times }, () => row);

const STALE_TURNS = [...repeated(3, pool(9)), pool(1)];

/** Who gets what in percent, where machines of 192.0.2.12 have different versions: 8 replies of each address are heard. */
const OF_MACHINES: readonly (readonly [shows: string, Turns, ...users: (readonly string[])[]])[] = [
  [
    'one of two machines is stale',
    { www: [pool(1), pool(9)], serials: [4, 5] },
    ['192.0.2.109', '3/4', '61 to 89 %'],
    ['192.0.2.101', '1/4', '11 to 39 %'],
  ],
  [
    'one of four, of which a good one replied first',
    { www: STALE_TURNS, serials: [5, 5, 4, 5] },
    ['192.0.2.109', '7/8', '70 to 96 %'],
    ['192.0.2.101', '1/8', '4 to 30 %'],
  ],
  [
    'one of four denies the name',
    { www: [...repeated(3, answer('192.0.2.109')), denial('nxdomain')] },
    ['192.0.2.109', '7/8', '70 to 96 %'],
    ['nxdomain', '1/8', '4 to 30 %'],
  ],
  [
    'the one that denies it replied first',
    { www: [denial('nodata'), answer('192.0.2.109')] },
    ['192.0.2.109', '3/4', '61 to 89 %'],
    ['nodata', '1/4', '11 to 39 %'],
  ],
];

t.test('the share of an address is split by all its replies', async (t) => {
  for (const [shows, turns, ...users] of OF_MACHINES) {
    const result = await traverseWorld(rotatingWorld([{ www: [pool(9)] }, turns]));
    const told = result.users.map(({ kind, answer: [data] = [kind], share }) => [
      data,
      share.fraction,
      shareWords(share),
    ]);
    t.same(told, users, shows);
    t.match(aboutAnswers(result), ['error ANSWERS_DIFFER 192.0.2.12', 'error ANSWER_NOT_CERTAIN'], shows);
  }
});

/** www.a. is an alias of one of two names, each with servers of its own. */
function weighted(b: FindingsWorld['says'], c: FindingsWorld['says']): FindingsWorld {
  const toA = referral('a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12');
  const below = { 'v.b. A': 'b. ns.b.=192.0.2.31', 'v.c. A': 'c. ns.c.=192.0.2.32' };
  const roots = ['192.0.2.1', '192.0.2.2'].flatMap((root) => [
    [`${root} *`, toA] as const,
    ...Object.entries(below).map(([question, text]) => [`${root} ${question}`, referral(text)] as const),
  ]);
  const turns = (first: number) => {
    let said = first;
    return rotatingWorld([{ www: [(query) => alias(['v.b.', 'v.c.'][said++ % 2] ?? '')(query)] }]).says?.[
      '192.0.2.11 *'
    ];
  };
  const [one, two] = [turns(0), turns(1)];
  if (one === undefined || two === undefined) throw new Error('a world without servers');
  return {
    says: { ...Object.fromEntries(roots), '192.0.2.11 *': one, '192.0.2.12 *': two, ...b, ...c },
    options: COLD_WITH_REPEATS,
    probes: {},
  };
}

t.test('ends behind aliases that rotate are one answer if for each alias alone they are', async (t) => {
  const b = { '192.0.2.31 *': answer('192.0.2.131') };
  const one = await traverseWorld(weighted(b, { '192.0.2.32 *': answer('192.0.2.132') }));
  t.same(aboutAnswers(one), ONE_ANSWER);
  t.same(
    summaryOf(one.views.resolver).map(({ fraction, answer, varies }) => ({ fraction, answer, varies })),
    [{ fraction: '1', answer: ['192.0.2.131', '192.0.2.132'], varies: true }],
  );
  t.same(
    one.views['first-tries'].outcomes.map((end) =>
      end.kind === 'answer' ? end.records.map(({ data }) => data) : [],
    ),
    [['192.0.2.131'], ['192.0.2.132']],
    'each end keeps the records that its server gave',
  );
  const dangling = await traverseWorld(weighted(b, { '192.0.2.32 *': denial('nxdomain', 'c.') }));
  t.match(aboutAnswers(dangling), ['error ANSWER_NOT_CERTAIN', 'info ANSWERS_ROTATE']);
  t.equal(exitStatus(dangling), 1);
});

/** The same, where both servers of a. give these aliases to A, and v.b. to all else. */
function turning(b: FindingsWorld['says'], c: FindingsWorld['says'], aliases: string): FindingsWorld {
  const targets = aliases.split(' ');
  const turns = () => {
    let said = 0;
    const saying: Saying = (query) =>
      alias(query.question.type === 'A' ? (targets[said++ % targets.length] ?? '') : 'v.b.')(query);
    return rotatingWorld([{ www: [saying] }]).says?.['192.0.2.11 *'] ?? saying;
  };
  const world = weighted(b, c);
  return { ...world, says: { ...world.says, '192.0.2.11 *': turns(), '192.0.2.12 *': turns() } };
}

t.test(
  'the aliases of an address share users by all its replies, those heard in a repeat alone included',
  async (t) => {
    const b = { '192.0.2.31 *': answer('192.0.2.131') };
    const gone = { '192.0.2.32 *': denial('nxdomain', 'c.') };
    const told = ({ users }: TraversalResult) =>
      users.map(({ kind, answer: [data] = [kind], share }) => [data, share.fraction, shareWords(share)]);
    const everySecond = turning(b, gone, 'v.b. v.c.');
    const result = await traverseWorld(everySecond);

    t.same(told(result), [
      ['192.0.2.131', '1/2', '28 to 72 %'],
      ['nxdomain', '1/2', '28 to 72 %'],
    ]);
    t.same(told(replaying(readResult(JSON.parse(JSON.stringify(result))))), told(result), 'saved');
    t.match(aboutAnswers(result), ['error ANSWER_NOT_CERTAIN', 'info ANSWERS_ROTATE']);
    const seldom = turning(b, gone, 'v.b. v.b. v.b. v.c.');
    t.same(told(await traverseWorld(seldom)), [
      ['192.0.2.131', '3/4', '51 to 90 %'],
      ['nxdomain', '1/4', '10 to 49 %'],
    ]);
    const fine = await traverseWorld(turning(b, { '192.0.2.32 *': answer('192.0.2.132') }, 'v.b. v.c.'));
    t.same(aboutAnswers(fine), ONE_ANSWER);
    t.equal(told(fine).length, 1, 'one answer');
    const refused = await traverseWorld(turning(b, { '192.0.2.32 *': rcode('REFUSED') }, 'v.b. v.c.'));
    t.match(
      ledger(refused),
      ['f1 critical NS_REFUSED'],
      'what fails behind an alias that only a repeat gave is found',
    );
  },
);

t.test('no more is asked than has to be', async (t) => {
  const asked = async (servers: readonly Turns[]) => {
    const { probes = [] } = await traverseWorld(rotatingWorld(servers));
    const repeats = probes.filter(({ kind }) => kind === 'repeat');
    return repeats.map(({ server, question }) => `${server.address} ${question.type}`);
  };
  t.same(
    (await asked([{ www: [pool(1)] }, { www: [pool(1)] }])).sort(),
    [...repeated(3, '192.0.2.11 A'), ...repeated(3, '192.0.2.12 A')],
    'all agree',
  );
  t.same(
    (await asked([ROTATING, OTHER_TURN])).sort(),
    [...repeated(7, '192.0.2.11 A'), '192.0.2.11 SOA', ...repeated(7, '192.0.2.12 A'), '192.0.2.12 SOA'],
    'until each has replied eight times, and the SOA records once',
  );
  const mixed = await asked([ROTATING, { www: [pool(9)] }]);
  for (const [row, times] of [
    ['192.0.2.11 A', 7],
    ['192.0.2.12 A', 7],
    ['192.0.2.11 SOA', 8],
    ['192.0.2.12 SOA', 8],
  ] as const)
    t.equal(mixed.filter((one) => one === row).length, times, row);
  const quick = await traverseWorld({
    ...rotatingWorld([ROTATING, OTHER_TURN]),
    options: { views: ['resolver'] },
  });
  t.equal(quick.probes, undefined, 'nothing with --quick');
  const { probes } = await traverseWorld({
    ...rotatingWorld([ROTATING, OTHER_TURN]),
    options: { ...COLD_WITH_REPEATS, maxQueries: 3 },
  });
  t.equal(probes, undefined, 'nothing after a limit');
  const ofRoot = await traverseWorld({
    says: { '192.0.2.1 *': answer('192.0.2.80'), '192.0.2.2 *': answer('192.0.2.81') },
    options: COLD_WITH_REPEATS,
    probes: {},
  });
  t.equal(ofRoot.probes, undefined, 'nothing of root servers');
  t.ok(ledger(ofRoot).length > 0);
});

t.test('at most 32 addresses of a question', async (t) => {
  const many = Array.from({ length: 34 }, (_, i): Turns => ({ www: [pool(i + 1), pool(i + 2)] }));
  const {
    probes = [],
    views: {
      'first-tries': { outcomes },
    },
  } = await traverseWorld(rotatingWorld(many));
  const repeats = probes.filter(({ kind }) => kind === 'repeat');
  t.equal(new Set(repeats.map(({ server }) => server.address)).size, 32);
  t.equal(
    outcomes.filter((end) => end.kind === 'answer' && end.varies).length,
    33,
    'those that rotate, and one that gives a record of theirs',
  );
});

t.test(
  'a saved result gives the same again, and the same pool where a server is imagined to be down',
  async (t) => {
    const result = await traverseWorld(
      rotatingWorld([ROTATING, OTHER_TURN, { www: [pool(9)], serials: [4] }]),
    );
    const saved = readResult(JSON.parse(JSON.stringify(result)));
    const {
      views: {
        'first-tries': { outcomes },
      },
      probes,
      findings,
    } = replaying(saved);
    t.same(
      { outcomes, probes, findings },
      { outcomes: result.views['first-tries'].outcomes, probes: result.probes, findings: result.findings },
    );
    const down = [{ kind: 'address', address: '192.0.2.11' }] as const;
    const imagined = replayWhatIf(saved, { down, without: [], only: [] });
    if (imagined.kind !== 'imagined') throw new Error(imagined.kind);
    t.same(
      summaryOf(imagined.result.views.resolver).map(({ fraction, answer }) => [fraction, answer]),
      [
        ['1/2', pool(1, 2, 3)],
        ['1/2', pool(9)],
      ],
    );
  },
);
