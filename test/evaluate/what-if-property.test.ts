/**
 * What is imagined of random worlds beside what becomes of worlds that are really so: a server stopped, or
 * taken out of every delegation and address. Each name server has addresses of its own here, because a world
 * knows what addresses say, not names.
 */
import t from 'tap';
import { isAtOrBelow, isBelow, type Name, parseName } from '../../src/dns/name.ts';
import type { Step } from '../../src/evaluate/step.ts';
import { evaluateWhatIf, type WhatIfEvaluation } from '../../src/evaluate/what-if.ts';
import type { ServerOrAddress, WhatIf } from '../../src/evaluate/world.ts';
import { queryKey } from '../../src/exchange/query.ts';
import { meaningFor } from '../../src/explore/classify.ts';
import { type Delegation, delegationOf } from '../../src/explore/delegation.ts';
import { isUsable, type Meaning } from '../../src/explore/meaning.ts';
import { randomWarmWorld } from './random-warm-world.ts';
import {
  MISFIT,
  NAMESERVERS,
  pick,
  randomFrom,
  randomWorld,
  type Said,
  type Server,
  type World,
} from './random-world.ts';
import { compareLines, type Run, runWorld, spelledView } from './run-world.ts';

const WORLDS = 80;
const ASKED = { timeoutMs: 2_000, retries: 1, maxQueries: 100_000 };
const SILENCE_MS = 4_000;

/** A change, and the same made to a world. */
interface Change {
  readonly whatIf: WhatIf;
  readonly made: (world: World) => World;
}

const NAMES = ['r1.', 'r2.', ...NAMESERVERS];
const NOTHING: WhatIf = { down: [], without: [], only: [] };

for (const check of ['off', 'on'] as const) {
  t.test(`what is imagined of ${WORLDS} worlds is what they really come to, check ${check}`, async (t) => {
    const seen = { imagined: 0, emptied: 0, taken: 0, 'unknown-server': 0 };
    for (let seed = 1; seed <= WORLDS; seed += 1) {
      const world = ownAddresses(check === 'on' ? randomWarmWorld(seed) : randomWorld(seed));
      // A world that is changed would answer with other data there.
      if (NAMES.includes(world.name) || world.type === 'NS') continue;
      const change = changeOf(randomFrom(`change ${seed}`), world, check);
      const found = await runWorld(world, ASKED.maxQueries, check);
      const imagined = imagine(found, change, world);
      seen[imagined.kind] += 1;
      if (imagined.kind !== 'imagined') continue;
      const really = await runWorld(change.made(world), ASKED.maxQueries, check);
      const differences = compare(really.evaluation, imagined.evaluation);
      if (differences.length > 0) t.fail(`world ${seed}`, { change: change.whatIf, differences });
    }
    t.ok(seen.imagined > WORLDS / 3, 'most can be imagined', seen);
    t.ok(seen.emptied > 0, 'some have a zone without servers', seen);
  });
}

function imagine({ recording, evaluation }: Run, { whatIf }: Change, { families }: World): WhatIfEvaluation {
  return evaluateWhatIf(recording, evaluation, whatIf, { families, ...ASKED });
}

type Evaluation = Run['evaluation'];

function compare(really: Evaluation, imagined: Evaluation): string[] {
  const views = (one: Evaluation) =>
    new Map([...one.views].map(([name, { outcomes }]) => [name, spelledView(outcomes)]));
  const after = views(imagined);
  const lines = [...views(really)].flatMap(([name, view]) => compareLines(name, view, after.get(name) ?? []));
  const { latency } = really;
  const [paths, pathsImagined] = [really, imagined].map((one) => one.countPaths());
  if (paths !== pathsImagined) lines.push(`paths ${pathsImagined}, really ${paths}`);
  for (const one of ['best', 'mean', 'worst'] as const) {
    const [a, b] = [imagined.latency[one], latency[one]];
    if (Math.abs(a - b) > 1e-6) lines.push(`${one} ${a}, really ${b}`);
  }
  return lines;
}

