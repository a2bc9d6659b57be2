/**
 * Small random internets whose zones are signed by the lab, some of them badly: servers have old copies, other
 * keys, faults, parents beside their children. Nothing goes over a network: `exchange` says at once what a server of
 * the lab sends.
 */
import { NODE_CRYPTO } from '../../../src/dns/dnssec/node-crypto.ts';
import { trustFromAnchors } from '../../../src/dns/dnssec/trust-anchors.ts';
import type { Question } from '../../../src/dns/message.ts';
import { parseName, ROOT } from '../../../src/dns/name.ts';
import { type Evaluation, evaluate } from '../../../src/evaluate/evaluate.ts';
import type { Exchanged } from '../../../src/exchange/exchanged.ts';
import type { Query } from '../../../src/exchange/query.ts';
import { delegationOf } from '../../../src/explore/delegation.ts';
import { Explorer } from '../../../src/explore/explore.ts';
import { type Recording, type Scope, validatingScope } from '../../../src/explore/recording.ts';
import type { Fault } from '../../../src/lab/faults.ts';
import type {
  DenialSpec,
  SignatureFlaw,
  Signings,
  ZoneSigning,
} from '../../../src/lab/signing/zone-signing.ts';
import {
  readWorld,
  rootServers,
  type ServerSpec,
  trustAnchorOf,
  type World,
} from '../../../src/lab/world.ts';
import { zoneText } from '../../../src/lab/zone-text.ts';
import { labExchange } from '../../lab/lab-exchange.ts';
import { pick, randomFrom, some } from '../random-world.ts';

export interface SignedWorld {
  readonly question: Question;
  readonly maxDepth: number;
  readonly hints: ReturnType<typeof rootServers>;
  /** DS lines; empty if the root is not signed. */
  readonly anchor: string;
  /** When replies are validated: seconds since 1970. */
  readonly time: number;
  readonly lab: World;
  /** What comes of asking with DO. */
  exchange(query: Query): Exchanged;
}

type Random = () => number;

export const TIME = Date.UTC(2026, 10, 22) / 1000;

const ZONES = ['.', 'a.', 'b.', 'x.a.', 'y.x.a.'];
const SERVERS = ['r1.', 'r2.', 'ns1.a.', 'ns2.b.', 'ns.x.a.', 'ns.y.x.a.'];

export function randomSignedWorld(seed: number): SignedWorld {
  const random = randomFrom(`signed world ${seed}`);
  // In some worlds little goes wrong, so that walks come far.
  const trouble = seed % 3 === 0 ? 0.3 : 1;
  const hosts = new Map(ZONES.map((zone) => [zone, hostsOf(random, zone)]));
  const texts = new Map(ZONES.map((zone) => [zone, textOf(random, zone, hosts)]));
  const signed = Object.fromEntries(ZONES.map((zone) => [zone, signingOf(random, zone, trouble)]));
  const servers = SERVERS.map((name) => serverOf(random, { name, hosts, texts, trouble }));
  const lab: World = { servers, signed };
  const exchange = labExchange(lab);
  return {
    question: questionOf(random),
    maxDepth: random() < 0.1 ? 3 : 12,
    hints: rootServers(readWorld(lab)),
    anchor: trustAnchorOf(lab),
    time: TIME,
    lab,
    exchange: (query) => ({ ...exchange(query), elapsedMs: timeOf(seed, query) }),
  };
}

/** Milliseconds. */
function timeOf(seed: number, { address, question: { name, type } }: Query): number {
  return 1 + Math.floor(randomFrom(`time ${seed} ${address} ${name} ${type}`)() * 40);
}

/** Where a zone is served: the root by root servers, others by one to three of the rest, at times those of the zone above. */
function hostsOf(random: Random, zone: string): readonly string[] {
  if (zone === '.') return random() < 0.4 ? ['r1.', 'r2.'] : ['r1.'];
  const others = SERVERS.slice(random() < 0.15 ? 0 : 2);
  return [...new Set([...some(random, others, 1), ...some(random, others, 2)])];
}

function addressOf(server: string): string {
  return `127.9.0.${SERVERS.indexOf(server) + 1}`;
}

function within(name: string, zone: string): boolean {
  return zone === '.' || name === zone || name.endsWith(`.${zone}`);
}

/** The zone of the world that a name belongs to. */
function zoneOf(name: string): string {
  return ZONES.filter((zone) => within(name, zone)).at(-1) ?? '.';
}

