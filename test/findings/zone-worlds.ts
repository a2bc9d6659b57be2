/** Servers of whole zones, for worlds in which servers are asked about the zones themselves. */
import { parseTrustAnchors } from '../../src/dns/dnssec/trust-anchors.ts';
import { isAtOrBelow, labelCount, type Name, parentOf, parseName } from '../../src/dns/name.ts';
import type { ResourceRecord } from '../../src/dns/record.ts';
import type { Exchanged } from '../../src/exchange/exchanged.ts';
import type { Query } from '../../src/exchange/query.ts';
import type { Fault } from '../../src/lab/faults.ts';
import type { Signings, ZoneSigning } from '../../src/lab/signing/zone-signing.ts';
import { trustAnchorOf, type World } from '../../src/lab/world.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { labExchange } from '../lab/lab-exchange.ts';
import { type FindingsWorld, rcode, reply, type Saying } from './world.ts';

/** A zone: its apex and its records as "owner type data" or "owner ttl type data". The SOA is added. */
export interface ZoneSpec {
  readonly apex: string;
  readonly records: readonly string[];
  /** "m.APEX" by default. */
  readonly primary?: string;
  /** 1 by default. */
  readonly serial?: number;
}

export function zone(
  apex: string,
  records: readonly string[],
  soa: Pick<ZoneSpec, 'primary' | 'serial'> = {},
): ZoneSpec {
  return { apex, records, ...soa };
}

/** A server that has these zones. */
export function serving(...zones: readonly ZoneSpec[]): Saying {
  const byDepth = [...zones].sort((a, b) => labelCount(parseName(b.apex)) - labelCount(parseName(a.apex)));
  return (query) => {
    const found = byDepth.find(({ apex }) => isAtOrBelow(query.question.name, parseName(apex)));
    return (found === undefined ? rcode('REFUSED') : replyFrom(found, query))(query);
  };
}

function replyFrom(spec: ZoneSpec, { question }: Query): Saying {
  const records = spec.records.map(read);
  const { apex, primary = `m.${apex}`, serial = 1 } = spec;
  const soa = `${apex} SOA ${primary} h.${apex} ${serial} 3600 600 86400 60`;
  const addresses = (targets: readonly string[]) =>
    records.filter(({ owner, type }) => /^A/.test(type) && targets.includes(owner)).map(({ text }) => text);
  const at = (owner: Name) => records.filter((one) => one.owner === owner);
  const cut = pathTo(question.name, parseName(apex)).find((name) =>
    at(name).some(({ type }) => type === 'NS'),
  );
  if (cut !== undefined) {
    const ns = at(cut).filter(({ type }) => type === 'NS');
    const additional = addresses(ns.map(({ data }) => data));
    return reply({ flags: [], authority: ns.map(({ text }) => text), additional });
  }
  const here = at(question.name);
  const isApex = question.name === apex;
  if (isApex && question.type === 'SOA') return reply({ answer: [soa] });
  const fitting = here.filter(({ type }) => type === question.type);
  if (fitting.length > 0) {
    const additional = question.type === 'NS' ? addresses(fitting.map(({ data }) => data)) : [];
    return reply({ answer: fitting.map(({ text }) => text), additional });
  }
  const exists = isApex || records.some(({ owner }) => isAtOrBelow(parseName(owner), question.name));
  return reply({ rcode: exists ? 'NOERROR' : 'NXDOMAIN', authority: [soa] });
}

function read(text: string) {
  const [, owner = '', type = '', data = ''] = /^(\S+) (?:[0-9]+ )?(\S+) (.*)$/.exec(text) ?? [];
  return { owner, type, data, text };
}

/** The names from right below the apex down to the name. */
function pathTo(name: Name, apex: Name): readonly Name[] {
  const path: Name[] = [];
  for (let at: Name | undefined = name; at !== undefined && at !== apex; at = parentOf(at)) path.unshift(at);
  return path;
}

/** A world whose zones are asked about themselves: x.a. below a. below the root, with two servers each. */

