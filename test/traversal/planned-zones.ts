import { presignedZoneOf } from '../../src/authority/presigned.ts';
import { readZone, type Zone } from '../../src/authority/zone.ts';
import { readZoneFile, type ZoneRecord } from '../../src/authority/zone-file.ts';
import { drawingFrom } from '../../src/base/chance.ts';
import { type Name, parseName } from '../../src/dns/name.ts';
import { rdataText } from '../../src/dns/rdata/rdata.ts';
import { Reader } from '../../src/dns/reader.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { type Delegation, delegationOf } from '../../src/explore/delegation.ts';
import { parseRootHints } from '../../src/explore/root-hints.ts';
import { nsec3Records, signZone } from '../../src/lab/signing/signed-zone.ts';
import { dsData } from '../../src/lab/signing/signing-key.ts';
import type { Signings, ZoneSigning } from '../../src/lab/signing/zone-signing.ts';
import type { ServerSpec, World } from '../../src/lab/world.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import type { Plan } from '../../src/traversal/traverse.ts';

/** The root server of all worlds. */
export const HINTS = parseRootHints('. 3600000 NS a.root.\na.root. 3600000 A 192.0.2.1\n');

/** A world, a plan for two of its zones, and the world once the plan is carried out. */
export interface RandomPlan {
  readonly today: World;
  readonly plan: Plan;
  readonly later: World;
  readonly questions: readonly { readonly name: Name; readonly type: string }[];
}

const ADDRESSES = {
  'ns1.nic.test.': '192.0.2.11',
  'ns2.nic.test.': '192.0.2.12',
  'ns1.hoster.test.': '192.0.2.21',
  'ns2.hoster.test.': '192.0.2.22',
  'ns3.hoster.test.': '192.0.2.23',
  'ns1.z.test.': '192.0.2.31',
  'ns1.c.z.test.': '192.0.2.41',
} as const;
type Server = keyof typeof ADDRESSES;
const SERVERS = Object.keys(ADDRESSES) as Server[];
const HOSTERS = SERVERS.filter((name) => name.includes('hoster'));

const PARENT = 'test.';
const ZONES = ['z.test.', 'c.z.test.'] as const;
type ZoneName = (typeof ZONES)[number];

/** How a zone is at a time. */
interface State {
  /** Those that its parent names. */
  readonly delegated: readonly Server[];
  /** Those that it names itself. */
  readonly own: readonly Server[];
  readonly records: readonly string[];
  readonly signing: ZoneSigning | 'unsigned';
  /** The signing whose keys the parent has DS records of. */
  readonly ds: ZoneSigning | 'none';
}

type States = Readonly<Record<ZoneName, State>>;

