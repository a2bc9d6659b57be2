import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { drawingFrom } from '../../../src/base/chance.ts';
import type { ProfileName } from '../../../src/base/profile-names.ts';
import { startLab } from '../../../src/lab/lab.ts';
import { all as inParallel } from '../all.ts';
import { Cleanup } from '../cleanup.ts';
import { registriesWith } from '../lab-registries.ts';
import { askOnce } from '../stub.ts';
import { type Calm, calmOf, startResolvers } from './look-ups.ts';

const DENIAL_TTL = 60;

/** How often a busy resolver asked each server of a zone. */
export interface BusyPicks {
  /** The servers' round-trip times, in milliseconds. */
  readonly latenciesMs: readonly number[];
  readonly picks: ReadonlyMap<ProfileName, readonly number[]>;
}

/** Looks up so many names of a zone whose servers the resolver knows. */
export interface BusyEffort {
  readonly profiles: readonly ProfileName[];
  readonly lookUps: number;
  /** Names looked up before, which do not count. */
  readonly before: number;
}

/** Round-trip times that look random but depend on the seed alone; no two are closer than 15 ms. */
export function randomLatencies(seed: number): readonly number[] {
  const draw = drawingFrom(seed);
  const count = 2 + Number(draw(3n));
  const steps = Array.from({ length: count }, () => Number(draw(30n)));
  return [...new Set(steps)].map((step) => step * 15);
}

/** Has each product look many names up, one after another, in zones whose servers take these times to reply. */
export async function pickBusily(
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