/** What the world has that is not as it should be. */
export interface CheckedWorld extends Pick<FindingsWorld, 'ask' | 'options'> {
  /** What a. delegates x.a. with. */
  readonly parent?: readonly string[];
  /** What ns1.x.a. (192.0.2.31) and ns2.x.a. (192.0.2.32) do; each also has 2001:db8::31 and so on. */
  readonly ns1?: Saying;
  readonly ns2?: Saying;
  readonly says?: Readonly<Record<string, Saying>>;
}

/** Addresses of hosts of x.a.: "ns1.x.a." has 192.0.2.31 and 2001:db8::31. */
export function hosts(...numbers: readonly number[]): readonly string[] {
  return numbers.flatMap((n) => [`ns${n}.x.a. A 192.0.2.3${n}`, `ns${n}.x.a. AAAA 2001:db8::3${n}`]);
}

/** "x.a. NS ns1.x.a." and so on. */
export function naming(...names: readonly string[]): readonly string[] {
  return names.map((name) => `x.a. NS ${name}`);
}

export const WWW = 'www.x.a. A 192.0.2.80';

/** x.a. as it should be. */
export const RIGHT = serving(zone('x.a.', [...naming('ns1.x.a.', 'ns2.x.a.'), ...hosts(1, 2), WWW]));

/** The delegation of x.a. as it should be. */
export const DELEGATED: readonly string[] = [...naming('ns1.x.a.', 'ns2.x.a.'), ...hosts(1, 2)];

/** Everything about a. but what it delegates. */
const A = [
  ...['a. NS ns1.a.', 'a. NS ns2.a.'],
  ...['ns1.a. A 192.0.2.11', 'ns1.a. AAAA 2001:db8::11', 'ns2.a. A 192.0.2.12', 'ns2.a. AAAA 2001:db8::12'],
];

const TOP = serving(
  zone('.', [
    ...['. NS r1.', '. NS r2.', 'r1. A 192.0.2.1', 'r2. A 192.0.2.2'],
    ...A,
    ...['b. NS ns1.b.', 'b. NS ns2.b.'],
    ...['ns1.b. A 192.0.2.21', 'ns1.b. AAAA 2001:db8::21', 'ns2.b. A 192.0.2.22', 'ns2.b. AAAA 2001:db8::22'],
  ]),
);

/** The world of a row. */
export function checked({ parent = DELEGATED, ns1 = RIGHT, ns2 = RIGHT, ...world }: CheckedWorld = {}) {
  const above = serving(zone('a.', [...A, ...parent]));
  return {
    ask: 'www.x.a. A',
    ...world,
    options: { check: true, ...world.options },
    says: {
      '192.0.2.1 *': TOP,
      '192.0.2.2 *': TOP,
      ...at([11, 12], above),
      ...at([31], ns1),
      ...at([32], ns2),
      ...world.says,
    },
  } as const satisfies FindingsWorld;
}

/** The same at 192.0.2.N and 2001:db8::N. */
export function at(numbers: readonly number[], saying: Saying): Readonly<Record<string, Saying>> {
  return Object.fromEntries(
    numbers.flatMap((n) => [
      [`192.0.2.${n} *`, saying],
      [`2001:db8::${n} *`, saying],
    ]),
  );
}

/** Worlds of the lab's signed zones for findings: two root servers, and a zone a. with two servers. */

/** When signatures are judged, in seconds since 1970. */
export const TIME = Date.UTC(2026, 10, 22) / 1000;

export const DAY = 86_400;

/** How a server differs from those of a healthy world. */
interface ServerChange {
  readonly faults?: readonly Fault[];
  readonly signed?: Signings;
}