/** The plan of a number, the same in every run. */
export function randomPlan(number: number): RandomPlan {
  const draw = drawingFrom(number);
  const below = (count: number) => Number(draw(BigInt(count)));
  const chance = (percent: number) => below(100) < percent;
  const some = <T>(from: readonly T[]): readonly T[] => {
    const chosen = from.filter(() => chance(50));
    return chosen.length > 0 ? chosen : [from[below(from.length)]].filter((one) => one !== undefined);
  };
  const isSigned = chance(50);
  const signing = (label: string): ZoneSigning | 'unsigned' => {
    if (!isSigned || chance(25)) return 'unsigned';
    const denial = chance(50)
      ? ({ kind: 'nsec' } as const)
      : ({ kind: 'nsec3', optOut: chance(50) } as const);
    return { keys: [{ label }], denial, algorithm: 15 };
  };
  const servers = (zone: ZoneName): readonly Server[] => {
    const within: readonly Server[] =
      zone === 'z.test.' ? ['ns1.z.test.', 'ns1.nic.test.'] : ['ns1.c.z.test.', 'ns1.z.test.'];
    return some([...HOSTERS, ...within]);
  };
  const records = (zone: ZoneName) => [
    `www A 203.0.113.${below(4)}`,
    ...(chance(50) ? [`www A 203.0.113.${4 + below(4)}`] : []),
    ...(chance(50) ? ['alias CNAME www'] : []),
    ...(chance(30) ? ['far CNAME www.c.z.test.'] : []),
    ...(chance(40) ? ['*.wild A 203.0.113.9'] : []),
    ...(chance(40) ? ['a.ent TXT "x"'] : []),
    ...(zone === 'z.test.' && chance(20) ? ['old DNAME wild.z.test.'] : []),
  ];
  const stateOf = (zone: ZoneName, label: string): State => {
    const delegated = servers(zone);
    const how = signing(label);
    return {
      delegated,
      own: chance(70) ? delegated : servers(zone),
      records: records(zone),
      signing: how,
      ds: how === 'unsigned' || chance(15) ? 'none' : how,
    };
  };
  const today: States = { 'z.test.': stateOf('z.test.', 'old'), 'c.z.test.': stateOf('c.z.test.', 'old') };
  const planned = some(ZONES);
  const isShared = (zone: ZoneName, servers: readonly Server[]) =>
    servers.some((server) =>
      zone === 'z.test.' ? server.includes('.nic.') : holders(today, 'z.test.').includes(server),
    );
  const after = { 'z.test.': stateOf('z.test.', 'new'), 'c.z.test.': stateOf('c.z.test.', 'new') };
  // Who has a zone and the one above it would answer in the place of the registrar.
  const redelegated = planned.filter((zone) => {
    const all = [...holders(today, zone), ...holders(after, zone)];
    const isTangled =
      zone === 'c.z.test.' && holders(after, 'z.test.').some((server) => all.includes(server));
    return chance(50) && !isShared(zone, all) && !isTangled;
  });
  const withDs = planned.filter((zone) => zone === 'z.test.' && isSigned && chance(60));
  const next = (zone: ZoneName): State => {
    const before = today[zone];
    if (!planned.includes(zone)) return before;
    const isDsNew = withDs.includes(zone) || (zone === 'c.z.test.' && planned.includes('z.test.'));
    const { delegated } = redelegated.includes(zone) ? after[zone] : before;
    // Nobody sees the delegation of a zone whose servers have the zone above, too: so the file names them.
    const unseen = isShared(zone, holders(today, zone)) && !redelegated.includes(zone) ? delegated : [];
    const own = [...new Set([...unseen, ...after[zone].own])];
    return { ...after[zone], own, delegated, ds: isDsNew ? after[zone].ds : before.ds };
  };
  const later: States = { 'z.test.': next('z.test.'), 'c.z.test.': next('c.z.test.') };
  const texts: Texts = {
    'z.test.': {
      today: zoneTextOf('z.test.', today, redelegated.includes('c.z.test.') ? later : today, today),
      later: zoneTextOf('z.test.', later, later, later),
    },
    'c.z.test.': {
      today: zoneTextOf('c.z.test.', today, today, today),
      later: zoneTextOf('c.z.test.', later, later, later),
    },
  };
  const served = servedBy(today, later, planned, redelegated);
  // Planned servers reply, whatever they do today.
  const alive = new Set(served.later.filter(({ state }) => state === 'later').map(({ server }) => server));
  const failing = SERVERS.filter((server) => chance(15) && !alive.has(server));
  // Addresses given with a plan are believed, while a zone cannot give glue for names outside it.
  const dead = redelegated.includes('c.z.test.') ? [] : failing;
  // Whether a server follows an alias into another zone that it has is not planned.
  const far = planned.length === ZONES.length ? ['far'] : [];
  const world = (state: States, holdings: readonly Holding[]) =>
    worldOf({ state, holdings, texts, signings: { today, later }, isSigned, dead });
  return {
    today: world(today, served.today),
    later: world(later, served.later),
    plan: planOf({ later, texts, planned, redelegated, withDs }),
    questions: [
      ...['www', 'alias', ...far, 'x.wild', 'ent', 'none', 'x.old'].map((label) => `${label}.z.test. A`),
      'www.c.z.test. A',
      'none.c.z.test. A',
      'z.test. NS',
      // Who has the zone itself and not the one above would answer this from it.
      ...(planned.includes('c.z.test.') ? [] : ['c.z.test. DS']),
    ].map((text) => {
      const [name = '', type = ''] = text.split(' ');
      return { name: parseName(name), type };
    }),
  };
}

function holders(states: States, zone: ZoneName): readonly Server[] {
  return [...new Set([...states[zone].delegated, ...states[zone].own])];
}