function changeOf(random: () => number, { families }: World, check: 'off' | 'on'): Change {
  const name = pick(random, NAMES);
  const asked = addressesFor(name).filter((one) => families.includes(one.includes(':') ? 6 : 4));
  const address = pick(random, asked);
  const X = { kind: 'address', address } as const;
  const server = (one: string): ServerOrAddress => ({ kind: 'server', name: parseName(one) });
  const changes: readonly Change[] = [
    { whatIf: { ...NOTHING, down: [server(name)] }, made: (world) => silent(world, addressesFor(name)) },
    { whatIf: { ...NOTHING, down: [X] }, made: (world) => silent(world, [address]) },
    {
      whatIf: { ...NOTHING, without: [X] },
      made: (world) => readdressed(world, (own) => own.filter((one) => one !== address)),
    },
    {
      whatIf: { ...NOTHING, only: [X] },
      made: (world) =>
        redelegated(
          readdressed(world, (own) => (own.includes(address) ? [address] : own)),
          (servers) => having(servers, address),
        ),
    },
    {
      whatIf: { ...NOTHING, without: [server(name)] },
      made: (world) => redelegated(world, (servers) => servers.filter((one) => !isCalled(one, name))),
    },
    {
      whatIf: { ...NOTHING, only: [server(name)] },
      made: (world) => redelegated(world, (servers) => chosen(servers, name)),
    },
  ];
  // A world cannot cut down what two lookups give together, nor glue that an own set has from its parent.
  const isSimple = families.length === 1 && check === 'off';
  return pick(
    random,
    changes.filter(({ whatIf }) => isSimple || !whatIf.only.includes(X)),
  );
}

/** Those with this address in their glue, or all if none has it. */
function having(servers: readonly Server[], address: string): readonly Server[] {
  const only = servers.filter(({ addresses }) => addresses.includes(address));
  return only.length > 0 ? only : servers;
}

function chosen(servers: readonly Server[], name: string): readonly Server[] {
  const only = servers.filter((one) => isCalled(one, name));
  return only.length > 0 ? only : servers;
}

/** Some worlds write names with capitals. */
function isCalled(server: Server, name: string): boolean {
  return server.name.toLowerCase() === name;
}

/** Two addresses of each family. */
function addressesFor(name: string): readonly string[] {
  const at = NAMES.indexOf(name) + 1;
  return [`11.9.${at}.1`, `11.9.${at}.2`, `2a00:9:${at}::1`, `2a00:9:${at}::2`];
}

/** The same world, but that no two name servers share an address. */
function ownAddresses(world: World): World {
  const own = ({ name, addresses }: Server): Server => ({
    name,
    addresses: addressesFor(name).filter((address) =>
      addresses.some((other) => other.includes(':') === address.includes(':')),
    ),
  });
  const said = (one: Said, name: string, type: string): Said => {
    if (one.kind === 'alias' && NAMES.includes(name)) return { kind: 'nodata' };
    if (one.kind === 'answer' && NAMES.includes(name) && one.data.some((data) => data !== MISFIT))
      return {
        kind: 'answer',
        data: addressesFor(name).filter((address) => address.includes(':') === (type === 'AAAA')),
      };
    if (one.kind === 'ns') return { ...one, servers: one.servers.map(own) };
    return one.kind === 'own' ? { ...one, additional: one.additional.map(own) } : one;
  };
  return {
    ...world,
    roots: world.roots.map(own),
    says: (address, name, type) => said(world.says(address, name, type), name, type),
  };
}

function silent(world: World, addresses: readonly string[]): World {
  return {
    ...world,
    says: (address, name, type) =>
      addresses.includes(address) ? { kind: 'timeout' } : world.says(address, name, type),
    takes: (address, name, type) =>
      addresses.includes(address) ? SILENCE_MS : world.takes(address, name, type),
  };
}

/** The same world, but that name servers have other addresses, in glue and where they are looked up. */
function readdressed(world: World, change: (own: readonly string[]) => readonly string[]): World {
  const cut = ({ name, addresses }: Server): Server => ({ name, addresses: change(addresses) });
  return {
    ...world,
    roots: world.roots.map(cut),
    says: (address, name, type) => {
      const said = world.says(address, name, type);
      if (said.kind === 'ns') return { ...said, servers: said.servers.map(cut) };
      if (said.kind === 'own') return { ...said, additional: said.additional.map(cut) };
      return said.kind === 'answer' && NAMES.includes(name) ? { ...said, data: change(said.data) } : said;
    },
  };
}

/** What would be left empty stays: it is either never come to as a delegation, or not imagined at all. */
function redelegated(world: World, cut: (servers: readonly Server[]) => readonly Server[]): World {
  const change = (servers: readonly Server[]) => {
    const left = cut(servers);
    return left.length === 0 ? servers : left;
  };
  const names = (all: readonly string[]) =>
    change(all.map((name) => ({ name, addresses: [] }))).map(({ name }) => name);
  return {
    ...world,
    roots: change(world.roots),
    says: (address, name, type) => {
      const said = world.says(address, name, type);
      if (said.kind === 'ns') return { ...said, servers: change(said.servers) };
      return said.kind === 'own' ? { ...said, names: names(said.names) } : said;
    },
  };
}

/**
 * What a planned delegation is said to bring in random worlds, beside worlds in which the registrar has made
 * it: every reply of the servers above that gives way is a referral to the new servers there.
 */

