import t from 'tap';
import { PROFILE_NAMES } from '../../../src/base/profile-names.ts';
import type { End } from '../../../src/evaluate/end.ts';
import { toNumber } from '../../../src/evaluate/fraction.ts';
import type { Profile } from '../../../src/explore/profiles/profile.ts';
import { PROFILES } from '../../../src/explore/profiles/profiles.ts';
import { type Played, play } from './all-orders.ts';
import { asAskedBy, evaluateZone, questionsOf, randomZone } from './zone-worlds.ts';

const ZONES = 20;

t.test(`${ZONES} random zones come to the same in each order that each resolver may take`, async (t) => {
  const met = new Set<string>();
  for (let seed = 1; seed <= ZONES; seed += 1) {
    const zone = randomZone(seed);
    const { profiles = [] } = await evaluateZone(zone);
    if (profiles.length < PROFILE_NAMES.length) t.fail(`zone ${seed} is too much work`);
    for (const { name, outcomes, late } of profiles) {
      const played = inTime(play(asAskedBy(zone, name), PROFILES[name]), PROFILES[name]);
      const expected = summed([...played.ends]);
      const actual = summed(outcomes.map(({ end, probability }) => [textOf(end), toNumber(probability)]));
      const lateness = late === undefined ? 0 : toNumber(late);
      const same = isAlike(expected, actual) && Math.abs(lateness - played.late) < 1e-9;
      if (!same) t.fail(`zone ${seed}, ${name}`, { zone, expected, actual, late: [played.late, lateness] });
      for (const { end } of outcomes) met.add(end.kind);
      if (late !== undefined) met.add('late');
    }
  }
  t.same(
    ['answer', 'nxdomain', 'nodata', 'servfail', 'timeout', 'late'].filter((kind) => !met.has(kind)),
    [],
    'all kinds of ends were met',
  );
  t.equal(PROFILE_NAMES.length, Object.keys(PROFILES).length);
});

t.test('servers that reply soon are not too much work, however long the name is', async (t) => {
  const servers = ['1', '2', '3', '4'].map((i) => {
    return { name: `ns${i}.z.a.`, glue: true, addresses: [`192.0.2.${i}`] };
  });
  const name = 'a.b.c.d.e.f.g.h.i.j.k.l.z.a.';
  const says = new Map(
    servers.flatMap(({ addresses: [address] }, i) =>
      questionsOf(name).map(
        (question) => [`${address} ${question}`, { kind: 'answer', ms: 10 + 10 * i }] as const,
      ),
    ),
  );
  const { profiles = [] } = await evaluateZone({ name, servers, says }, 200_000);
  t.same(
    profiles.map((one) => one.name),
    PROFILE_NAMES,
  );
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
  return kind === 'YXDOMAIN' ? 'error' : kind.replace('-without-aa', '');
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