type Texts = Readonly<Record<ZoneName, Readonly<Record<'today' | 'later', string>>>>;

/** A zone that a server has, as it is now or as it will be. */
interface Holding {
  readonly server: Server;
  readonly zone: ZoneName;
  readonly state: 'today' | 'later';
}

/** Who has which zones: today those that are delegated or named; then the planned ones have the new file. */
function servedBy(
  today: States,
  later: States,
  planned: readonly ZoneName[],
  redelegated: readonly ZoneName[],
): { readonly today: readonly Holding[]; readonly later: readonly Holding[] } {
  const now = ZONES.flatMap((zone) =>
    holders(today, zone).map((server): Holding => ({ server, zone, state: 'today' })),
  );
  const plannedServers = (zone: ZoneName) =>
    redelegated.includes(zone)
      ? later[zone].delegated
      : [...new Set([...today[zone].delegated, ...later[zone].delegated, ...later[zone].own])];
  const changed = planned.flatMap((zone) =>
    plannedServers(zone).map((server): Holding => ({ server, zone, state: 'later' })),
  );
  const isReplaced = (one: Holding) =>
    changed.some(({ server, zone }) => server === one.server && zone === one.zone);
  // Nobody can know of a zone that its servers have kept by mistake below one that they are going to have.
  const isForgotten = ({ server, zone }: Holding) =>
    zone === 'c.z.test.' &&
    changed.some((one) => one.server === server && one.zone === 'z.test.') &&
    !holders(later, zone).includes(server);
  const kept = now.filter((one) => !isReplaced(one) && !isForgotten(one));
  return { today: now, later: [...kept, ...changed] };
}

/** The records of a zone; the delegation of the zone below and its DS records are those of these states. */
function zoneTextOf(zone: ZoneName, states: States, delegation: States, ds: States): string {
  const { own, records } = states[zone];
  const cut = zone === 'z.test.' ? cutLines('c.z.test.', delegation, ds) : [];
  const hosts = own.filter((name) => isIn(name, zone)).map((name) => `${name} A ${ADDRESSES[name]}`);
  const glue = zone === 'z.test.' ? ['ns1.z.test. A 192.0.2.31'] : ['ns1.c.z.test. A 192.0.2.41'];
  const lines = [...own.map((name) => `@ NS ${name}`), ...records, ...cut, ...new Set([...hosts, ...glue])];
  return zoneText(zone, [...new Set(lines)].join('\n'));
}

function isIn(name: Server, zone: string): boolean {
  return name.endsWith(`.${zone}`);
}

function cutLines(zone: ZoneName, delegation: States, ds: States): readonly string[] {
  const { delegated } = delegation[zone];
  return [
    ...delegated.map((name) => `${zone} NS ${name}`),
    ...delegated.filter((name) => isIn(name, zone)).map((name) => `${name} A ${ADDRESSES[name]}`),
    ...dsOf(zone, ds[zone]).map((data) => `${zone} DS ${data}`),
  ];
}

function dsOf(zone: ZoneName, { ds }: State): readonly string[] {
  if (ds === 'none') return [];
  return (ds.keys ?? []).map((key) => {
    const rdata = dsData(parseName(zone), { key }, ds);
    return rdataText('DS', 'IN', Reader.of(rdata).data(rdata.length));
  });
}

/** What makes a world. */
interface WorldParts {
  readonly state: States;
  readonly holdings: readonly Holding[];
  readonly texts: Texts;
  readonly signings: Readonly<Record<'today' | 'later', States>>;
  readonly isSigned: boolean;
  readonly dead: readonly Server[];
}

