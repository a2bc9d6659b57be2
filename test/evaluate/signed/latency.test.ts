/** The latency of validating resolvers, against all orders in which they can ask. */
import t from 'tap';
import { parseName } from '../../../src/dns/name.ts';
import type { Exchanged } from '../../../src/exchange/exchanged.ts';
import type { Query } from '../../../src/exchange/query.ts';
import { readWorld, rootServers, trustAnchorOf, type World } from '../../../src/lab/world.ts';
import { zoneText } from '../../../src/lab/zone-text.ts';
import { labExchange } from '../../lab/lab-exchange.ts';
import { pick, randomFrom } from '../random-world.ts';
import { runSignedWorld, TIME } from './random-signed-world.ts';

/** The servers of a zone: their names, each with its addresses. */
type Servers = Readonly<Record<string, readonly string[]>>;

interface RandomWorld {
  readonly root: Servers;
  readonly a: Servers;
  /** The server without glue, if there is one: its address is asked of 127.9.3.1. */
  readonly lookedUp: string | undefined;
  readonly referralsHaveDs: boolean;
  /** Whether a server gives nothing to a question, by "address name type". */
  readonly fails: (key: string) => boolean;
  readonly elapsedMs: (key: string) => number;
}

const ASKED = parseName('www.a.');
const LOOKED_UP = 'ns.b.';
const AT_B = '127.9.3.1';

function randomWorld(seed: number): RandomWorld {
  const random = randomFrom(`latency ${seed}`);
  const addresses = (network: number, number: number) =>
    Array.from({ length: random() < 0.4 ? 2 : 1 }, (_, i) => `127.9.${network}.${number * 4 + i}`);
  const root = { 'r1.': addresses(1, 1), ...(random() < 0.6 && { 'r2.': addresses(1, 2) }) };
  const lookedUp = random() < 0.4 ? LOOKED_UP : undefined;
  const a = {
    'ns1.a.': addresses(2, 1),
    ...(random() < 0.8 && { 'ns2.a.': addresses(2, 2) }),
    ...(random() < 0.3 && { 'ns3.a.': addresses(2, 3) }),
    ...(lookedUp && { [lookedUp]: addresses(2, 4) }),
  };
  const [spared = ''] = Object.values(root).flat();
  const trouble = pick(random, [0, 0.3, 0.6]);
  return {
    root,
    a,
    lookedUp,
    referralsHaveDs: random() < 0.5,
    // Else most walks would end at the root.
    fails: (key) => !key.startsWith(`${spared} `) && randomFrom(`fails ${seed} ${key}`)() < trouble,
    elapsedMs: (key) => 1 + Math.floor(randomFrom(`time ${seed} ${key}`)() * 40),
  };
}

function labOf({ root, a, lookedUp, referralsHaveDs }: RandomWorld): World {
  const hosts = (servers: Servers) =>
    Object.entries(servers).flatMap(([name, addresses]) => addresses.map((one) => `${name} A ${one}`));
  const ns = (zone: string, servers: Servers) => Object.keys(servers).map((name) => `${zone} NS ${name}`);
  const glued = Object.fromEntries(Object.entries(a).filter(([name]) => name !== lookedUp));
  const toB = ['b. NS host.b.', `host.b. A ${AT_B}`];
  const top = [...ns('.', root), ...hosts(root), ...ns('a.', a), ...hosts(glued), ...toB];
  const inA = [...ns('a.', a), ...hosts(glued), 'www.a. A 192.0.2.80'];
  const inB = [...toB, ...(lookedUp === undefined ? [] : hosts({ [lookedUp]: a[lookedUp] ?? [] }))];
  const serving = (servers: Servers, zone: string, lines: readonly string[]) =>
    Object.entries(servers).map(([name, addresses]) => {
      const faults = zone === '.' && !referralsHaveDs ? ([{ kind: 'omits-ds' }] as const) : [];
      return { name, addresses, zones: [zoneText(zone, lines.join('\n'))], faults };
    });
  return {
    servers: [
      ...serving(root, '.', top),
      ...serving(a, 'a.', inA),
      ...serving({ 'host.b.': [AT_B] }, 'b.', inB),
    ],
    signed: { '.': {}, 'a.': {} },
  };
}

/** A time that is as probable as every other one of a list. */
interface Searched {
  readonly ms: number;
  readonly found: boolean;
}

