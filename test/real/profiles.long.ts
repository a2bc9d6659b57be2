import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { drawingFrom } from '../../src/base/chance.ts';
import { DEFAULT_PROFILES, PROFILES, type ProfileName } from '../../src/explore/profiles/profiles.ts';
import { startLab } from '../../src/lab/lab.ts';
import { Cleanup, all as inParallel } from './daemon.ts';
import { registriesWith } from './lab-registries.ts';
import { type Cell, cellText } from './profiles/cells.ts';
import { type Calm, calmOf, startResolvers } from './profiles/look-ups.ts';
import { comparedBatches, fitOf, isAnnounced, LEVEL } from './profiles/summary.ts';
import { askOnce } from './stub.ts';

const WORLDS = 300;
const SHARE_OF_CELLS = 0.98;
const MOST_OFF = 0.05;
/** Where several servers fail in different ways, as profiles say. */
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
  for (const profile of DEFAULT_PROFILES) {
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

const DENIAL_TTL = 60;

t.test('busy: resolvers ask the servers that their profiles say', { timeout: 900_000 }, async (t) => {
  const sets = Array.from({ length: 20 }, (_, seed) => randomLatencies(seed));
  const { calm, all } = await pickBusily(sets, { profiles: DEFAULT_PROFILES, lookUps: 300, before: 60 });
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

/** How often a busy resolver asked each server of a zone. */
interface BusyPicks {
  /** The servers' round-trip times, in milliseconds. */
  readonly latenciesMs: readonly number[];
  readonly picks: ReadonlyMap<ProfileName, readonly number[]>;
}

/** Looks up so many names of a zone whose servers the resolver knows. */
interface BusyEffort {
  readonly profiles: readonly ProfileName[];
  readonly lookUps: number;
  /** Names looked up before, which do not count. */
  readonly before: number;
}

/** Round-trip times that look random but depend on the seed alone; no two are closer than 15 ms. */
function randomLatencies(seed: number): readonly number[] {
  const draw = drawingFrom(seed);
  const count = 2 + Number(draw(3n));
  const steps = Array.from({ length: count }, () => Number(draw(30n)));
  return [...new Set(steps)].map((step) => step * 15);
}

/** Has each product look many names up, one after another, in zones whose servers take these times to reply. */
async function pickBusily(
  sets: readonly (readonly number[])[],
  { profiles, lookUps, before }: BusyEffort,
): Promise<{ readonly calm: Calm; readonly all: readonly BusyPicks[] }> {
  const cleanup = new Cleanup();
  try {
    const zones = sets.flatMap((latenciesMs, i) =>
      profiles.map((profile, j) => {
        const name = `b${i}-${profile}.test.`;
        const servers = latenciesMs.map((ms, k) => ({
          name: `ns${k}.${name}`,
          address: `127.${128 + j}.${i}.${k + 1}`,
          ms,
        }));
        return { latenciesMs, profile, name, servers };
      }),
    );
    const lines = (servers: (typeof zones)[number]['servers']) =>
      servers.map((server) => `@ NS ${server.name}\n${server.name} A ${server.address}\n`).join('');
    const delegations = zones.map(({ name, servers }) => lines(servers).replaceAll('@ NS', `${name} NS`));
    const counted = new Map<string, number>();
    const world = {
      servers: [
        ...registriesWith({ test: delegations, host: [] }, DENIAL_TTL),
        ...zones.flatMap(({ name, servers }) =>
          servers.map((server) => ({
            name: server.name,
            addresses: [server.address],
            zones: [
              `$ORIGIN ${name}\n$TTL 86400\n@ SOA ns hostmaster 1 3600 600 86400 60\n${lines(servers)}*.late A 192.0.2.1\n*.early A 192.0.2.1\n`,
            ],
            faults: [{ kind: 'latency', ms: server.ms }] as const,
          })),
        ),
      ],
    };
    const lab = await startLab(world, {
      port: 53,
      hear: ({ address, name }) => {
        if (name.includes('.late.')) counted.set(address, (counted.get(address) ?? 0) + 1);
      },
    });
    cleanup.add(lab.close);
    const delays = monitorEventLoopDelay({ resolution: 10 });
    delays.enable();
    const at = await startResolvers(profiles, lab, cleanup);
    await inParallel(
      zones.map(async ({ name, profile }) => {
        for (let i = 0; i < before; i += 1) await askOnce(at(profile), `n${i}.early.${name}`, 'A', 5000);
        for (let i = 0; i < lookUps; i += 1) await askOnce(at(profile), `n${i}.late.${name}`, 'A', 5000);
      }),
    );
    await delay(1000);
    const calm = calmOf(delays);
    const all = sets.map((latenciesMs) => ({
      latenciesMs,
      picks: new Map(
        zones
          .filter((zone) => zone.latenciesMs === latenciesMs)
          .map(({ profile, servers }) => [profile, servers.map(({ address }) => counted.get(address) ?? 0)]),
      ),
    }));
    return { calm, all };
  } finally {
    await cleanup.run();
  }
}