function textOf(
  random: Random,
  apex: string,
  hosts: ReadonlyMap<string, readonly string[]>,
): (address: string) => string {
  const children = ZONES.filter((zone) => zone !== apex && parentZone(zone) === apex);
  const delegations = [apex, ...children].flatMap((zone) =>
    (hosts.get(zone) ?? []).map((server) => `${zone} NS ${server}`),
  );
  const glue = SERVERS.filter(
    (server) => within(server, apex) && (zoneOf(server) === apex || random() < 0.85),
  );
  const below = (label: string) => (apex === '.' ? `${label}.` : `${label}.${apex}`);
  const alias = pick(random, [
    'www.a.',
    'www.b.',
    'www.x.a.',
    'www.y.x.a.',
    'v.wild.a.',
    'no.b.',
    'alias.b.',
  ]);
  const redirection = pick(random, ['b.', 'x.a.', 'y.x.a.', 'wild.a.']);
  return (address) =>
    zoneText(
      apex,
      [
        ...delegations,
        ...glue.map((server) => `${server} A ${addressOf(server)}`),
        `${below('www')} A ${address}`,
        `${below('host.ent')} A ${address}`,
        `${below('*.wild')} A ${address}`,
        `${below('*.more')} CNAME ${alias}`,
        `${below('alias')} CNAME ${alias}`,
        `${below('old')} DNAME ${redirection}`,
      ].join('\n'),
    );
}

function parentZone(zone: string): string | undefined {
  return ZONES.filter((other) => other !== zone && within(zone, other)).at(-1);
}

/** Most zones are signed, and most of these well. */
function signingOf(random: Random, zone: string, trouble: number): ZoneSigning | 'unsigned' {
  if (random() < (zone === '.' ? 0.03 : 0.2) * trouble) return 'unsigned';
  const dice = random() + (1 - trouble) / 5;
  const denial = denialOf(random);
  if (dice < 0.05) return { algorithm: 12, denial };
  if (dice < 0.1) return { algorithm: 15, denial, ds: [] };
  if (dice < 0.13) return { algorithm: 15, denial, ds: [{ key: { label: 'lost' } }] };
  if (dice < 0.16) return { algorithm: 15, denial, ds: [{ key: {}, digest: 3 }] };
  if (dice < 0.2)
    return {
      algorithm: 15,
      denial,
      ds: [
        { key: { label: 'lost' }, digest: 1 },
        { key: {}, digest: 2 },
      ],
    };
  if (dice < 0.3)
    return {
      algorithm: 15,
      denial,
      keys: [
        { label: 'k', signs: 'keys' },
        { label: 'z', signs: 'data' },
      ],
    };
  if (dice < 0.45) return { algorithm: 15, denial, ds: [{ key: {} }, { key: { label: 'new' } }] };
  return { algorithm: pick(random, [13, 15, 15, 15]), denial };
}

function denialOf(random: Random): DenialSpec {
  return pick(random, [
    { kind: 'nsec' },
    { kind: 'nsec' },
    { kind: 'nsec3' },
    { kind: 'nsec3', iterations: 2, salt: 'ab' },
    { kind: 'nsec3', optOut: true },
    { kind: 'nsec3', iterations: 151 },
  ] as const);
}

/** A server with its copies of zones, some of which it lacks, has in another state, or signs in another way. */
function serverOf(
  random: Random,
  {
    name,
    hosts,
    texts,
    trouble,
  }: {
    readonly name: string;
    readonly hosts: ReadonlyMap<string, readonly string[]>;
    readonly texts: ReadonlyMap<string, (address: string) => string>;
    readonly trouble: number;
  },
): ServerSpec {
  const served = ZONES.filter((zone) => hosts.get(zone)?.includes(name) && (zone === '.' || random() < 0.93));
  const zones = served.map((zone) => texts.get(zone)?.(random() < 0.15 ? '192.0.2.9' : '192.0.2.1') ?? '');
  const signed: Signings = Object.fromEntries(
    served.filter(() => random() < 0.15 * trouble).map((zone) => [zone, otherSigning(random)]),
  );
  const faults = random() < 0.3 * trouble ? [faultOf(random)] : [];
  return { name, addresses: [addressOf(name)], zones, signed, faults };
}