const WORLDS_DELEGATED = 100;
const MOST_QUERIES = 100_000;
const NEW_SERVERS = ['11.9.9.1', '2a00:9:9::1'];

/** What new servers say: nothing that leads on to servers from before. */
const FINAL: readonly Said[] = [
  { kind: 'answer', data: ['11.0.0.1'] },
  { kind: 'nodata' },
  { kind: 'nxdomain' },
  { kind: 'timeout' },
  { kind: 'error', rcode: 'REFUSED' },
];

for (const check of ['off', 'on'] as const) {
  t.test(`what ${WORLDS_DELEGATED} worlds come to with a planned delegation, check ${check}`, async (t) => {
    const seen = { compared: 0, changed: 0 };
    for (let seed = 1; seed <= WORLDS_DELEGATED; seed += 1) {
      const random = randomFrom(`plan ${seed}`);
      const zone = parseName(pick(random, ['x.a.', 'p.x.a.', 'y.a.', 'z.b.', 'www.x.a.']));
      const before = check === 'on' ? randomWarmWorld(seed) : randomWorld(seed);
      const world = withNewServers(before, pick(random, FINAL));
      const planned = delegationOf(zone, new Map([[parseName(`ns9.${zone}`), NEW_SERVERS]]));
      const found = await runWorld(world, MOST_QUERIES, check, [planned]);
      const givingWay = repliesGivingWay(stepsIn(found), zone);
      if (givingWay === undefined) continue;
      const really = await runWorld(redelegatedDelegated(world, planned, givingWay), MOST_QUERIES, check);
      seen.compared += 1;
      if (givingWay.size > 0) seen.changed += 1;
      const differences = compareLines('what is planned', views(really), views(found));
      if (differences.length > 0) t.fail(`world ${seed}`, { zone, differences });
    }
    t.ok(seen.compared > WORLDS_DELEGATED / 2, 'most can be compared', seen);
    t.ok(seen.changed > WORLDS_DELEGATED / 5, 'many are changed', seen);
  });
}

function withNewServers(world: World, final: Said): World {
  return {
    ...world,
    says: (address, name, type) =>
      NEW_SERVERS.includes(address) ? finalFor(final, type) : world.says(address, name, type),
  };
}

function finalFor(final: Said, type: string): Said {
  return final.kind === 'answer' && type !== 'A' ? { kind: 'nodata' } : final;
}

function stepsIn({ evaluation }: Run): readonly Step[] {
  return [...evaluation.passes.keys(), ...(evaluation.warm?.steps ?? [])];
}

/**
 * By key, the exchanges whose replies give way: svc-model(7), WHAT IF. Undefined where one does at one
 * delegation and not at another, as no server could know that.
 */
function repliesGivingWay(steps: readonly Step[], zone: Name): ReadonlySet<string> | undefined {
  const decided = new Map<string, boolean>();
  for (const { question, delegation, visits } of steps) {
    if (!isBelow(zone, delegation.zone) || !isAtOrBelow(question.name, zone)) continue;
    const heard = [...visits.values()].flatMap((visit) => (visit.kind === 'asked' ? [visit.exchanged] : []));
    const meanings = heard.map((one) => [queryKey(one), meaningFor(one, delegation.zone)] as const);
    const between = meanings.some(([, meaning]) => isReferralAbove(meaning, zone));
    for (const [key, meaning] of meanings) {
      const stays = meaning.kind === 'referral' ? isReferralAbove(meaning, zone) : between;
      const givesWay = isUsable(meaning.kind) && !stays;
      if ((decided.get(key) ?? givesWay) !== givesWay) return undefined;
      decided.set(key, givesWay);
    }
  }
  return new Set([...decided].flatMap(([key, givesWay]) => (givesWay ? [key] : [])));
}

function isReferralAbove(meaning: Meaning, zone: Name): boolean {
  return meaning.kind === 'referral' && isBelow(zone, meaning.delegation.zone);
}

function redelegatedDelegated(
  world: World,
  { zone, nameservers }: Delegation,
  replies: ReadonlySet<string>,
): World {
  const servers = nameservers.map(({ name, glue }) => ({ name, addresses: glue }));
  return {
    ...world,
    says: (address, name, type) =>
      replies.has(queryKey({ address, question: { name: parseName(name), type } }))
        ? { kind: 'ns', zone, servers }
        : world.says(address, name, type),
  };
}

function views({ evaluation }: Run): readonly string[] {
  return [...evaluation.views].flatMap(([name, { outcomes }]) =>
    spelledView(outcomes).map((line) => `${name}: ${line}`),
  );
}
