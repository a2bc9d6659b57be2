import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { getOrMake } from '../../../src/base/memo.ts';
import { type Lab, startLab } from '../../../src/lab/lab.ts';
import { trustAnchorOf } from '../../../src/lab/world.ts';
import { addAddresses, all, Cleanup, startDaemon } from '../daemon.ts';
import { WARM_NAMES } from '../lab-registries.ts';
import type { Families } from '../resolvers.ts';
import { askOnce } from '../stub.ts';
import { type Copy, copyOf, labWorld, type NextAddress } from './copies.ts';
import { type FaultWorld, isDual } from './fault-world.ts';
import { SOFTWARE, type SoftwareName } from './software.ts';
import { askAsUser, type Heard, USER_WAITS_MS } from './user.ts';

/** A cold look-up by one product: what its user heard, and what it asked the zone's name servers. */
export interface LookedUp<Product extends SoftwareName = SoftwareName> {
  readonly world: FaultWorld;
  readonly profile: Product;
  /** Undefined: nothing. */
  readonly heard: Heard | undefined;
  readonly asked: readonly Asked[];
}

/** A query about the zone or its name servers. */
export interface Asked {
  /** Since the user's first query. */
  readonly afterMs: number;
  /** The number of the address in the world, from 0 on; or a name of a server above or beside. */
  readonly address: number | string;
  readonly transport: 'udp' | 'tcp';
  readonly edns: boolean;
  /** Relative to the zone; "@" is the zone itself. Of other zones the whole name, with "L" for the label of the copy. */
  readonly name: string;
  readonly type: string;
}

/** A world, a copy of it that can still be traversed, and all look-ups of the others. */
interface Held<Product extends SoftwareName> {
  readonly world: FaultWorld;
  readonly specimen: Copy;
  readonly lookedUp: readonly LookedUp<Product>[];
}

/** Where look-ups were made. */
export interface Surroundings {
  readonly lab: Lab;
  /** The root's DS records as in a file of trust anchors; empty if the worlds are not signed. */
  readonly anchor: string;
  /** So far. */
  readonly calm: () => Calm;
}

/** Whether the machine left the lab's servers in peace: if not, replies came later than they were meant to. */
export type Calm = 'calm' | 'disturbed';

/** Whether the delays of the event loop were those of a machine that has time: but for a few, short of any patience. */
export function calmOf(delays: IntervalHistogram): Calm {
  const [usual, most] = [delays.percentile(USUAL_PERCENT), delays.max].map((ns) => ns / NS_PER_MS);
  return (usual ?? 0) < MOST_DELAY_MS && (most ?? 0) < 2 * MOST_DELAY_MS ? 'calm' : 'disturbed';
}

const USUAL_PERCENT = 99.9;

/** Less than half of the least patience of a resolver. */
const MOST_DELAY_MS = 180;
const NS_PER_MS = 1e6;

/** How much is looked up. */
export interface Effort<Product extends SoftwareName> {
  readonly profiles: readonly Product[];
  /** Cold look-ups of each world by each product. */
  readonly times: number;
  /** How many milliseconds are between the first queries of two look-ups. Absent: so many that they need not wait for a processor. */
  readonly gapMs?: number;
}

/**
 * Has each product look each world up, cold each time, all side by side; then calls `use` while the lab still runs. Needs
 * port 53 on every loopback address, and all of 127.0.0.0/8.
 */
export async function lookUp<T, Product extends SoftwareName>(
  worlds: readonly FaultWorld[],
  { profiles, times, gapMs }: Effort<Product>,
  use: (held: readonly Held<Product>[], surroundings: Surroundings) => Promise<T>,
): Promise<T> {
  const cleanup = new Cleanup();
  try {
    const nextAddress = addresses();
    const specimens = worlds.map((world, i) => copyOf(world, `w${i}-specimen`, nextAddress));
    const planned = worlds.flatMap((world, i) =>
      profiles.flatMap((profile) =>
        Array.from({ length: times }, (_, k) => ({
          profile,
          copy: copyOf(world, `w${i}-p${profiles.indexOf(profile)}-${k}`, nextAddress),
        })),
      ),
    );
    const log = new Map<string, Query[]>();
    const simulated = labWorld([...specimens, ...planned.map(({ copy }) => copy)]);
    const lab = await startLab(simulated, {
      port: 53,
      isHere: () => true,
      hear: (query) => {
        const label = LABEL.exec(query.name)?.[0];
        if (label !== undefined) getOrMake(log, label, () => []).push({ ...query, at: performance.now() });
      },
    });
    cleanup.add(lab.close);
    const anchor = trustAnchorOf(simulated).replaceAll(/^\. \d+ IN/gm, '. IN');
    const families = worlds.some(isDual) ? 'both' : 'IPv4';
    const at = await startResolvers(profiles, { hints: lab.hints, anchor, families }, cleanup);
    const gap = gapMs ?? (anchor === '' ? GAP_MS : SIGNED_GAP_MS);
    const delays = monitorEventLoopDelay({ resolution: 10 });
    delays.enable();
    const lookedUp = await all(
      inMixedOrder(planned).map(async ({ profile, copy }, i): Promise<LookedUp<Product>> => {
        await delay(i * gap);
        for (const question of copy.before) await askAsUser(at(profile), question);
        const start = performance.now();
        const flags = anchor === '' ? (['rd'] as const) : (['rd', 'ad'] as const);
        const heard = await askAsUser(at(profile), { name: copy.name, type: copy.type }, flags);
        return { world: copy.world, profile, heard, asked: askedOf(copy, log, start) };
      }),
    );
    const held = specimens.map((specimen) => ({
      world: specimen.world,
      specimen,
      lookedUp: lookedUp.filter(({ world }) => world === specimen.world),
    }));
    return await use(held, { lab, anchor, calm: () => calmOf(delays) });
  } finally {
    await cleanup.run();
  }
}