function otherSigning(random: Random): ZoneSigning | 'unsigned' {
  return pick(random, [
    'unsigned',
    { algorithm: 15, keys: [{ label: 'new' }] },
    { algorithm: 15, keys: [{ label: 'new' }] },
    { algorithm: 15, keys: [{}, { label: 'new' }] },
    { algorithm: 15, expiration: TIME - 1 },
    { algorithm: 15, inception: TIME + 1 },
    { algorithm: 15, expiration: TIME, inception: TIME },
  ] as const);
}

const FLAWS: readonly SignatureFlaw[] = [
  'missing',
  'wrong-signer',
  'unsupported-algorithm',
  'wrong-key',
  'not-yet-valid',
  'expired',
  'spoilt',
];

function faultOf(random: Random): Fault {
  const flaw = pick(random, FLAWS);
  const only = pick(random, [
    {},
    { zone: 'a.' },
    { zone: 'x.a.' },
    { type: 'A' },
    { type: 'DS' },
    { type: 'DNSKEY' },
  ] as const);
  return pick<Fault>(random, [
    { kind: 'flawed-signatures', flaw, only },
    { kind: 'flawed-signatures', flaw, only },
    {
      kind: 'flawed-signatures',
      flaw,
      covering: pick(random, ['A', 'CNAME', 'SOA', 'DS', 'DNSKEY', 'NSEC']),
    },
    { kind: 'ignores-do', only },
    { kind: 'omits-ds', only },
    { kind: 'omits-ds' },
    { kind: 'omits-proof', only },
    { kind: 'wrong-proof', only },
    { kind: 'wrong-ds', only },
    { kind: 'dead', only },
    { kind: 'rcode', rcode: 'SERVFAIL', only },
    { kind: 'empty', only },
    { kind: 'lame', zone: '.', ns: ['r1.'], only },
  ]);
}

function questionOf(random: Random): Question {
  const label = pick(random, [
    'www',
    'www',
    'none',
    'host.ent',
    'ent',
    'v.wild',
    'wild',
    'v.more',
    'alias',
    'www.old',
    'none.old',
    '',
  ]);
  const zone = pick(random, ['a.', 'x.a.', 'x.a.', 'y.x.a.', 'y.x.a.']);
  const type = pick(random, ['A', 'A', 'A', 'A', 'AAAA', 'DS', 'CNAME', 'ANY', 'RRSIG', 'DNSKEY']);
  return { name: parseName(label === '' ? zone : `${label}.${zone}`), type };
}

/** Random signed worlds walked by the program. */

export interface SignedRun {
  /** "address name type" in the order asked. */
  readonly asked: readonly string[];
  readonly recording: Recording;
  readonly evaluation: Evaluation;
}

/** What a world is walked with. */
export function signedScope(world: SignedWorld): Scope {
  const { question, hints, anchor, time, maxDepth } = world;
  return {
    question,
    hints: delegationOf(ROOT, new Map(hints.map(({ name, addresses }) => [name, addresses]))),
    families: [4],
    maxDepth,
    maxWork: 200_000,
    specialTargets: 'allowed',
    warm: 'off',
    check: 'off',
    dnssec: validatingScope(NODE_CRYPTO, { time, anchors: trustFromAnchors(anchor.split('\n')) }),
  };
}

/** Explores a world, whose replies come in another order each time that `seed` is another, and evaluates what was heard. */
export async function runSignedWorld(
  world: SignedWorld,
  {
    seed = 0,
    maxQueries = 20_000,
    change = {},
    demands = 'proof',
  }: { seed?: number; maxQueries?: number; change?: Partial<Scope>; demands?: 'proof' | 'nothing' } = {},
): Promise<SignedRun> {
  const asked: string[] = [];
  const random = randomFrom(`order ${seed}`);
  const { dnssec, ...plain } = { ...signedScope(world), ...change };
  const scope = demands === 'nothing' || dnssec === undefined ? plain : { ...plain, dnssec };
  const explorer = new Explorer(scope, { maxQueries, maxTimeMs: 60_000 });
  const exchange = async (query: Query) => {
    asked.push(`${query.address} ${query.question.name} ${query.question.type}`);
    for (let turns = Math.floor(random() * 9); turns > 0; turns -= 1) await undefined;
    return world.exchange(query);
  };
  const { recording } = await explorer.run(exchange, new AbortController().signal, {
    heard: () => undefined,
  });
  return { asked, recording, evaluation: evaluate(recording) };
}
