import { readFileSync } from 'node:fs';
import t from 'tap';
import { keysOf } from '../../src/base/limits.ts';
import { WORK_COSTS } from '../../src/base/work.ts';
import { type Outcome, outcomesOf } from '../../src/evaluate/distribution.ts';
import { unexamined } from '../../src/evaluate/end.ts';
import { type Evaluation, evaluate, outcomesIn } from '../../src/evaluate/evaluate.ts';
import { resolverView } from '../../src/evaluate/resolver-view.ts';
import { deepestThatFits, resolvingWithinWork, type TryDepth } from '../../src/evaluate/within-work.ts';
import { AS_RECORDED } from '../../src/evaluate/world.ts';
import {
  DEFAULT_PROFILES,
  PROFILE_NAMES,
  PROFILES,
  todaysProfile,
  usualProfile,
} from '../../src/explore/profiles/profiles.ts';
import type { Recording } from '../../src/explore/recording.ts';
import { productsIn } from './products-in.ts';
import { randomRingWorld } from './random-world.ts';
import { compareLines, runWorld, spelledView } from './run-world.ts';
import { exploreTable, spelledOutcomes, type TableWorld } from './table-world.ts';

/** Servers that all refer each zone on to two delegations, by the address asked: the chains double with each label. */
async function doublingChains(labels: number, servers: number) {
  const name = Array.from({ length: labels }, (_, at) => `l${at}`).join('.');
  const zones = Array.from(
    { length: labels },
    (_, at) =>
      `${name
        .split('.')
        .slice(-1 - at)
        .join('.')}.`,
  );
  const addresses = (zone: number, half: number) =>
    Array.from({ length: servers / 2 }, (_, n) => `10.${zone}.${half}.${n}`);
  const referral = (zone: number, half: number) =>
    `referral ${zones[zone]} ${addresses(zone, half)
      .map((address, n) => `n${n}.h${half}.${zones[zone]}=${address}`)
      .join(' ')}`;
  const says = zones.flatMap((_, zone) =>
    [0, 1].flatMap((half) =>
      addresses(zone, half).map((address, n): [string, string] => [
        `${address} *`,
        zone === labels - 1 ? `answer 203.0.113.${n}` : referral(zone + 1, n % 2),
      ]),
    ),
  );
  return exploreTable({
    ask: `${name}. A`,
    roots: 'r1.=192.0.2.1 r2.=192.0.2.2',
    says: { '192.0.2.1 *': referral(0, 0), '192.0.2.2 *': referral(0, 1), ...Object.fromEntries(says) },
    scope: { maxWork: 40_000 },
    maxQueries: 100_000,
  });
}

/** Zones with a server of their own, and one in each other zone that has to be looked up. `own`: said by that of z1. */
function ring(size: number, own?: string): TableWorld {
  const zones = Array.from({ length: size }, (_, at) => `z${at}.`);
  const servers = (at: number) =>
    zones.map((zone, other) => (other === at ? `own.${zone}=10.0.${at}.1` : `ns.${zone}`)).join(' ');
  const rows = zones.flatMap((zone, at): [string, string][] => [
    [`192.0.2.1 ns.${zone} A`, `referral ${zone} ${servers(at)}`],
    [`192.0.2.1 www.${zone} A`, `referral ${zone} ${servers(at)}`],
    ...zones.flatMap((_, by): [string, string][] => [
      [`10.0.${by}.1 ns.${zone} A`, (by === 1 && own) || `answer 10.0.${at}.2`],
      [`10.0.${by}.2 ns.${zone} A`, `answer 10.0.${at}.2`],
      [`10.0.${by}.1 www.${zone} A`, `answer 203.0.113.${by}`],
      [`10.0.${by}.2 www.${zone} A`, `answer 203.0.113.${by}`],
    ]),
  ]);
  return { ask: 'www.z0. A', roots: 'r.=192.0.2.1', says: Object.fromEntries(rows) };
}