/** What `copyOf` is told to put into all names of a copy. */
const LABEL = /w\d+-(specimen|p\d+-\d+)/;

/** A query as the lab heard it, and when. */
interface Query {
  readonly server: string;
  readonly address: string;
  readonly name: string;
  readonly type: string;
  readonly transport: 'udp' | 'tcp';
  readonly edns?: unknown;
  readonly at: number;
}

function askedOf(
  { label, zone, servers }: Copy,
  log: ReadonlyMap<string, readonly Query[]>,
  start: number,
): readonly Asked[] {
  const numbers = new Map(servers.map(({ addresses: [address = ''] }, i) => [address, i]));
  const relative = (name: string) =>
    name === zone
      ? '@'
      : name.endsWith(`.${zone}`)
        ? name.slice(0, -zone.length - 1)
        : name.replace(label, 'L');
  return (log.get(label) ?? [])
    .filter(({ at }) => at >= start)
    .map(({ server, address, name, type, transport, edns, at }) => ({
      afterMs: at - start,
      address: numbers.get(address) ?? server,
      transport,
      edns: edns !== undefined,
      name: relative(name),
      type,
    }))
    .sort((a, b) => a.afterMs - b.afterMs);
}

/** Between the first queries of two look-ups: so they need not wait for a processor. */
const GAP_MS = 12;
/** Where replies are signed when they are first asked for. */
const SIGNED_GAP_MS = 40;

/** Of servers; `run.sh` drops what comes over TCP to those of its own range. */
function addresses(): NextAddress {
  let count = 0;
  return (family, tcp) => {
    count += 1;
    const last = `${(count >> 8) & 0xff}.${count & 0xff}`;
    return family === 'IPv6'
      ? `fd53::${count.toString(16)}`
      : `127.${(tcp === 'open' ? 64 : 200) + (count >> 16)}.${last}`;
  };
}

/** Neighbours in the result were far apart: so each product, and each world, is busy all the time and never more than that. */
function inMixedOrder<T>(items: readonly T[]): readonly T[] {
  const step = STEPS.find((prime) => items.length % prime !== 0) ?? 1;
  return items.map((_, i) => items[(i * step) % items.length]).filter((item) => item !== undefined);
}

const STEPS = [7919, 6007, 4999];

/** How resolvers are started. */
interface Start {
  /** The root hints. */
  readonly hints: string;
  readonly anchor?: string;
  /** Absent: they use IPv4 alone. */
  readonly families?: Families;
}

/** Starts each product, validating if there is a trust anchor; the function returned gives its address. */
export async function startResolvers<Product extends SoftwareName>(
  profiles: readonly Product[],
  { hints, anchor = '', families = 'IPv4' }: Start,
  cleanup: Cleanup,
): Promise<(profile: Product) => string> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-profiles-'));
  const rootHints = join(directory, 'root.hints');
  await writeFile(rootHints, hints);
  const trustAnchors = anchor === '' ? undefined : join(directory, 'root.anchors');
  if (trustAnchors !== undefined) await writeFile(trustAnchors, anchor);
  const addressOf = (profile: Product) => `127.53.0.${profiles.indexOf(profile) + 1}`;
  cleanup.add(await addAddresses(profiles.map(addressOf)));
  await all(
    profiles.map(async (profile) => {
      const own = join(directory, profile);
      const place = { address: addressOf(profile), directory: own, rootHints, trustAnchors, families };
      await mkdir(place.directory);
      const software = SOFTWARE[profile];
      const daemon = await startDaemon(await software.configure(place), place.directory);
      cleanup.add(daemon.kill);
      for (const name of WARM_NAMES) await warmUp(place.address, name, daemon.assertRunning);
    }),
  );
  return addressOf;
}

/** The registries are no part of what is compared: their servers are in order, and known by then. */
async function warmUp(address: string, name: string, assertRunning: () => Promise<void>): Promise<void> {
  for (let tried = 0; tried < MOST_KNOCKS; tried += 1) {
    const heard = await askOnce(address, name, 'A', USER_WAITS_MS);
    if (typeof heard === 'object' && heard.answer.length > 0) return;
    await assertRunning();
    await delay(KNOCK_MS);
  }
  throw new Error(`the resolver at ${address} does not look ${name} up`);
}

const MOST_KNOCKS = 200;
const KNOCK_MS = 50;