/** The time of a question in every order of names, and of the addresses of each, until one is usable. */
function searched(world: RandomWorld, servers: Servers, question: string, lookups: number): Searched[] {
  return orders(Object.entries(servers)).flatMap((names) =>
    names
      .map(([name, addresses]) => ({ name, ways: orders(addresses) }))
      .reduce<Searched[]>(
        (before, { name, ways }) =>
          before.flatMap((one) =>
            ways.map((way) => (one.found ? one : tried(world, name, way, question, one.ms, lookups))),
          ),
        [{ ms: 0, found: false }],
      ),
  );
}

function tried(
  world: RandomWorld,
  name: string,
  way: readonly string[],
  question: string,
  from: number,
  lookups: number,
): Searched {
  let ms = from + (name === world.lookedUp ? lookups : 0);
  for (const address of way) {
    ms += world.elapsedMs(`${address} ${question}`);
    if (!world.fails(`${address} ${question}`)) return { ms, found: true };
  }
  return { ms, found: false };
}

function orders<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((first, i) => orders(items.filter((_, j) => j !== i)).map((rest) => [first, ...rest]));
}

interface Latency {
  readonly best: number;
  readonly mean: number;
  readonly worst: number;
}

function latencyOf(times: readonly number[]): Latency {
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length;
  return { best: Math.min(...times), mean, worst: Math.max(...times) };
}

/** Of a secured step: the longer of both, unless there are no keys. */
function ofStep(world: RandomWorld, servers: Servers, zone: string, lookups = 0): Latency {
  const questions = searched(world, servers, 'www.a. A', lookups);
  const keys = searched(world, servers, `${zone} DNSKEY`, lookups);
  return latencyOf(
    keys.flatMap((key) => questions.map(({ ms }) => (key.found ? Math.max(key.ms, ms) : key.ms))),
  );
}

function expectedOf(world: RandomWorld, lookups: number): Latency {
  const { root, a, referralsHaveDs } = world;
  const parts = [
    ofStep(world, root, '.'),
    ...(referralsHaveDs ? [] : [latencyOf(searched(world, root, 'a. DS', 0).map(({ ms }) => ms))]),
    ofStep(world, a, 'a.', lookups),
  ];
  const total = (of: (one: Latency) => number) => parts.reduce((sum, one) => sum + of(one), 0);
  return {
    best: total(({ best }) => best),
    mean: total(({ mean }) => mean),
    worst: total(({ worst }) => worst),
  };
}

t.test('failed tries count in the latency of validating resolvers, in every order', async (t) => {
  const seen = { failing: 0, lookups: 0 };
  for (let seed = 1; seed <= 60; seed += 1) {
    const world = randomWorld(seed);
    const lab = labOf(world);
    const exchange = labExchange(lab);
    // A lookup takes the root's time and that of the servers of b.; both are sure, and the root's are alike.
    const keyOf = ({ address, question: { name, type } }: Query) => `${address} ${name} ${type}`;
    const isOfLookup = ({ question: { name } }: Query) => name === LOOKED_UP;
    const { evaluation } = await runSignedWorld({
      question: { name: ASKED, type: 'A' },
      maxDepth: 12,
      hints: rootServers(readWorld(lab)),
      anchor: trustAnchorOf(lab),
      time: TIME,
      lab,
      exchange: (query): Exchanged => {
        if (isOfLookup(query)) return { ...exchange(query), elapsedMs: 5 };
        const heard = { ...exchange(query), elapsedMs: world.elapsedMs(keyOf(query)) };
        return world.fails(keyOf(query)) ? { ...heard, outcome: { kind: 'timeout' } } : heard;
      },
    });
    const expected = expectedOf(world, 10);
    const found = evaluation.validating?.latency ?? { best: 0, mean: 0, worst: 0 };
    const isClose = (['best', 'mean', 'worst'] as const).every(
      (which) => Math.abs(found[which] - expected[which]) < 1e-6,
    );
    if (!isClose) t.same(found, expected, `world ${seed}`);
    if (expected.worst > expected.best) seen.failing += 1;
    if (world.lookedUp !== undefined) seen.lookups += 1;
  }
  t.ok(seen.failing > 30 && seen.lookups > 10, 'worlds are of many kinds', seen);
});