/** Zones in turn below two top-level domains; each is served by two servers in every one, and has glue for its own alone. */
function wideRing(size: number): TableWorld {
  const zones = Array.from({ length: size }, (_, at) => `z${at}.t${at % 2}.`);
  const hosts = zones.flatMap((zone, at) =>
    [1, 2].map((last) => ({ zone, name: `n${last}.${zone}`, address: `10.0.${at}.${last}` })),
  );
  const servers = (own: string) =>
    hosts.map(({ zone, name, address }) => (zone === own ? `${name}=${address}` : name)).join(' ');
  const rows = zones.flatMap((zone, at): [string, string][] => {
    const tld = `t${at % 2}.`;
    return [
      ...hosts.filter((host) => host.zone === zone),
      { name: `www.${zone}`, address: '203.0.113.1' },
    ].flatMap(({ name, address: answer }): [string, string][] => [
      [`192.0.2.1 ${name} A`, `referral ${tld} ns.${tld}=192.0.2.${2 + (at % 2)}`],
      [`192.0.2.${2 + (at % 2)} ${name} A`, `referral ${zone} ${servers(zone)}`],
      ...hosts.map(({ address }): [string, string] => [`${address} ${name} A`, `answer ${answer}`]),
    ]);
  });
  return {
    ask: 'www.z0.t0. A',
    roots: 'r.=192.0.2.1',
    says: Object.fromEntries(rows),
    scope: { maxWork: 20_000 },
  };
}

/** What WORK says of each thing; `#` is its number. */
const COSTS_SAID: Readonly<Record<keyof typeof WORK_COSTS, string>> = {
  exploredStep: 'it may meet one for every # steps of the limit',
  address: '# addresses that a path may pick',
  oddAddress: 'each name server and each address beyond the first 256 at one step costs #',
  givenAddress: '# addresses that a lookup gives to a step that needs it',
  oddGivenAddress: 'each address that lookups give beyond the first 256 costs #',
  proofQuestion: 'costs # explored steps for each address that it is put to',
  reply: '# replies that are validated',
  record: '# of their records',
  signature: '# of their signatures',
  signatureCheck: 'A signature that is checked costs # steps',
  slowSignatureCheck: '(14, 16, or RSA with a public exponent beyond 3 octets) #',
  digest: '# digest',
  variant: '# earlier results of a step that cannot be reused',
  repeated: 'each of its name servers and addresses costs # steps more',
  answerCharacter: '# characters of an answer that paths end in',
  end: '# ends or picks of a step that is folded',
  endDigit: 'or # hexadecimal digits of their probabilities',
  chance: '# pairs of servers that are usable only with some probability',
  chanceDigit: 'or # hexadecimal digits of their chances',
  search: "Each state of a product's search among the servers of a zone .Pq Sx PROFILES costs # steps",
  momentDigit: 'cost one step for every # hexadecimal digits',
  point: '# points of the time distribution of a lookup',
};

/** Earlier versions are listed only where they differ. */
const USUAL = PROFILE_NAMES.filter((name) => (todaysProfile(name) ?? usualProfile(name)) === undefined);

t.test('svc-model(7) says what each thing costs', async (t) => {
  const [, text = ''] = /^\.Sh WORK$(.*?)^\.Sh /ms.exec(readFileSync('man/svc-model.7', 'utf8')) ?? [];
  const words = text.replaceAll(/\s+/g, ' ');
  for (const kind of keysOf(WORK_COSTS)) {
    const { count, steps } = WORK_COSTS[kind];
    const number = steps === 1 ? Math.round(count) : steps;
    const said = COSTS_SAID[kind].replace('#', String(number));
    t.ok(words.includes(said), said);
  }
});

t.test('chains that double with every label take exploring to the limit of work', async (t) => {
  const { evaluation, asked } = await doublingChains(24, 8);
  t.ok(asked.length < 2_000 * 16, `${asked.length} questions`);
  t.ok(
    spelledOutcomes(outcomesIn(evaluation, 'first-tries')).some((outcome) => outcome.includes('work-limit')),
  );
});

