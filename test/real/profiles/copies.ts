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
  readonly zone: string;
  /** What is asked for. */
  readonly name: string;
  /** Of the addresses of the zone's name servers, in the order of the world. */
  readonly servers: readonly ServerSpec[];
  /** The lines about it in the zone "test.". */
  readonly delegation: string;
  /** The lines about it in the zone "host.", where the addresses of some name servers are. */
  readonly hosted: string;
}

/** Copies the world under a label that no other copy has. */
export function copyOf(world: FaultWorld, label: string, nextAddress: () => string): Copy {
  const nameServers = world.nameServers.map((spec, i) => ({
    spec,
    name: spec.addressesFrom === 'glue' ? `ns${i}.${label}.test.` : `ns${i}.${label}.host.`,
    addresses: spec.addresses.map(() => nextAddress()),
  }));
  const hasIn = (where: NameServerSpec['addressesFrom']) =>
    nameServers
      .filter(({ spec }) => spec.addressesFrom === where)
      .flatMap(({ name, addresses }) => addresses.map((address) => `${name} A ${address}\n`))
      .join('');
  // Unbound looks up the first name first: so each copy has an order of its own.
  const inOrder = [...nameServers].sort((a, b) => chanceOf(a.name) - chanceOf(b.name));
  const nsLines = (owner: string) => inOrder.map(({ name }) => `${owner} NS ${name}\n`).join('');
  const zone = (hostLines: string) =>
    `$ORIGIN ${label}.test.\n$TTL 300\n@ SOA ns hostmaster 1 3600 600 86400 60\n${nsLines('@')}${hasIn('glue')}` +
    `${labelsOf(world)
      .map((name) => `${name} TXT "there"\n`)
      .join('')}${hostLines}`;
  const servers = nameServers.flatMap(({ spec, name, addresses }) =>
    spec.addresses.map((at, i) =>
      serverAt(at, {
        world,
        label,
        name,
        address: addresses[i] ?? '',
        zone,
        all: nameServers.map((one) => one.name),
      }),
    ),
  );
  return {
    world,
    zone: `${label}.test.`,
    name: `${world.host}.${label}.test.`,
    servers,
    delegation: nsLines(`${label}.test.`) + hasIn('glue'),
    hosted: hasIn('elsewhere'),
  };
}

/** The registries above the copies, and the servers of the copies; signed if the copies are. */
export function labWorld(copies: readonly Copy[]): World {
  const signed = copies.flatMap(({ world, zone }) => (world.signed ? [zone] : []));
  const all = signed.length === 0 ? [] : [...REGISTRIES, ...signed];
  const delegated = {
    test: copies.map(({ delegation }) => delegation),
    host: copies.map(({ hosted }) => hosted),
  };
  return {
    signed: Object.fromEntries(all.map((zone) => [zone, {}])),
    servers: [...registriesWith(delegated, DENIAL_TTL), ...copies.flatMap(({ servers }) => servers)],
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
  readonly zone: (hostLines: string) => string;
  /** The zone's name servers. */
  readonly all: readonly string[];
}

function serverAt({ version, latencyMs, trouble, flaw }: AddressSpec, place: Placement): ServerSpec {
  const { world, name, address, zone } = place;
  const lacksHost = trouble?.kind === 'NXDOMAIN' && trouble.with !== 'minimised questions';
  const data = lacksHost ? [''] : ADDRESSES[version].map((host) => `${world.host} A ${host}\n`);
  const files = data.map(zone);
  const [first = ''] = files;
  const latency: Fault[] = latencyMs === 0 ? [] : [{ kind: 'latency', ms: latencyMs }];
  const flawed: Fault[] = flaw === undefined ? [] : [{ kind: 'flawed-signatures', flaw }];
  return {
    name,
    addresses: [address],
    ...(files.length > 1 ? { turns: files.map((file) => [file]) } : { zones: [first] }),
    faults: [...latency, ...flawed, ...(trouble === undefined ? [] : faultsOf(trouble, place))],
  };
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
  const names = {
    'every question': undefined,
    'minimised questions': namesAbove(world.host),
    'the whole name': [world.host],
  }[trouble.with];
  return troubleFaults(trouble, `${label}.test.`, all).flatMap((fault): readonly Fault[] =>
    names === undefined
      ? [fault]
      : names.map((name) => ({ ...fault, only: { ...fault.only, name: `${name}.${label}.test.` } })),
  );
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
    case 'NODATA without SOA':
      return [{ kind: 'without-authority' }];
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
  }
}
