import t from 'tap';
import { drawingFrom } from '../../src/base/chance.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { changesBetween } from '../../src/report/views/changes.ts';
import { asExpected } from '../../src/report/views/conclusion.ts';
import {
  type KnownRotation,
  NOTHING_REMEMBERED,
  remembering,
} from '../../src/report/views/rotation-changes.ts';
import { COLD_WITH_REPEATS, rotatingWorld, type Turns } from '../findings/rotating-worlds.ts';
import {
  alias,
  answer,
  type FindingsWorld,
  failure,
  referral,
  type Saying,
  traverseWorld,
} from '../findings/world.ts';

const ROUNDS = 100;

/** Results of one world after another; chance goes on from round to round. */
async function rounds(worlds: readonly (() => FindingsWorld)[]): Promise<readonly TraversalResult[]> {
  const results: TraversalResult[] = [];
  for (const world of worlds) results.push(await traverseWorld(world()));
  return results;
}

/** The numbers of the rounds, from 0, at which a watcher that remembers rotation has something to tell. */
function alarms(results: readonly TraversalResult[]): readonly number[] {
  let remembered = NOTHING_REMEMBERED;
  return results.flatMap((after, round) => {
    const before: KnownRotation = remembered.known;
    remembered = remembering(remembered, after);
    const last = results[round - 1];
    if (last === undefined) return [];
    return changesBetween(last, after, { before, after: remembered.known }).same ? [] : [round];
  });
}

const repeated = <T>(times: number, one: T): readonly T[] => Array.from({ length: times }, () => one);

const draw = drawingFrom(14);
const pick = (below: number) => Number(draw(BigInt(below)));

/** Four of 16 addresses, by chance. */
const some: Saying = (query) => {
  const left = Array.from({ length: 16 }, (_, i) => 100 + i);
  return answer(...Array.from({ length: 4 }, () => `192.0.2.${left.splice(pick(left.length), 1)}`))(query);
};

const POOL: Turns = { www: [some] };
const pool = () => rotatingWorld([POOL, POOL]);
const fixed = () => rotatingWorld([{ www: [['192.0.2.101']] }, { www: [['192.0.2.101']] }]);

/** Two networks, either of which an alias leads to by chance. */
function weighted(): FindingsWorld {
  const toA = referral('a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12 ns3.a.=192.0.2.13 ns4.a.=192.0.2.14');
  const toB = referral('b. ns1.b.=192.0.2.31 ns2.b.=192.0.2.33');
  const toC = referral('c. ns1.c.=192.0.2.32 ns2.c.=192.0.2.34');
  const either: Saying = (query) =>
    alias(query.question.type === 'AAAA' || pick(2) === 0 ? 'v.b.' : 'v.c.')(query);
  const root = (address: string) => ({
    [`${address} *`]: toA,
    [`${address} v.b. A`]: toB,
    [`${address} v.c. A`]: toC,
  });
  const { says } = rotatingWorld([{ www: [either] }]);
  const own = says?.['192.0.2.11 *'] ?? either;
  return {
    says: {
      ...root('192.0.2.1'),
      ...root('192.0.2.2'),
      ...Object.fromEntries([11, 12, 13, 14].map((host) => [`192.0.2.${host} *`, own])),
      ...Object.fromEntries([31, 33].map((host) => [`192.0.2.${host} *`, answer('192.0.2.131')])),
      ...Object.fromEntries([32, 34].map((host) => [`192.0.2.${host} *`, answer('192.0.2.132')])),
    },
    options: COLD_WITH_REPEATS,
    probes: {},
  };
}

t.test('a rotation raises no alarm in 100 rounds of watching', async (t) => {
  const results = await rounds(repeated(ROUNDS, pool));
  t.same(alarms(results), [], 'a pool of 16');
  const differing = results.filter((after, i) => {
    const before = results[i - 1];
    return before !== undefined && !changesBetween(before, after).same;
  });
  t.same(differing, [], 'two results of which are the same');
  t.same(alarms(await rounds(repeated(ROUNDS / 4, weighted))), [], 'aliases of two networks');
});

t.test('networks that aliases rotate are expected together, not each by itself', async (t) => {
  for (const [expect, standing] of [
    [['192.0.2.131'], 'unexpected'],
    [['192.0.2.132'], 'unexpected'],
    [['192.0.2.131', '192.0.2.132'], 'expected'],
    [['+192.0.2.131'], 'expected'],
  ] as const) {
    const world = weighted();
    const result = await traverseWorld({ ...world, options: { ...world.options, expect } });
    t.equal(asExpected(result, 'users'), standing, expect.join(' '));
  }
});

t.test('the first round that matters raises an alarm', async (t) => {
  const dead = () => ({ ...pool(), says: { ...pool().says, '192.0.2.12 *': failure('timeout') } });
  const outside = () => rotatingWorld([POOL, { www: [['192.0.2.201']], serials: [4] }]);
  for (const [event, other] of [
    ['a server dies', dead],
    ['a server gives data outside the pool', outside],
  ] as const)
    t.same(alarms(await rounds([...repeated(5, pool), other])), [5], event);
  t.same(alarms(await rounds([...repeated(5, fixed), ...repeated(5, pool)])), [5], 'rotation begins');
  t.same(
    alarms(await rounds([...repeated(5, pool), ...repeated(25, fixed)])),
    [24],
    'rotation ends: after 20 rounds without any, as fewer may be chance',
  );
});

t.test('two results differ where only one rotates, or where data come from outside', async (t) => {
  const [rotating, another, still, stale] = await rounds([
    pool,
    pool,
    fixed,
    () => rotatingWorld([POOL, { www: [['192.0.2.201']], serials: [4] }]),
  ]);
  if (!rotating || !another || !still || !stale) throw new Error('a round is missing');
  t.ok(changesBetween(rotating, another).same);
  t.notOk(changesBetween(still, rotating).same, 'begins');
  t.notOk(changesBetween(rotating, still).same, 'ends');
  t.notOk(changesBetween(rotating, stale).same, 'stale');
});
