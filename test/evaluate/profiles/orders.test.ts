import t, { type Test } from 'tap';
import type { End } from '../../../src/evaluate/end.ts';
import type { InTime } from '../../../src/evaluate/evaluate.ts';
import { toNumber } from '../../../src/evaluate/fraction.ts';
import type { Profile } from '../../../src/explore/profiles/profile.ts';
import {
  PROFILE_NAMES,
  PROFILES,
  todaysProfile,
  usualProfile,
} from '../../../src/explore/profiles/profiles.ts';
import { type ProductViews, productsIn } from '../products-in.ts';
import { type Played, play, type Said } from './all-orders.ts';
import { playWarm, randomWarmZone } from './warm-zones.ts';
import { asAskedBy, evaluateZone, questionsOf, type RandomZone, randomZone } from './zone-worlds.ts';

const ZONES = 52;
const WARM_ZONES = 30;

t.test(`${ZONES} random zones come to the same in each order that each resolver may take`, async (t) => {
  const met = new Set<string>();
  for (let seed = 1; seed <= ZONES; seed += 1) {
    const zone = randomZone(seed);
    const evaluation = await evaluateZone(zone);
    const profiles = productsIn(evaluation);
    if (evaluation.leftOut.size > 0) t.fail(`zone ${seed} is too much work`);
    for (const profile of profiles) {
      checkOrders(t, `zone ${seed}`, zone, profile);
      for (const { end } of profile.outcomes) met.add(end.kind);
      if (profile.late !== undefined) met.add('late');
    }
  }
  t.same(
    ['answer', 'nxdomain', 'nodata', 'servfail', 'timeout', 'late'].filter((kind) => !met.has(kind)),
    [],
    'all kinds of ends were met',
  );
});

t.test(`${WARM_ZONES} random zones come to the same warm`, async (t) => {
  const met = new Set<string>();
  for (let seed = 1; seed <= WARM_ZONES; seed += 1) {
    const zone = randomWarmZone(seed);
    const evaluation = await evaluateZone(zone);
    const profiles = productsIn(evaluation);
    if (evaluation.leftOut.size > 0) t.fail(`zone ${seed} is too much work`);
    for (const profile of profiles) {
      const { name, warm } = profile;
      checkOrders(t, `zone ${seed}`, zone, profile);
      // That of a variant is not listed where it is as the usual one's.
      if (warm !== undefined || (todaysProfile(name) ?? usualProfile(name)) === undefined)
        checkWarm(t, `zone ${seed} warm`, zone, profile);
      met.add(`${warm === undefined ? 'as cold' : 'otherwise'}, ${PROFILES[name].ownSet.whenFailing}`);
    }
    // One that does cold as today's version may differ warm.
    for (const name of PROFILE_NAMES) {
      const warm = evaluation.views.get(`${name}/warm`);
      if (warm !== undefined && !evaluation.views.has(name))
        checkWarm(t, `zone ${seed} warm`, zone, { name, ...warm, warm });
    }
  }
  t.equal(met.size, 4, 'both were met with both kinds of products', { met });
});

t.test('nobody goes back from an own set that is the delegation', async (t) => {
  const servers = ['192.0.2.1', '192.0.2.2'].map((address, i) => {
    return { name: `ns${i}.z.a.`, glue: true, addresses: [address] };
  });
  const says = new Map(
    ['192.0.2.1', '192.0.2.2', '192.0.2.3'].flatMap((address) =>
      questionsOf('www.y.z.a.').map((one): [string, Said] => [
        `${address} ${one}`,
        { kind: 'answer', ms: 10 },
      ]),
    ),
  );
  // Unbound does not ask the first one again, so half of its lookups fail.
  says.set('192.0.2.1 y.z.a. A', { kind: 'lame-upward', ms: 10 });
  says.set('192.0.2.2 www.y.z.a. A', { kind: 'REFUSED', ms: 10 });
  const delegated = servers.map(({ name }) => ({ name, additional: [] }));
  const sets = new Map([
    ['192.0.2.1', delegated],
    ['192.0.2.2', [{ name: 'ns2.z.a.', additional: ['192.0.2.3'] }]],
  ]);
  const zone = {
    name: 'www.y.z.a.',
    servers,
    says,
    own: { sets, hosts: new Map<string, readonly string[]>() },
  };
  for (const profile of productsIn(await evaluateZone(zone))) {
    t.ok(profile.warm, `${profile.name}: another set is known, too`);
    checkWarm(t, 'warm', zone, profile);
  }
});

t.test(
  'a server without glue comes second to BIND in half of the lookups of a name with one label more',
  async (t) => {
    const servers = [
      { name: 'ns1.z.a.', glue: true, addresses: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] },
      { name: 'ns2.h.b.', glue: false, addresses: ['192.0.2.4'] },
    ];
    const rows = [
      ['www.z.a.', 0],
      ['www.y.z.a.', 1 / 2],
      ['www.x.y.z.a.', 1 / 4],
    ] as const;
    for (const [name, share] of rows) {
      const says = new Map(
        servers.flatMap(({ addresses }) =>
          addresses.flatMap((address) =>
            questionsOf(name).map((one) => [`${address} ${one}`, { kind: 'answer', ms: 10 }] as const),
          ),
        ),
      );
      const zone = { name, servers, says };
      for (const profile of productsIn(await evaluateZone(zone))) {
        checkOrders(t, name, zone, profile);
        if (profile.name !== 'bind') continue;
        const without = profile.outcomes.filter(({ end }) => end.server?.address === '192.0.2.4');
        t.equal(
          without.reduce((sum, { probability }) => sum + toNumber(probability), 0),
          share,
          name,
        );
      }
    }
  },
);