t.test('evaluating takes each of their delegations once, as nothing is looked up before it', async (t) => {
  const { evaluation } = await doublingChains(9, 8);
  t.equal(evaluation.coverage, 'whole');
  t.equal(evaluation.countPaths(), 2n * 4n ** 9n);
  t.equal(evaluation.passes.size, 1 + 2 * 9);
});

t.test(
  'addresses that a path may pick are work: thousands at one step exceed it before they are folded',
  async (t) => {
    const glue = Array.from({ length: 3_000 }, (_, n) => `10.0.${n >> 8}.${n & 255}`);
    const { evaluation } = await exploreTable({
      roots: 'r1.=192.0.2.1',
      says: {
        '192.0.2.1 *': `referral a. ns.a.=${glue.join(',')}`,
        ...Object.fromEntries(glue.map((address) => [`${address} *`, 'answer 203.0.113.1'])),
      },
      scope: { maxWork: 100 },
      maxQueries: 10_000,
    });
    t.same(spelledOutcomes(outcomesIn(evaluation, 'first-tries')), ['1 work-limit at a.']);
  },
);

t.test('addresses that lookups come to are much work where they are more than usual', async (t) => {
  const servers = Array.from({ length: 16 }, (_, at) => ({
    name: `n${at}.b.`,
    addresses: Array.from({ length: 2_000 }, (_, n) => `127.${at}.${n >> 8}.${n & 255}`),
  }));
  const { evaluation } = await exploreTable({
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 www.a. A': `referral a. ${servers.map(({ name }) => name).join(' ')}`,
      '192.0.2.1 *': 'referral b. s.b.=192.0.2.2',
      ...Object.fromEntries(
        servers.flatMap(({ name, addresses }) => [
          [`192.0.2.2 ${name} A`, `answer ${addresses.join(' ')}`],
          ...addresses.map((address) => [`${address} *`, 'nodata']),
        ]),
      ),
    },
    scope: { maxWork: 200_000 },
    maxQueries: 100,
  });
  const outcomes = outcomesIn(evaluation, 'first-tries');
  t.ok(outcomes.length <= 2 * servers.length, `${outcomes.length} outcomes`);
  t.match(spelledOutcomes(outcomes)[0], /work-limit/);
});

t.test('long answers are work too, each time a path ends in one', async (t) => {
  const data = Array.from({ length: 1_000 }, (_, n) => `203.0.${n >> 8}.${n & 255}`).join(' ');
  const names = Array.from({ length: 100 }, (_, n) => `ns${n}.a.=192.0.2.9`).join(' ');
  const { evaluation } = await exploreTable({
    roots: 'r1.=192.0.2.1',
    says: { '192.0.2.1 *': `referral a. ${names}`, '192.0.2.9 *': `answer ${data}` },
    scope: { maxWork: 100 },
  });
  t.same(spelledOutcomes(outcomesIn(evaluation, 'first-tries')), ['1 work-limit at a.']);
});

t.test('servers that may be usable or not are work: it grows with the square of their number', async (t) => {
  const lookedUp = Array.from({ length: 600 }, (_, n) => `ns${n}.b.`).join(' ');
  const world = (maxWork: number) =>
    exploreTable({
      roots: 'r1.=192.0.2.1',
      says: {
        '192.0.2.1 www.a. A': `referral a. ${lookedUp}`,
        '192.0.2.1 *': 'referral b. n1.b.=192.0.2.2 n2.b.=192.0.2.3',
        '192.0.2.2 *': 'answer 192.0.2.9',
        '192.0.2.3 *': 'nxdomain',
        '192.0.2.9 *': 'answer 203.0.113.1',
      },
      scope: { maxWork },
      maxQueries: 10_000,
    });
  const [some, much] = [await world(10_000), await world(100_000)];
  t.match(spelledOutcomes(outcomesIn(some.evaluation, 'first-tries'))[0], /because work-limit/);
  t.equal(much.evaluation.coverage, 'whole');
  t.match(spelledOutcomes(outcomesIn(much.evaluation, 'resolver'))[0], /answer 203\.0\.113\.1/);
});