function worldOf({ state, holdings, texts, signings, isSigned, dead }: WorldParts): World {
  const nic = ['ns1.nic.test.', 'ns2.nic.test.'] as const;
  const addressLines = (names: readonly Server[]) => names.map((name) => `${name} A ${ADDRESSES[name]}`);
  const root = zoneText(
    '.',
    [
      '@ NS a.root.',
      'a.root. A 192.0.2.1',
      ...nic.map((name) => `test. NS ${name}`),
      ...addressLines(nic),
    ].join('\n'),
  );
  const parent = zoneText(
    PARENT,
    [
      ...nic.map((name) => `@ NS ${name}`),
      ...addressLines(nic),
      ...HOSTERS.map((name) => `hoster NS ${name}`),
      ...addressLines(HOSTERS),
      ...cutLines('z.test.', state, state),
    ].join('\n'),
  );
  const hoster = zoneText(
    'hoster.test.',
    [...HOSTERS.map((name) => `@ NS ${name}`), ...addressLines(HOSTERS)].join('\n'),
  );
  const servers = SERVERS.map((name): ServerSpec => {
    const own = holdings.filter(({ server }) => server === name);
    const fixed = [...(name.includes('nic') ? [parent] : []), ...(name.includes('hoster') ? [hoster] : [])];
    const signed = Object.fromEntries(
      own.map(({ zone, state: when }) => [zone, signings[when][zone].signing]),
    );
    return {
      name,
      addresses: [ADDRESSES[name]],
      zones: [...fixed, ...own.map(({ zone, state: when }) => texts[zone][when])],
      signed,
      faults: dead.includes(name) ? [{ kind: 'dead' }] : [],
    };
  });
  const signed: Signings = isSigned ? { '.': ED25519, [PARENT]: ED25519 } : {};
  return { servers: [{ name: 'a.root.', addresses: ['192.0.2.1'], zones: [root] }, ...servers], signed };
}

/** How the zones above are signed. */
export const ED25519: ZoneSigning = { algorithm: 15 };

/** What makes a plan. */
interface PlanParts {
  readonly later: States;
  readonly texts: Texts;
  readonly planned: readonly ZoneName[];
  readonly redelegated: readonly ZoneName[];
  readonly withDs: readonly ZoneName[];
}

function planOf({ later, texts, planned, redelegated, withDs }: PlanParts): Plan {
  return {
    delegations: redelegated.map((zone): Delegation => {
      const servers = later[zone].delegated.map((name) => [parseName(name), [ADDRESSES[name]]] as const);
      return delegationOf(parseName(zone), new Map(servers));
    }),
    zones: planned.map((zone) => ({
      zone: parseName(zone),
      file: `${zone}zone`,
      faults: [],
      contents: presignedZoneOf(readZoneFile(fileOf(texts[zone].later, later[zone].signing))).zone,
    })),
    ds: withDs.map((zone) => ({ zone: parseName(zone), ds: dsOf(zone, later[zone]) })),
  };
}

/** The zone file, signed. `dsAt`: the data of DS records that it lacks. */
export function fileOf(
  text: string,
  signing: ZoneSigning | 'unsigned',
  dsAt: Parameters<typeof signZone>[2] = () => [],
): string {
  if (signing === 'unsigned') return text;
  const unsigned = readZone(text);
  const zone = signZone(unsigned, signing, dsAt);
  const { denial = { kind: 'nsec' } } = signing;
  const hashed = denial.kind === 'nsec3' ? nsec3Records(zone, denial, 60) : [];
  return [
    ...[...zone.nodes.values()].flatMap((node) => signedNode(zone, node)),
    ...hashed.flatMap((one) => signedNode(zone, [one])),
  ]
    .map(lineOf)
    .join('\n');
}

function signedNode(zone: Zone, node: readonly ZoneRecord[]): readonly ZoneRecord[] {
  return [...new Set(node.map(({ type }) => type))].flatMap((type) => {
    const set = node.filter((one) => one.type === type);
    const [first] = set;
    if (first === undefined || zone.security === undefined) return set;
    return zone.security.signed(set, first);
  });
}

function lineOf({ name, ttl, type, rdata }: ZoneRecord): string {
  return `${name} ${ttl} IN ${type} ${rdataText(type, 'IN', Reader.of(rdata).data(rdata.length))}`;
}

/** All that the views say, but for latency and the numbers of ends. */
export function views({ views: all }: TraversalResult): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(all).map(([name, { outcomes }]) => [name, lines(outcomes)]));
}

/** Servers give records in any order. */
function lines(outcomes: TraversalResult['views']['resolver']['outcomes']): readonly string[] {
  return outcomes
    .map(({ ...end }) => {
      const records = end.kind === 'answer' ? [...end.records].map((one) => JSON.stringify(one)).sort() : [];
      return JSON.stringify({ ...end, id: undefined, records });
    })
    .sort();
}