function checkOrders(t: Test, title: string, zone: RandomZone, profile: ProductViews): void {
  const { name } = profile;
  check(
    t,
    `${title}, ${name}`,
    zone,
    profile,
    inTime(play(asAskedBy(zone, name), PROFILES[name]), PROFILES[name]),
  );
}

function checkWarm(t: Test, title: string, zone: RandomZone, profile: ProductViews): void {
  const { name, warm } = profile;
  const { ownSet, time } = PROFILES[name];
  const played = inTime(playWarm(zone, name), PROFILES[name]);
  // The evaluator counts the time of each visit by itself, so it may find it over only at a later question.
  const leaves = ownSet.whenFailing === 'delegation' || ownSet.asked === 'first-question';
  const isClocked = leaves && time.ofLookUp !== undefined;
  const spelled = (end: string) => (isClocked ? end.replace(/^servfail .*/, 'servfail') : end);
  check(t, `${title}, ${name}`, zone, warm ?? profile, played, spelled);
}

function check(
  t: Test,
  title: string,
  zone: RandomZone,
  { outcomes, late }: InTime,
  played: Expected,
  spelled = (end: string) => end,
): void {
  const expected = summed(played.ends.map(([end, p]) => [spelled(end), p]));
  const actual = summed(
    outcomes.map(({ end, probability }) => [spelled(textOf(end)), toNumber(probability)]),
  );
  const lateness = late === undefined ? 0 : toNumber(late);
  const same = isAlike(expected, actual) && Math.abs(lateness - played.late) < 1e-9;
  if (!same) t.fail(title, { zone, expected, actual, late: [played.late, lateness] });
}

t.test('names of many labels are not too much work', async (t) => {
  const rows = [
    ['servers that reply soon', 12, [10, 20, 30, 40]],
    ['one is silent', 6, [10, 20, 30, undefined]],
  ] as const;
  for (const [title, labels, times] of rows) {
    const servers = times.map((_, i) => {
      return { name: `ns${i}.z.a.`, glue: true, addresses: [`192.0.2.${i}`] };
    });
    const name = `${'abcdefghijkl'.slice(0, labels).split('').join('.')}.z.a.`;
    const says = new Map(
      times.flatMap((ms, i) =>
        questionsOf(name).map((question): [string, Said] => [
          `192.0.2.${i} ${question}`,
          ms === undefined ? { kind: 'timeout', ms: 0 } : { kind: 'answer', ms },
        ]),
      ),
    );
    const { leftOut } = await evaluateZone({ name, servers, says }, 200_000);
    t.same([...leftOut], [], title);
  }
});

interface Expected {
  readonly ends: readonly (readonly [end: string, p: number])[];
  readonly late: number;
}

function inTime(played: readonly Played[], { time }: Profile): Expected {
  const patience = Math.min(time.discard ?? 5_000, 5_000);
  let late = 0;
  const ends = played.map(({ end, ms, p }) => {
    const gaveUp = time.ofLookUp !== undefined && ms > time.ofLookUp;
    const after = gaveUp ? time.ofLookUp : ms;
    const [kind = '', name = '', type = '', address = ''] = (
      gaveUp ? end.replace(/^\S+/, 'servfail').replace(/\S+$/, '-') : end
    ).split(' ');
    const given = `${classOf(kind)} ${name} ${type} ${address}`;
    if (!gaveUp && after > 5_000 + patience)
      return [`timeout ${name} ${type} - because ${given}`, p] as const;
    if (after > patience && kind !== 'servfail' && !gaveUp) late += p;
    return [given, p] as const;
  });
  return { ends, late };
}

function classOf(kind: string): string {
  if (kind === 'denied' || kind.startsWith('nodata') || kind === 'other-records') return 'nodata';
  if (kind === 'nxdomain-bare') return 'nxdomain';
  return kind === 'YXDOMAIN' ? 'error' : kind.replace(/-(without-aa|malformed)/, '');
}

function textOf(end: End): string {
  const { kind, question, server } = end;
  const because = end.kind === 'timeout' && end.cause !== undefined ? ` because ${textOf(end.cause)}` : '';
  return `${kind} ${question.name} ${question.type} ${server?.address ?? '-'}${because}`;
}

function summed(ends: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [end, p] of ends) sums.set(end, (sums.get(end) ?? 0) + p);
  return sums;
}

function isAlike(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean {
  const all = new Set([...one.keys(), ...other.keys()]);
  return [...all].every((end) => Math.abs((one.get(end) ?? 0) - (other.get(end) ?? 0)) < 1e-9);
}