t.test(
  'combinations of lookups that come out in one of two ways are more work than a product may take',
  async (t) => {
    const { evaluation } = await exploreTable({
      roots: 'r1.=192.0.2.1',
      says: {
        '192.0.2.1 www.a. A': `referral a. ${Array.from({ length: 60 }, (_, n) => `ns${n}.b.`).join(' ')}`,
        '192.0.2.1 *': 'referral b. n1.b.=192.0.2.2 n2.b.=192.0.2.3',
        '192.0.2.2 *': 'answer 192.0.2.9',
        '192.0.2.3 *': 'nxdomain',
        '192.0.2.9 *': 'answer 203.0.113.1',
      },
      scope: { maxWork: 200_000, profiles: PROFILE_NAMES },
      maxQueries: 10_000,
    });
    t.match(spelledOutcomes(outcomesIn(evaluation, 'first-tries'))[0], /answer 203\.0\.113\.1/);
    t.same(productsIn(evaluation), []);
    t.same(
      [...evaluation.leftOut],
      USUAL.map((name) => [name, 'work']),
    );
  },
);

t.test('products are left out warm alone where only the own NS set is too much work', async (t) => {
  const { evaluation } = await exploreTable({
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 . NS': 'own r1.=192.0.2.1',
      '192.0.2.1 www.a. A': 'referral a. ns.a.=192.0.2.8',
      '192.0.2.8 a. NS': `own ${Array.from({ length: 60 }, (_, n) => `ns${n}.b.`).join(' ')}`,
      '192.0.2.8 *': 'answer 203.0.113.1',
      '192.0.2.1 *': 'referral b. n1.b.=192.0.2.2 n2.b.=192.0.2.3',
      '192.0.2.2 *': 'answer 192.0.2.9',
      '192.0.2.3 *': 'nxdomain',
      '192.0.2.9 *': 'answer 203.0.113.1',
    },
    scope: { warm: 'on', maxWork: 200_000, profiles: DEFAULT_PROFILES },
    maxQueries: 10_000,
  });
  t.same(
    productsIn(evaluation).map(({ name, warm }) => [name, warm]),
    DEFAULT_PROFILES.map((name) => [name, undefined]),
  );
  t.same(
    [...evaluation.leftOut],
    DEFAULT_PROFILES.map((name) => [`${name}/warm`, 'work']),
  );
});

t.test('hundreds of servers that are alike are little work to a product', async (t) => {
  const glue = Array.from({ length: 900 }, (_, n) => `10.0.${n >> 8}.${n & 255}`);
  const { evaluation } = await exploreTable({
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 *': `referral a. ns.a.=${glue.join(',')}`,
      ...Object.fromEntries(glue.map((address) => [`${address} *`, 'unreachable'])),
    },
    scope: { maxWork: 1_000_000, profiles: PROFILE_NAMES },
    maxQueries: 10_000,
  });
  t.same(spelledOutcomes(outcomesIn(evaluation, 'resolver')), ['1 servfail at a.']);
  for (const { name, outcomes } of productsIn(evaluation))
    t.same(spelledOutcomes(outcomes), ['1 servfail at a.'], name);
  const inTurn = USUAL.filter((name) => PROFILES[name].tries.kind === 'in-turn');
  t.same(
    inTurn.filter((one) => !evaluation.views.has(one)),
    [],
  );
});

t.test('so are pairs of what an A and an AAAA lookup come to, before they are made', async (t) => {
  const servers = Array.from({ length: 200 }, (_, n) => n);
  const addressOf = (n: number) => `10.0.${n >> 8}.${n & 255}`;
  const { recording } = await exploreTable({
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 www.a. A': 'referral a. ns.b.',
      '192.0.2.1 *': `referral b. ${servers.map((n) => `n${n}.b.=${addressOf(n)}`).join(' ')}`,
      ...Object.fromEntries(
        servers.flatMap((n) => [
          [`${addressOf(n)} ns.b. A`, `answer 10.1.${n >> 8}.${n & 255}`],
          [`${addressOf(n)} ns.b. AAAA`, `answer 2001:db8::${(n + 1).toString(16)}`],
          [`10.1.${n >> 8}.${n & 255} *`, 'nodata'],
          [`2001:db8::${(n + 1).toString(16)} *`, 'nodata'],
        ]),
      ),
    },
    scope: { families: [4, 6] },
    maxQueries: 10_000,
  });
  const evaluation = evaluate({ ...recording, scope: { ...recording.scope, maxWork: 10_000 } });
  t.match(spelledOutcomes(outcomesIn(evaluation, 'first-tries')), [
    /^1 unresolvable-ns ns\.b\. .* because work-limit/,
  ]);
});

