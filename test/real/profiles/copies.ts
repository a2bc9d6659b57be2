import { chanceOf } from '../../../src/base/chance.ts';
import type { Message } from '../../../src/dns/message.ts';
import type { Fault } from '../../../src/lab/faults.ts';
import type { ServerSpec, World } from '../../../src/lab/world.ts';
import { REGISTRIES, registriesWith } from '../lab-registries.ts';
import type { AddressSpec, FaultWorld, NameServerSpec, Trouble, Version } from './fault-world.ts';

/**
 * A zone of its own that is like the world, below "test.", with names and addresses that no other copy has. A resolver
 * that has not heard of it yet is cold for it, whatever else it has looked up: so one process makes many cold look-ups,
 * side by side.
 */
export interface Copy {
  readonly world: FaultWorld;
  /** In all of its names, and in no others. */
  readonly label: string;
  readonly zone: string;
  /** What is asked for. */
  readonly name: string;
  readonly type: 'A' | 'TXT';
  /** What is asked for before. */
  readonly before: readonly { readonly name: string; readonly type: string }[];
  /** One for each address of the zone's name servers, in the order of the world. */
  readonly servers: readonly ServerSpec[];
  /** Others that know the names of these. */
  readonly helpers: readonly ServerSpec[];
  /** The lines about it in the zone "test.". */
  readonly delegation: string;
  /** The lines about it in the zone "host.", where the addresses of some name servers are, and faults of its servers. */
  readonly hosted: string;
  readonly hostFaults: readonly Fault[];
}

/** Gives an address that was not given before. */
export type NextAddress = (family: 'IPv4' | 'IPv6', tcp: 'open' | 'dropped') => string;

/** A name server of a copy, with what the referral has as its addresses and what it has itself. */
interface NamedServer {
  readonly spec: NameServerSpec;
  readonly name: string;
  readonly addresses: readonly string[];
  readonly registered: readonly string[];
}

