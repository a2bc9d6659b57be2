/**
 * Random zones that say of their servers something else than their parent does, and an independent reading of svc-model(7),
 * COLD AND WARM for resolvers that know what the zone says.
 */
import { getOrMake } from '../../../src/base/memo.ts';
import { PROFILES, type ProfileName } from '../../../src/explore/profiles/profiles.ts';
import { pick, randomFrom, some } from '../random-world.ts';
import {
  type Played,
  play,
  playFirst,
  playFrom,
  type Said,
  stagesAsked,
  type ZoneServer,
} from './all-orders.ts';
import { asAskedBy, KINDS, type OwnServer, questionsOf, type RandomZone, randomZone } from './zone-worlds.ts';

const HOSTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['ns7.z.a.', ['192.0.2.17']],
  ['ns8.h.b.', ['192.0.2.18', '192.0.2.19']],
]);
/** Of names in the zone. */
const MOVED = ['192.0.2.21', '192.0.2.22', '192.0.2.23'];

/** A zone made of a seed, each of whose servers gives one of two sets, or none. */
export function randomWarmZone(seed: number): RandomZone {
  const random = randomFrom(`warm zone ${seed}`);
  const cold = randomZone(seed);
  const delegated = cold.servers.flatMap(({ addresses }) => addresses);
  const variants = [randomSet(random, cold.servers), randomSet(random, cold.servers)];
  const kinds = random() < 0.5 ? (['timeout', 'REFUSED', 'lame-self'] as const) : KINDS;
  const says = new Map(cold.says);
  const say = (address: string, question: string, kind: Said['kind']) =>
    says.set(`${address} ${question}`, { kind, ms: pick(random, [0, 0, 60, 500, 1_000]) });
  for (const question of questionsOf(cold.name))
    for (const address of [...HOSTS.values(), ...MOVED].flat()) say(address, question, pick(random, kinds));
  for (const address of delegated)
    say(
      address,
      'z.a. NS',
      pick(random, ['answer', 'answer', 'answer', 'answer', 'REFUSED', pick(random, KINDS)]),
    );
  const sets = new Map(delegated.map((address) => [address, pick(random, variants)]));
  return { ...cold, says, own: { sets, hosts: HOSTS } };
}

/** The servers of the delegation, or some of them and others, some of which cannot be found. */
function randomSet(random: () => number, servers: readonly ZoneServer[]): readonly OwnServer[] {
  if (random() < 0.3) return servers.map(({ name }) => ({ name, additional: [] }));
  const others = ['ns7.z.a.', 'ns8.h.b.', 'ns9.z.a.', 'gone.h.b.'];
  return some(random, [...servers.map(({ name }) => name), ...others], 3).map((name, i) => ({
    name,
    // Beside a name outside the zone, nobody believes them.
    additional: random() < 0.5 ? MOVED.slice(i, i + 1) : [],
  }));
}

/** Where a resolver ends that knows what the zone says of its servers. */
export function playWarm(zone: RandomZone, name: ProfileName): readonly Played[] {
  const profile = PROFILES[name];
  const { ofLookUp } = profile.time;
  const known = new Map<number, readonly Played[]>();
  const delegated = (ms: number) => {
    const elapsed = ofLookUp === undefined ? 0 : ms;
    return getOrMake(known, elapsed, () => play(asAskedBy(zone, name), profile, elapsed));
  };
  return knownSets(zone).flatMap(({ servers, p }) => {
    if (profile.ownSet.asked === 'first-question' && isDelegationMet(servers, zone.servers))
      return playOneQuestion(zone, servers, name).map((one) => ({ ...one, p: p * one.p }));
    const goesBack = profile.ownSet.whenFailing === 'delegation' && !isAlike(servers, zone.servers);
    return play(asAskedBy({ ...zone, servers }, name), profile).flatMap((one) => {
      const isFailed = one.end.startsWith('servfail ') && one.ms <= (ofLookUp ?? one.ms);
      const further = goesBack && isFailed ? delegated(one.ms) : [{ ...one, ms: 0, p: 1 }];
      return further.map(({ end, ms, p: share }) => ({ end, ms: one.ms + ms, p: p * one.p * share }));
    });
  });
}

