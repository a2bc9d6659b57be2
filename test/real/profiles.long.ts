import t, { type Test } from 'tap';
import type { ProfileName } from '../../src/base/profile-names.ts';
import { PROFILES } from '../../src/explore/profiles/profiles.ts';
import { COMPARED, comparedBatches } from './profiles/batches.ts';
import { type BusyPicks, pickBusily, randomLatencies } from './profiles/busy.ts';
import { type Cell, cellText } from './profiles/cells.ts';
import { fitOf, isAnnounced, LEVEL } from './profiles/summary.ts';

const WORLDS = 300;
const SHARE_OF_CELLS = 0.98;
const MOST_OFF = 0.05;
/** Where several servers fail in different ways, as `found` in the profiles says. */
const MOST_UNSAID = 0.02;

t.test('cold: what resolvers do is what their profiles say', { timeout: 14_400_000 }, async (t) => {
  const cells: Cell[] = [];
  for await (const batch of comparedBatches(Array.from({ length: WORLDS }, (_, seed) => seed))) {
    t.ok(batch.cells, 'the machine has time for it');
    cells.push(...(batch.cells ?? []));
  }
  for (const cell of cells.filter(({ p }) => p < LEVEL)) {
    t.comment(`p ${cell.p.toFixed(4)}: ${cellText(cell)}`);
  }
  for (const profile of COMPARED) {
    const own = cells.filter((cell) => cell.profile === profile);
    const announced = own.filter(isAnnounced);
    t.comment(
      `${profile}: says in ${announced.length} of ${own.length} worlds that the product may do otherwise`,
    );
    const fit = fitOf(own.filter((cell) => !isAnnounced(cell)));
    const unsaid = fit.impossible / fit.cells;
    t.ok(
      unsaid <= MOST_UNSAID,
      `${profile}: something unsaid in ${(100 * unsaid).toFixed(1)} % of its cells`,
    );
    t.ok(
      fit.kept >= SHARE_OF_CELLS,
      `${profile}: not rejected in ${(100 * fit.kept).toFixed(1)} % of its cells`,
    );
    for (const [outcome, off] of fit.off) {
      t.ok(Math.abs(off) < MOST_OFF, `${profile}, ${outcome}: ${(100 * off).toFixed(2)} points off`);
    }
  }
});

t.test('busy: resolvers ask the servers that their profiles say', { timeout: 900_000 }, async (t) => {
  const sets = Array.from({ length: 20 }, (_, seed) => randomLatencies(seed));
  const { calm, all } = await pickBusily(sets, { profiles: COMPARED, lookUps: 300, before: 60 });
  for (const busy of all) {
    for (const [profile, picks] of busy.picks) {
      if (calm === 'calm') checkBusy(t, busy, profile, picks);
      else t.comment(`too busy a machine: ${busyText(busy, profile, picks)}`);
    }
  }
});

function checkBusy(t: Test, busy: BusyPicks, profile: ProfileName, picks: readonly number[]): void {
  const { latenciesMs } = busy;
  const {
    picks: { busy: said },
    time,
  } = PROFILES[profile];
  const text = busyText(busy, profile, picks);
  const all = picks.reduce((sum, count) => sum + count, 0);
  const fastest = Math.min(...latenciesMs);
  const band = said.kind === 'band' ? said.ms : 0;
  const upTo = (most: number) => picks.filter((_, i) => (latenciesMs[i] ?? 0) <= most);
  const usual = upTo(fastest + band + NOISE_MS);
  const share = usual.reduce((sum, count) => sum + count, 0) / all;
  t.ok(share >= LEAST_USUAL, text);
  if (said.kind !== 'band') return;
  // A server that takes longer than the first patience beside a quick one is not asked again.
  const alike = upTo(Math.min(fastest + band, time.toNextTry[0] - NOISE_MS));
  const even = alike.reduce((sum, count) => sum + count, 0) / alike.length;
  for (const count of alike) t.ok(Math.abs(count - even) < 4 * Math.sqrt(even), `${text}: even`);
}

function busyText({ latenciesMs }: BusyPicks, profile: ProfileName, picks: readonly number[]): string {
  return `${profile}: ${picks.join(', ')} at ${latenciesMs.join(', ')} ms`;
}

/** Servers whose round-trip times differ less may change places. */
const NOISE_MS = 50;
const LEAST_USUAL = 0.7;