/** Copies the world under a label that no other copy has. */
export function copyOf(world: FaultWorld, label: string, nextAddress: NextAddress): Copy {
  const addressFor = ({ family, trouble }: AddressSpec) =>
    nextAddress(family ?? 'IPv4', trouble?.kind === 'truncation, TCP dropped' ? 'dropped' : 'open');
  const nameServers = world.nameServers.map((spec, i): NamedServer => {
    const addresses = spec.addresses.map(addressFor);
    const registered = spec.registered?.map(addressFor) ?? addresses;
    return { spec, name: nameOf(spec, i, label), addresses, registered };
  });
  const hasIn = (where: NameServerSpec['addressesFrom'], which: 'addresses' | 'registered') =>
    nameServers
      .filter(({ spec }) => spec.addressesFrom === where)
      .map((server) => addressLines(server.name, server[which]))
      .join('');
  // Unbound looks up the first name first: so each copy has an order of its own.
  const inOrder = [...nameServers].sort((a, b) => chanceOf(a.name) - chanceOf(b.name));
  const hasAlias = world.alias?.target === 'other zone';
  const hasOther = hasAlias || world.before === 'another zone';
  const nsLines = (owner: string) => inOrder.map(({ name }) => `${owner} NS ${name}\n`).join('');
  const head = `@ SOA ns hostmaster 1 3600 600 86400 60\n`;
  const own = world.ownSet?.map((spec, i) => ({
    spec,
    name: `own${i}.${label}.test.`,
    address: addressFor(spec),
  }));
  const ownLines = own?.map(({ name, address }) => `@ NS ${name}\n${addressLines(name, [address])}`).join('');
  const zone = (hostLines: string) =>
    `$ORIGIN ${label}.test.\n$TTL 300\n${head}${ownLines ?? nsLines('@')}${hasIn('glue', 'addresses')}` +
    `${labelsOf(world)
      .map((name) => `${name} TXT "there"\n`)
      .join(
        '',
      )}${world.before === 'twenty names' ? OTHER_NAMES.map((name) => `${name} A 192.0.2.1\n`).join('') : ''}${hostLines}`;
  const outside = inOrder.filter(({ spec }) => spec.addressesFrom !== 'glue');
  const otherNs = (owner: string) =>
    (hasAlias ? inOrder : outside).map(({ name }) => `${owner} NS ${name}\n`).join('');
  const other = (lines: string) =>
    `$ORIGIN o-${label}.test.\n$TTL 300\n${head}${otherNs('@')}known A 192.0.2.1\n${lines}`;
  const siblingZone = (origin: string) =>
    `$ORIGIN ${origin}\n$TTL 300\n${head}` +
    [...siblings, ...helpers]
      .filter(({ name }) => zoneAbove(name) === origin)
      .map(({ name, addresses }) => `@ NS ${name}\n${addressLines(name, addresses)}`)
      .join('');
  const place = { world, label, zone, other, siblingZone, all: nameServers.map(({ name }) => name) };
  const siblings = nameServers.filter(({ spec }) => spec.addressesFrom === 'sibling');
  // Where the registry has old addresses, somebody has to know the new ones.
  const helpers = siblings.flatMap((one) =>
    one.spec.registered === undefined
      ? []
      : [{ ...one, name: `help-${one.name}`, addresses: [nextAddress('IPv4', 'open')] }],
  );
  return {
    world,
    label,
    zone: `${label}.test.`,
    name: `${world.host}.${label}.test.`,
    type: world.type ?? 'A',
    before: before(world, label, nameServers),
    helpers: helpers.map(({ name, addresses }) => ({
      name,
      addresses,
      zones: [siblingZone(zoneAbove(name))],
    })),
    servers: [
      ...nameServers.flatMap((server) => {
        const { spec, name, addresses, registered } = server;
        const at = (one: AddressSpec, address = '') => serverAt(one, spec, { ...place, name, address });
        return [
          ...spec.addresses.map((one, i) => at(one, addresses[i])),
          ...(spec.registered?.map((one, i) => at(one, registered[i])) ?? []),
        ];
      }),
      ...(own ?? []).map(({ spec, name, address }) =>
        serverAt(spec, { addressesFrom: 'glue', addresses: [] }, { ...place, name, address }),
      ),
    ],
    delegation: [
      nsLines(`${label}.test.`),
      ...(hasOther ? [otherNs(`o-${label}.test.`)] : []),
      hasIn('glue', 'registered'),
      hasIn('parent', 'registered'),
      ...[...siblings, ...helpers].map(({ name }) => `${zoneAbove(name)} NS ${name}\n`),
      ...helpers.map(({ name, addresses }) => addressLines(name, addresses)),
      hasIn('sibling', 'registered'),
    ].join(''),
    hosted: hasIn('elsewhere', 'addresses'),
    hostFaults: nameServers.flatMap(({ spec, name }) =>
      spec.addressesFrom === 'elsewhere' ? nameLatency(spec, name) : [],
    ),
  };
}

function before(
  { before: what }: FaultWorld,
  label: string,
  nameServers: readonly NamedServer[],
): Copy['before'] {
  if (what === undefined) return [];
  switch (what) {
    case 'server names': {
      const outside = nameServers.filter(({ spec }) => spec.addressesFrom !== 'glue');
      return outside.map(({ name }) => ({ name, type: 'A' }));
    }
    case 'another zone':
      return [{ name: `known.o-${label}.test.`, type: 'A' }];
    case 'twenty names':
      return OTHER_NAMES.map((name) => ({ name: `${name}.${label}.test.`, type: 'A' }));
    case 'own NS records':
      return [{ name: `${label}.test.`, type: 'NS' }];
  }
}

const OTHER_NAMES = Array.from({ length: 20 }, (_, i) => `k${i}`);

function nameOf({ addressesFrom, siblingZone }: NameServerSpec, i: number, label: string): string {
  switch (addressesFrom) {
    case 'glue':
      return `ns${i}.${label}.test.`;
    case 'parent':
      return `ns${i}-${label}.test.`;
    case 'sibling':
      return `ns${i}.s${siblingZone ?? i}-${label}.test.`;
    case 'elsewhere':
    case 'nowhere':
      return `ns${i}.${label}.host.`;
  }
}