interface Search {
  readonly depth: number;
  readonly found: string;
  /** In this order; `!` where that is too much. */
  readonly tried: string;
}

/** Searches where each depth takes so much work, and those that are not listed more than any. */
function searched(works: readonly number[], tooDeep: number, mostWork: number): Search {
  const tried: string[] = [];
  const attempt: TryDepth<string> = (depth) => {
    const work = works[depth] ?? Number.POSITIVE_INFINITY;
    const fits = depth === 0 || work <= mostWork;
    tried.push(fits ? `${depth}` : `${depth}!`);
    return fits ? { found: `down to ${depth}`, work } : undefined;
  };
  const { found, depth } = deepestThatFits(tooDeep, mostWork, attempt);
  return { depth, found, tried: tried.join(' ') };
}

// Two levels go once round: a referral, and a lookup.
const RING = [3, 19, 49, 220, 258, 2_248, 2_302, 15_088, 15_245, 69_917, 70_421, 256_351, 257_544, 715_840];
const DOUBLING = Array.from({ length: 30 }, (_, depth) => 2 ** depth);
const STEADY = Array.from({ length: 30 }, (_, depth) => 100 * (depth + 1));
const LATE = [...Array.from({ length: 20 }, () => 5), 1_000_000];

for (const [works, named, tooDeep, mostWork, depth, tried] of [
  [RING, 'a ring', 30, 200_000, 10, '0 4 9 10 11!'],
  [RING, 'a ring', 30, 5_000, 6, '0 4 6 7!'],
  [RING, 'a ring', 30, 240, 3, '0 4! 2 3'],
  [RING, 'a ring', 30, 2, 0, '0 4! 2! 1!'],
  [RING, 'a ring', 6, 200_000, 5, '0 3 4 5'],
  [DOUBLING, 'work that doubles', 30, 100_000, 16, '0 4 16 17!'],
  [DOUBLING, 'work that doubles', 30, 1_048_576, 20, '0 4 17 20 21!'],
  [STEADY, 'work that grows steadily', 30, 1_234, 11, '0 4 6 7 8 9 10 11 12!'],
  [LATE, 'work that grows late', 30, 100, 19, '0 4 17 23! 20! 18 19'],
  [[7], 'depths that all take too much', 30, 100, 0, '0 4! 2! 1!'],
  [[7], 'no depth between', 1, 100, 0, '0'],
] as const) {
  t.test(`${named}: ${mostWork} steps fit to depth ${depth} of ${tooDeep}`, async (t) => {
    t.same(searched(works, tooDeep, mostWork), { depth, found: `down to ${depth}`, tried });
  });
}

t.test('the first step fits whatever it takes, and may take as much as others', async (t) => {
  t.match(searched([500, 90, 90, 95, 200], 30, 100), { depth: 3, tried: '0 4! 2 3' });
  t.match(searched([100, 100, 100, 100, 100], 30, 100), { depth: 4, tried: '0 4 17! 10! 7! 5!' });
});

t.test('however work grows, the next depth does not fit', async (t) => {
  for (let factor = 1.05; factor < 10; factor *= 1.1) {
    const works = Array.from({ length: 40 }, (_, depth) => factor ** depth);
    const fitting = [10, 100, 1_000, 10_000, 100_000].map((most) => searched(works, 30, most).depth);
    const expected = [10, 100, 1_000, 10_000, 100_000].map((most) =>
      Math.min(
        29,
        works.findLastIndex((work) => work <= most),
      ),
    );
    t.same(fitting, expected, `by ${factor.toFixed(2)} each level`);
  }
});

