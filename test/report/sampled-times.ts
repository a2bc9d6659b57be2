/* Holds the curves of old ends against users who are drawn one by one: each copy of each resolver is renewed for itself. */
import { PROFILES, type ProfileName } from '../../src/explore/profiles/profiles.ts';
import { timesOfChange } from '../../src/report/when/times.ts';
import { randomFrom } from '../evaluate/random-world.ts';
import { type TimesWorld, timesResult } from './times-world.ts';

/** How many of some users still get the old end at a moment, and how many of them should by the curve. */
interface SampledShare {
  readonly profile: ProfileName;
  readonly users: number;
  readonly left: number;
  readonly share: number;
  /** Whether any of them gets it later than at the last moment. */
  readonly tooLate: boolean;
}

/** A random chain of copies that changes, and users of each product in it. The same for the same seed. */
export async function sampledChain(seed: number, users: number): Promise<readonly SampledShare[]> {
  const random = randomFrom(`chain ${seed}`);
  const chain = randomChain(random);
  const at = new Date('2026-11-27T12:00:00Z');
  const { before, after } = worldsOf(chain);
  const { changes = [] } = timesOfChange(await timesResult(before), await timesResult(after), at);
  const [old] = changes;
  if (old === undefined) throw new Error(`chain ${seed} changes nothing`);
  return old.profiles.map(({ name, points, lastAt }) => {
    const moment = points[1 + Math.floor(random() * (points.length - 2))] ?? points[0];
    if (moment === undefined) throw new Error(`chain ${seed} has no curve`);
    const seconds = (Date.parse(moment.at) - at.getTime()) / 1_000;
    const last = lastAt === null ? Number.POSITIVE_INFINITY : (Date.parse(lastAt) - at.getTime()) / 1_000;
    const ends = Array.from({ length: users }, () => oldUntil(chain, name, random));
    return {
      profile: name,
      users,
      left: ends.filter((end) => end > seconds).length,
      share: moment.share,
      tooLate: ends.some((end) => end > last),
    };
  });
}

/** TTLs in seconds. */
interface Chain {
  /** Of the data, at each old server. */
  readonly data: readonly number[];
  /** Of an alias that changes together with the data. */
  readonly alias: number | undefined;
  /** Of the NS records at the parent and of the zone's own, if it moves. */
  readonly move: { readonly p: number; readonly c: number; readonly carries: boolean } | undefined;
}

function randomChain(random: () => number): Chain {
  const ttl = () => Math.ceil(10 ** (1 + random() * 4));
  const data = Array.from({ length: 1 + Math.floor(random() * 3) }, ttl);
  const kind = random();
  return {
    data,
    alias: kind < 0.3 ? ttl() : undefined,
    move: kind > 0.5 ? { p: ttl(), c: ttl(), carries: random() < 0.5 } : undefined,
  };
}

function worldsOf({ data, alias, move }: Chain): { readonly before: TimesWorld; readonly after: TimesWorld } {
  const names = data.map((_, at) => `ns${at + 1}`);
  const zone = (ttl: number, address: string, target: string) =>
    alias === undefined
      ? `www ${ttl} A ${address}`
      : `www ${alias} CNAME ${target}\n${target} ${ttl} A ${address}`;
  const { p = 600, c = 4_000, carries = false } = move ?? {};
  const options = { profiles: ['bind', 'unbound', 'knot', 'powerdns'] } as const;
  const servers = Object.fromEntries(names.map((name, at) => [name, `11.0.0.${11 + at}`]));
  const before = {
    servers,
    p,
    c,
    carries,
    options,
    dataOf: Object.fromEntries(names.map((name, at) => [name, zone(data[at] ?? 0, '192.0.2.1', 'a')])),
  };
  const elsewhere = move === undefined ? servers : { other: '11.0.0.20' };
  return { before, after: { servers: elsewhere, p, c, carries, options, data: zone(60, '192.0.2.2', 'b') } };
}

/** Until when a user of a busy resolver gets the old end, in seconds from the change on; drawn. */
function oldUntil({ data, alias, move }: Chain, profile: ProfileName, random: () => number): number {
  const { ttl, ownSet } = PROFILES[profile];
  const left = (ttls: readonly number[]) =>
    renewedUntil(
      ttls.map((one) => Math.min(one, ttl.most)),
      random,
    );
  if (move === undefined)
    return Math.min(left(data), alias === undefined ? Number.POSITIVE_INFINITY : left([alias]));
  const takesOwn = ownSet.learnt === 'reply' && ownSet.lives !== 'as-parents' && move.carries;
  if (takesOwn && ownSet.lives === 'renewed') return Number.POSITIVE_INFINITY;
  const stays = left([takesOwn ? move.c : move.p]);
  // Until then the copies are renewed at the old servers, so one of them is as old as ever.
  return stays + left(data);
}

/** Renewed at random servers for long before the change: when the copy expires that is held at the change. */
function renewedUntil(ttls: readonly number[], random: () => number): number {
  const longest = Math.max(...ttls);
  let time = -RENEWALS * longest - random() * longest;
  while (time <= 0) time += ttls[Math.floor(random() * ttls.length)] ?? longest;
  return time;
}

/** Enough for the first renewal to be forgotten. */
const RENEWALS = 30;

/** How far the samples are from the curves, in standard errors: all together, and the farthest. */
export function deviationOf(samples: readonly SampledShare[]): {
  readonly all: number;
  readonly most: number;
} {
  const rows = samples.filter(({ share }) => share > 0 && share < 1);
  const errors = rows.map(({ users, left, share }) => ({
    off: left - users * share,
    variance: users * share * (1 - share),
  }));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const variance = sum(errors.map((error) => error.variance));
  return {
    all: Math.abs(sum(errors.map(({ off }) => off))) / Math.sqrt(variance),
    // Where few are left, single users would count for many errors.
    most: Math.max(...errors.map((error) => Math.abs(error.off) / Math.sqrt(Math.max(error.variance, 4)))),
  };
}