function zoneAbove(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

function addressLines(name: string, addresses: readonly string[]): string {
  return addresses.map((one) => `${name} ${one.includes(':') ? 'AAAA' : 'A'} ${one}\n`).join('');
}

const UNEVEN: readonly Fault[] = [
  { kind: 'latency', ms: 6 },
  { kind: 'jitter', ms: 8 },
];

/** How long an address is meant to take for a reply about a name, of the copy's servers or of those above. */
export function meantMs({ servers, hostFaults, world }: Copy, address: string, name: string): number {
  const spec = servers.find(({ addresses }) => addresses.includes(address));
  const faults = spec === undefined ? hostFaults : (spec.faults ?? []);
  const all = faults.flatMap((fault) =>
    fault.kind === 'latency' && (fault.only?.name ?? name) === name ? [fault.ms] : [],
  );
  return all.reduce((sum, ms) => sum + ms, world.network === 'uneven' ? UNEVEN_MS : 0);
}

/** Their mean. */
const UNEVEN_MS = 10;

/** The registries above the copies, and the servers of the copies; signed and in an uneven network if the copies are. */
export function labWorld(copies: readonly Copy[]): World {
  const signed = copies.flatMap(({ world, zone }) => (world.signed ? [zone] : []));
  const all = signed.length === 0 ? [] : [...REGISTRIES, ...signed];
  const delegated = {
    test: copies.map(({ delegation }) => delegation),
    host: copies.map(({ hosted }) => hosted),
  };
  const servers = [
    ...registriesWith(delegated, DENIAL_TTL).map((spec) =>
      spec.name === 'ns.host.' ? { ...spec, faults: copies.flatMap(({ hostFaults }) => hostFaults) } : spec,
    ),
    ...copies.flatMap(({ servers, helpers }) => [...servers, ...helpers]),
  ];
  const more = copies.some(({ world }) => world.network === 'uneven') ? UNEVEN : [];
  return {
    signed: Object.fromEntries(all.map((zone) => [zone, {}])),
    servers: servers.map((spec) => ({ ...spec, faults: [...(spec.faults ?? []), ...more] })),
  };
}

const DENIAL_TTL = 60;

/** The data that each state of a zone has. */
const ADDRESSES: Readonly<Record<Version, readonly string[]>> = {
  fresh: ['192.0.2.10'],
  stale: ['192.0.2.20'],
  rotating: ['192.0.2.30', '192.0.2.31', '192.0.2.32'],
};

/** Which state of the zone has these data. */
export function versionWith(data: string): Version | undefined {
  const versions = ['fresh', 'stale', 'rotating'] as const;
  return versions.find((version) => ADDRESSES[version].includes(data));
}

/** What a user gets who hears this, or nothing. */
export function outcomeOf(reply: Message | undefined): string {
  if (reply === undefined) return 'timeout';
  const { rcode, answer } = reply;
  if (rcode === 'NXDOMAIN') return 'nxdomain';
  if (rcode !== 'NOERROR') return 'servfail';
  const [data] = answer.filter(({ type }) => type === 'A').map((record) => record.data);
  return data === undefined ? 'nodata' : `answer ${versionWith(data) ?? 'unknown'}`;
}

interface Placement {
  readonly world: FaultWorld;
  readonly label: string;
  readonly name: string;
  readonly address: string;
  /** The zone, and the other zone that it has if an alias leads there, with these lines. */
  readonly zone: (hostLines: string) => string;
  readonly other: (lines: string) => string;
  /** Another zone below the parent, where some of the name servers are. */
  readonly siblingZone: (origin: string) => string;
  /** The zone's name servers. */
  readonly all: readonly string[];
}

function serverAt(
  { version, latencyMs, trouble, flaw }: AddressSpec,
  spec: NameServerSpec,
  place: Placement,
): ServerSpec {
  const { world, name, address, zone, other, siblingZone } = place;
  const lacksHost = trouble?.kind === 'NXDOMAIN' && trouble.with !== 'minimised questions';
  const files = lacksHost
    ? [[zone('')]]
    : ADDRESSES[version].map((data) => {
        const { here, there } = hostLines(world, version, data, place.label);
        const { whole, above } = linesOf(trouble, world);
        return [zone((whole ?? here) + above), other(there)];
      });
  const sibling = spec.addressesFrom === 'sibling' ? [siblingZone(zoneAbove(name))] : [];
  const [first = []] = files;
  const latency: Fault[] = latencyMs === 0 ? [] : [{ kind: 'latency', ms: latencyMs }];
  const flawed: Fault[] = flaw === undefined ? [] : [{ kind: 'flawed-signatures', flaw }];
  return {
    name,
    addresses: [address],
    ...(files.length > 1 ? { zones: sibling, turns: files } : { zones: [...first, ...sibling] }),
    faults: [
      ...latency,
      ...nameLatency(spec, name),
      ...flawed,
      ...(trouble === undefined ? [] : faultsOf(trouble, place)),
    ],
  };
}

/** What a server with this trouble has instead of the name that is asked for, and above that name. */
function linesOf(
  trouble: Trouble | undefined,
  { host }: FaultWorld,
): { readonly whole?: string; readonly above: string } {
  if (trouble === undefined) return { above: '' };
  const isNodata = NODATA_KINDS.some((kind) => kind === trouble.kind);
  const isAlias = trouble.kind === 'an alias' && trouble.with !== 'the whole name';
  return {
    ...(isNodata && trouble.with !== 'minimised questions' && { whole: `${host} TXT "there"\n` }),
    above: isAlias
      ? namesAbove(host)
          .map((name) => `${name} CNAME nobody\n`)
          .join('')
      : '',
  };
}

const NODATA_KINDS = ['NODATA', 'NODATA without AA', 'NODATA without SOA'] as const;

function nameLatency({ nameLatencyMs }: NameServerSpec, name: string): Fault[] {
  // Of minimised questions, too.
  const names = nameLatencyMs === undefined ? [] : [name, zoneAbove(name)];
  return names.map((one) => ({ kind: 'latency', ms: nameLatencyMs ?? 0, only: { name: one } }));
}

/** The lines of the zone about the name asked for, and those of the other zone if an alias leads there. */
function hostLines(
  { host, alias, type = 'A' }: FaultWorld,
  version: Version,
  data: string,
  label: string,
): { readonly here: string; readonly there: string } {
  if (alias === undefined) return { here: `${host} ${type} ${data}\n`, there: '' };
  const isStale = version === 'stale';
  if (isStale && alias.stale === 'itself') return { here: `${host} CNAME ${host}\n`, there: '' };
  const suffix = alias.stale === 'moved' ? `-${version}` : '';
  const target = {
    beside: `to${suffix}`,
    deeper: `to${suffix}.z`,
    'same parent': host.replace('www', `to${suffix}`),
    'other zone': `to${suffix}.o-${label}.test.`,
  }[alias.target];
  const there = isStale && alias.stale === 'loop' ? `CNAME ${host}.${label}.test.` : `A ${data}`;
  const lines = { alias: `${host} CNAME ${target}\n`, target: `${target} ${there}\n` };
  return alias.target === 'other zone'
    ? { here: lines.alias, there: lines.target }
    : { here: lines.alias + lines.target, there: '' };
}

/** The names between the zone and what is asked for that have a TXT record. */
function labelsOf({ host, nameServers }: FaultWorld): readonly string[] {
  const hasTxt = nameServers.some(({ addresses }) =>
    addresses.some(({ trouble }) => trouble?.kind === 'type TXT only'),
  );
  return hasTxt ? namesAbove(host) : [];
}

function namesAbove(host: string): readonly string[] {
  const labels = host.split('.');
  return labels.slice(1).map((_, i) => labels.slice(i + 1).join('.'));
}

type PartFault = Exclude<Fault, { kind: 'closed-port' }>;

function faultsOf(trouble: Trouble, { world, label, all }: Placement): readonly Fault[] {
  if (trouble.kind === 'closed port') return [{ kind: 'closed-port' }];
  const closed: Fault[] =
    trouble.kind === 'truncation, TCP closed' ? [{ kind: 'closed-port', only: { transport: 'tcp' } }] : [];
  const names = {
    'every question': undefined,
    'minimised questions': namesAbove(world.host),
    'the whole name': [world.host],
  }[trouble.with];
  const faults = troubleFaults(trouble, `${label}.test.`, all).flatMap((fault): readonly Fault[] =>
    names === undefined
      ? [fault]
      : names.map((name) => ({ ...fault, only: { ...fault.only, name: `${name}.${label}.test.` } })),
  );
  return [...faults, ...closed];
}

function troubleFaults({ kind }: Trouble, zone: string, ns: readonly string[]): readonly PartFault[] {
  switch (kind) {
    case 'NXDOMAIN':
      return [{ kind: 'denies-nodata' }];
    case 'NXDOMAIN without SOA and AA':
      return [{ kind: 'rcode', rcode: 'NXDOMAIN' }];
    case 'REFUSED':
    case 'SERVFAIL':
    case 'NOTIMP':
    case 'FORMERR':
    case 'NOTAUTH':
    case 'YXDOMAIN':
      return [{ kind: 'rcode', rcode: kind }];
    case 'NOTIMP to type NS':
      return [{ kind: 'rcode', rcode: 'NOTIMP', only: { type: 'NS' } }];
    case 'silence':
      return [{ kind: 'dead' }];
    case 'upward referral':
      return [{ kind: 'lame', zone: '.', ns: ['a.root.'] }];
    case 'sideways referral':
      return [{ kind: 'lame', zone: 'elsewhere.test.', ns: ['ns.elsewhere.test.'] }];
    case 'self referral':
      return [{ kind: 'lame', zone, ns }];
    case 'type TXT only':
      return [{ kind: 'denies-nodata', only: { type: 'A' } }];
    case 'nothing, without AA':
      return [{ kind: 'empty' }];
    case 'NODATA':
    case 'an alias':
      return [];
    case 'NODATA without SOA':
      return [{ kind: 'without-authority' }];
    case 'NODATA without AA':
    case 'SOA without AA':
      return [{ kind: 'not-authoritative' }];
    case "another name's record":
      return [{ kind: 'answers-other-name' }];
    case "another name's record, without AA":
      return [{ kind: 'answers-other-name' }, { kind: 'not-authoritative' }];
    case 'garbage':
      return [{ kind: 'garbage' }];
    case 'truncation, also over TCP':
      return [{ kind: 'truncates' }];
    case 'closed port':
      return [];
    case 'FORMERR to EDNS':
      return [{ kind: 'rejects-edns', with: 'FORMERR' }];
    case 'FORMERR with OPT to EDNS':
      return [{ kind: 'rejects-edns', with: 'FORMERR-with-OPT' }];
    case 'NOTIMP to EDNS':
      return [{ kind: 'rejects-edns', with: 'NOTIMP' }];
    case 'BADVERS to EDNS':
      return [{ kind: 'rejects-edns', with: 'BADVERS' }];
    case 'SERVFAIL to EDNS':
      return [{ kind: 'rejects-edns', with: 'SERVFAIL' }];
    case 'silence to EDNS':
      return [{ kind: 'rejects-edns', with: 'silence' }];
    case 'an address of three octets':
      return [{ kind: 'cuts-data', type: 'A' }];
    case 'the question in lower case':
      return [{ kind: 'lowers-case' }];
    case 'truncation':
    case 'truncation, TCP dropped':
    case 'truncation, TCP closed':
      return [{ kind: 'truncates', only: { transport: 'udp' } }];
    case 'truncation, TCP silent':
      return [
        { kind: 'truncates', only: { transport: 'udp' } },
        { kind: 'dead', only: { transport: 'tcp' } },
      ];
  }
}
