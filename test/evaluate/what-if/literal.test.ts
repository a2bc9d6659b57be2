/**
 * What is imagined of random worlds beside what becomes of worlds that are really so: a server stopped, or
 * taken out of every delegation and address. Each name server has addresses of its own here, because a world
 * knows what addresses say, not names.
 */
import t from 'tap';
import { type Imagined, imagining } from '../../../src/evaluate/what-if/imagining.ts';
import type { ServerOrAddress, WhatIf } from '../../../src/evaluate/what-if/what-if.ts';
import { runThrough } from '../../../src/pausable.ts';
import { parseName } from '../../../src/wire/name.ts';
import { randomWarmWorld } from '../random-warm-world.ts';
import {
  MISFIT,
  NAMESERVERS,
  pick,
  randomFrom,
  randomWorld,
  type Said,
  type Server,
  type World,
} from '../random-world.ts';
import { compareLines, type Run, runWorld, spelledView } from '../run-world.ts';

const WORLDS = 250;
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
    const seen = { imagined: 0, emptied: 0, 'unknown-server': 0 };
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

function imagine({ recording, evaluation }: Run, { whatIf }: Change, { families }: World): Imagined {
  return runThrough(imagining(recording, evaluation, whatIf, { families, ...ASKED }));
}

type Evaluation = Run['evaluation'];

function compare(really: Evaluation, imagined: Evaluation): string[] {
  const views = (one: Evaluation) =>
    [one, one.warm].map((both) => [both?.outcomes ?? [], both?.resolverOutcomes ?? []].map(spelledView));
  const [before, after] = [views(really), views(imagined)].map((both) => both.flat());
  const lines = (before ?? []).flatMap((view, at) => compareLines(`view ${at}`, view, after?.[at] ?? []));
  const { paths, latency } = really;
  if (paths !== imagined.paths) lines.push(`paths ${imagined.paths}, really ${paths}`);
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