/** Zones of two servers under two top-level domains: look-ups are nested deeper than the limit allows. */
t.test('a ring whose replies are all alike is known to resolvers at any width', async (t) => {
  for (const zones of [6, 8]) {
    const { evaluation } = await exploreTable(wideRing(zones));
    t.equal(evaluation.coverage, 'limited');
    t.ok(outcomesIn(evaluation, 'first-tries').some(({ end }) => unexamined(end) !== undefined));
    t.same(
      outcomesIn(evaluation, 'resolver').filter(({ end }) => unexamined(end) !== undefined),
      [],
    );
  }
});

for (const [what, own] of [
  ['all servers reply', 'answer 10.0.1.2'],
  ['a zone depends on the others', 'timeout'],
] as const) {
  t.test(`where ${what}, a ring is known to resolvers although its paths are too many`, async (t) => {
    const { recording, evaluation } = await exploreTable(ring(6, own));
    t.equal(evaluation.coverage, 'whole');
    const limited = evaluate({ ...recording, scope: { ...recording.scope, maxWork: 1_000 } });
    t.ok(outcomesIn(limited, 'first-tries').some(({ end }) => unexamined(end) !== undefined));
    t.same(
      spelledOutcomes(outcomesIn(limited, 'resolver')),
      spelledOutcomes(outcomesIn(evaluation, 'resolver')),
    );
  });
}

interface Resolved {
  readonly steps: number;
  readonly outcomes: readonly Outcome[];
}

function resolved(recording: Recording, kind: 'cold' | 'warm'): Resolved {
  return resolvingWithinWork({ recording, world: AS_RECORDED, start: { kind } }, ({ start, steps }) => {
    const view = resolverView(steps, Number.POSITIVE_INFINITY);
    return view && { steps: steps.length, outcomes: outcomesOf(view(start)) };
  });
}

const WORLDS = 80;

/** Deep enough for each ring of them. */
const DEEP = 60;

/**
 * A limit of depth on the way to a server's address changes nothing where all usable replies come to the same: what the
 * fewer steps say then is what there is without that limit.
 */
t.test(`${WORLDS} random rings are the same to resolvers in the fewer steps that these need`, async (t) => {
  let [fewer, deeper] = [0, 0];
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const world = randomRingWorld(seed);
    const { recording, evaluation } = await runWorld(world, 100_000, 'on');
    if (isBeyondWork(outcomesIn(evaluation, 'first-tries'))) continue;
    const views = [resolved(recording, 'cold'), resolved(recording, 'warm')] as const;
    const differences = differencesFrom(evaluation, views);
    if (differences.length > 0) {
      const { evaluation: further } = await runWorld({ ...world, maxDepth: DEEP }, 100_000, 'on');
      const ends = (['resolver', 'warm'] as const).flatMap((name) => outcomesIn(evaluation, name));
      t.ok(ends.some(({ end }) => unexamined(end)?.kind === 'depth-limit'));
      t.same(differencesFrom(further, views), [], `world ${seed}`);
      deeper += 1;
    }
    if (views[0].steps < evaluation.passes.size) fewer += 1;
  }
  t.ok(fewer >= WORLDS / 8, `${fewer} worlds in fewer steps`);
  t.ok(deeper > 0, `${deeper} worlds as without the limit of depth`);
});

function differencesFrom(
  evaluation: Evaluation,
  [cold, warmed]: readonly [Resolved, Resolved],
): readonly string[] {
  return [
    ...compare('cold', outcomesIn(evaluation, 'resolver'), cold),
    ...compare('warm', outcomesIn(evaluation, 'warm'), warmed),
  ];
}

function isBeyondWork(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ end }) => unexamined(end)?.kind === 'work-limit');
}

function compare(walk: string, expected: readonly Outcome[], { outcomes }: Resolved): string[] {
  return compareLines(walk, spelledView(expected), spelledView(outcomes));
}