/** Whether looking up some address of an own set leads through the delegation. */
function isDelegationMet(own: readonly ZoneServer[], delegated: readonly ZoneServer[]): boolean {
  return !isAlike(own, delegated) && own.some((one) => isLookedUp(one, delegated));
}

function isLookedUp({ name }: ZoneServer, delegated: readonly ZoneServer[]): boolean {
  return name.endsWith('.z.a.') && !delegated.some((one) => one.name === name && one.glue);
}

/** Where a resolver ends that puts only its first question to the own set, as far as addresses are at hand, and has those of others told by the delegation. */
function playOneQuestion(zone: RandomZone, own: readonly ZoneServer[], name: ProfileName): readonly Played[] {
  const profile = PROFILES[name];
  const isAnyAtHand = own.some((one) => zone.servers.some((other) => other.name === one.name && other.glue));
  const servers = own.map((one) =>
    isAnyAtHand && isLookedUp(one, zone.servers) ? { ...one, addresses: [] } : one,
  );
  return playFirst(asAskedBy({ ...zone, servers }, name), profile).flatMap((one) => {
    if (!one.end.startsWith('goes on')) return [one];
    const world = asAskedBy(zone, name);
    const next = Number(one.end.split(' ').at(-1));
    const stage = next < stagesAsked(world, profile) ? next : world.stages.length - 1;
    const glued = zone.servers.filter(({ glue }) => glue);
    const isOfUse = (address: string) =>
      world.stages.slice(stage).some(([, said]) => isUsable(said[address]));
    const told = zone.servers.flatMap(({ addresses }) => addresses).filter(isOfUse);
    const taught = (glued.length > 0 ? glued : zone.servers)
      .flatMap(({ addresses }) => addresses)
      .filter(isOfUse);
    const pairs = taught.flatMap((one) => {
      const others = told.filter((other) => other !== one);
      return others.length === 0 || told.length > 4 ? [[one]] : others.map((other) => [one, other]);
    });
    return (pairs.length > 0 ? pairs : [[]]).flatMap((heard, _, { length }) =>
      playFrom(world, profile, { elapsed: one.ms, stage, heard }).map((end) => ({
        end: end.end,
        ms: one.ms + end.ms,
        p: (one.p * end.p) / length,
      })),
    );
  });
}

/** Whether the reply is one that resolvers can use, by its class. */
function isUsable(said: Said | undefined): boolean {
  return said !== undefined && /^(answer|nxdomain|nodata|other-records)/.test(said.kind);
}

/** Whether they are the same servers, so that there is nothing to go back to. */
function isAlike(some: readonly ZoneServer[], others: readonly ZoneServer[]): boolean {
  const spelled = (servers: readonly ZoneServer[]) =>
    servers.map(({ name, addresses }) => [name, [...addresses].sort()].flat().join(' ')).sort();
  return spelled(some).join('\n') === spelled(others).join('\n');
}

/** The servers that it may know: of the names in random order the first taught it a set of which an address gives one. */
function knownSets(
  zone: RandomZone,
): readonly { readonly servers: readonly ZoneServer[]; readonly p: number }[] {
  const taught = zone.servers
    .map(({ addresses }) =>
      addresses.flatMap((address) => [setOf(zone, address)].filter((set) => set !== undefined)),
    )
    .filter((sets) => sets.length > 0);
  if (taught.length === 0) return [{ servers: zone.servers, p: 1 }];
  return taught.flatMap((sets) =>
    sets.map((set) => ({ servers: serversOf(zone, set), p: 1 / taught.length / sets.length })),
  );
}

function setOf({ says, own }: RandomZone, address: string): readonly OwnServer[] | undefined {
  return says.get(`${address} z.a. NS`)?.kind === 'answer' ? own?.sets.get(address) : undefined;
}

/** The servers of a set as a resolver finds them. */
function serversOf({ servers, own }: RandomZone, set: readonly OwnServer[]): readonly ZoneServer[] {
  return set.map(({ name, additional }) => {
    const delegated = servers.find((one) => one.name === name);
    if (name.endsWith('.z.a.') && additional.length > 0) return { name, glue: true, addresses: additional };
    return delegated ?? { name, glue: false, addresses: own?.hosts.get(name) ?? [] };
  });
}
