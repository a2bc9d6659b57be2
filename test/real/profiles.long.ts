import t, { type Test } from 'tap';
import type { ProfileName } from '../../src/base/profile-names.ts';
import { PROFILES } from '../../src/explore/profiles/profiles.ts';
import { type BusyPicks, pickBusily, randomLatencies } from './profiles/busy.ts';
import { type Cell, cellText, compare } from './profiles/cells.ts';
import { type FaultWorld, randomFaultWorld } from './profiles/fault-world.ts';

const profiles = ['bind', 'unbound', 'knot', 'powerdns'] as const;
const WORLDS = 300;
const LOOK_UPS = 50;
/** Each is two sockets in each of the copies. */
const MOST_ADDRESSES = 30;

const LEVEL = 0.01;
const SHARE_OF_CELLS = 0.98;
const MOST_OFF = 0.05;
/** Where several servers fail in different ways, as `found` in the profiles says. */
const MOST_UNSAID = 0.02;

t.test('cold: what resolvers do is what their profiles say', { timeout: 7_200_000 }, async (t) => {
  const cells: Cell[] = [];
  for (const worlds of batches(Array.from({ length: WORLDS }, (_, seed) => randomFaultWorld(seed)))) {
    const compared = await compare(worlds, { profiles, times: LOOK_UPS });
    t.equal(compared.calm, 'calm', 'the machine has time for it');
    if (compared.calm === 'calm') cells.push(...compared.cells);
  }
  for (const cell of cells.filter(({ p }) => p < LEVEL)) {
    t.comment(`p ${cell.p.toFixed(4)}: ${cellText(cell)}`);
  }
  for (const profile of profiles) {
    const own = cells.filter((cell) => cell.profile === profile);
    const unsaid = own.filter(({ impossible }) => impossible.size > 0).length / own.length;
    t.ok(
      unsaid <= MOST_UNSAID,
      `${profile}: something unsaid in ${(100 * unsaid).toFixed(1)} % of its cells`,
    );
    const kept = own.filter(({ p }) => p >= LEVEL).length / own.length;
    t.ok(kept >= SHARE_OF_CELLS, `${profile}: not rejected in ${(100 * kept).toFixed(1)} % of its cells`);
    for (const [outcome, off] of pooled(own)) {
      t.ok(Math.abs(off) < MOST_OFF, `${profile}, ${outcome}: ${(100 * off).toFixed(2)} points off`);
    }
  }
});

t.test('busy: resolvers ask the servers that their profiles say', { timeout: 600_000 }, async (t) => {
  const sets = Array.from({ length: 20 }, (_, seed) => randomLatencies(seed));
  for (const busy of await pickBusily(sets, { profiles, lookUps: 300, before: 60 })) {
    for (const [profile, picks] of busy.picks) checkBusy(t, busy, profile, picks);
  }
});

/** At most so many addresses at once. */
function batches(worlds: readonly FaultWorld[]): readonly (readonly FaultWorld[])[] {
  const made: FaultWorld[][] = [[]];
  let addresses = 0;
  for (const world of worlds) {
    const count = world.nameServers.reduce((sum, { addresses: own }) => sum + own.length, 0);
    if (addresses + count > MOST_ADDRESSES) {
      made.push([]);
      addresses = 0;
    }
    made.at(-1)?.push(world);
    addresses += count;
  }
  return made;
}

/** By outcome: what was got more often than said, as a share of all look-ups. */
function pooled(cells: readonly Cell[]): ReadonlyMap<string, number> {
  const off = new Map<string, number>();
  const add = (outcome: string, share: number) => off.set(outcome, (off.get(outcome) ?? 0) + share);
  for (const { said, got } of cells) {
    for (const [outcome, share] of said.shares) add(outcome, -share / cells.length);
    for (const [outcome, count] of got.counts) add(outcome, count / LOOK_UPS / cells.length);
    add('late', (got.late / LOOK_UPS - said.late) / cells.length);
  }
  return off;
}

function checkBusy(
  t: Test,
  { latenciesMs }: BusyPicks,
  profile: ProfileName,
  picks: readonly number[],
): void {
  const {
    picks: { busy },
    time,
  } = PROFILES[profile];
  const all = picks.reduce((sum, count) => sum + count, 0);
  const fastest = Math.min(...latenciesMs);
  // A server that takes longer than the first patience beside a quick one is not asked again.
  const most =
    busy.kind === 'band'
      ? Math.min(fastest + busy.ms, Math.max(fastest, time.toNextTry[0]))
      : fastest + NOISE_MS;
  const usual = picks.filter((_, i) => (latenciesMs[i] ?? 0) <= most);
  const share = usual.reduce((sum, count) => sum + count, 0) / all;
  const text = `${profile}: ${picks.join(', ')} at ${latenciesMs.join(', ')} ms`;
  t.ok(share >= LEAST_USUAL, text);
  if (busy.kind !== 'band') return;
  const even = all / usual.length;
  for (const count of usual) t.ok(Math.abs(count - even) < 4 * Math.sqrt(even), `${text}: even`);
}

/** Servers whose round-trip times differ less may change places. */
const NOISE_MS = 50;
const LEAST_USUAL = 0.85;