/** How a world differs from a healthy one. */
interface SignedWorld {
  readonly ask?: string;
  /** The first root server, and more records of its zone. */
  readonly root?: ServerChange & { readonly more?: readonly string[] };
  readonly root2?: ServerChange;
  readonly ns1?: ServerChange;
  readonly ns2?: ServerChange;
  /** An unsigned zone that both servers of a. have besides. */
  readonly besides?: ZoneSpec;
  /** How a. is signed; absent: as most zones are. */
  readonly a?: ZoneSigning | 'unsigned';
  /** More records of a. */
  readonly more?: readonly string[];
  /** More records of a. that its parent has, too. */
  readonly delegated?: readonly string[];
  readonly at?: number;
  /** What the servers of a. make of each of their records, whatever was signed. */
  readonly altered?: (record: ResourceRecord) => ResourceRecord;
}

/** "name: type data" lines as the lab reads them. */
export function signed(world: SignedWorld): FindingsWorld {
  const { ask, root, root2, ns1, ns2, a = {}, more = [], at: time = TIME } = world;
  const { altered = (record) => record, delegated = [], besides } = world;
  const rootZone = (others: readonly string[]) =>
    zoneText(
      '.',
      lines([
        '. NS r1.',
        '. NS r2.',
        'r1. A 192.0.2.1',
        'r2. A 192.0.2.2',
        'a. NS ns1.a.',
        'a. NS ns2.a.',
        'ns1.a. A 192.0.2.11',
        'ns2.a. A 192.0.2.12',
        ...delegated,
        ...others,
      ]),
    );
  const { more: rootMore = [], ...rootChange } = root ?? {};
  const zoneA = zoneText(
    'a.',
    lines([
      'a. NS ns1.a.',
      'a. NS ns2.a.',
      'ns1.a. A 192.0.2.11',
      'ns2.a. A 192.0.2.12',
      'www.a. A 192.0.2.80',
      ...delegated,
      ...more,
    ]),
  );
  const zones = [zoneA, ...(besides === undefined ? [] : [zoneText(besides.apex, lines(besides.records))])];
  const lab: World = {
    servers: [
      { name: 'r1.', addresses: ['192.0.2.1'], zones: [rootZone(rootMore)], ...rootChange },
      { name: 'r2.', addresses: ['192.0.2.2'], zones: [rootZone([])], ...root2 },
      { name: 'ns1.a.', addresses: ['192.0.2.11'], zones, ...ns1 },
      { name: 'ns2.a.', addresses: ['192.0.2.12'], zones, ...ns2 },
    ],
    signed: { '.': {}, ...(a === 'unsigned' ? {} : { 'a.': a }) },
  };
  const exchange = labExchange(lab);
  return {
    ...(ask === undefined ? {} : { ask }),
    says: {
      ...at([1, 2], exchange),
      ...at([11, 12], (query) => alteredBy(exchange(query), (record) => [altered(record)])),
    },
    options: {
      families: [4],
      views: ['validating'],
      trustAnchors: parseTrustAnchors(trustAnchorOf(lab)),
      at: new Date(time * 1000).toISOString(),
    },
  };
}

/** The same world, whose servers at some addresses leave records out of their replies. */
export function without(
  world: FindingsWorld,
  addresses: readonly string[],
  isLeftOut: (record: ResourceRecord) => boolean,
): FindingsWorld {
  const kept = (record: ResourceRecord) => (isLeftOut(record) ? [] : [record]);
  const says = Object.entries(world.says ?? {}).map(([key, saying]): [string, Saying] => {
    const [address = ''] = key.split(' ');
    return [key, addresses.includes(address) ? (query) => alteredBy(saying(query), kept) : saying];
  });
  return { ...world, says: Object.fromEntries(says) };
}

function alteredBy(
  exchanged: Exchanged,
  alter: (record: ResourceRecord) => readonly ResourceRecord[],
): Exchanged {
  const { outcome } = exchanged;
  if (outcome.kind !== 'reply') return exchanged;
  const [answer, authority] = [[...outcome.answer].flatMap(alter), [...outcome.authority].flatMap(alter)];
  return { ...exchanged, outcome: { ...outcome, answer, authority } };
}

function lines(records: readonly string[]): string {
  return records.join('\n');
}
