/** Worlds for findings with `--check` about a signed zone: x.a. below the root, with two servers. */
import { parseTrustAnchors } from '../../src/dns/dnssec/trust-anchors.ts';
import { parseName } from '../../src/dns/name.ts';
import { rdataText } from '../../src/dns/rdata/rdata.ts';
import { Reader } from '../../src/dns/reader.ts';
import { dsData, signingKey } from '../../src/lab/signing/signing-key.ts';
import type { DsSpec, KeySpec, ZoneSigning } from '../../src/lab/signing/zone-signing.ts';
import type { ServerSpec, World } from '../../src/lab/world.ts';
import { trustAnchorOf } from '../../src/lab/world.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { labExchange } from '../lab/lab-exchange.ts';
import type { FindingsWorld, Saying } from './world.ts';
import { TIME } from './zone-worlds.ts';

/** How a world differs from a healthy one. */
interface SignedChild extends Pick<FindingsWorld, 'ask'> {
  /** More records of x.a., and of the copy at ns2.x.a. if it has others. */
  readonly more?: readonly string[];
  readonly atNs2?: readonly string[];
  readonly signing?: ZoneSigning | 'unsigned';
  readonly ns2?: Pick<ServerSpec, 'faults' | 'signed'>;
  /** By "address name type", as `FindingsWorld` has them: what is said instead. */
  readonly says?: Readonly<Record<string, Saying>>;
  readonly check?: boolean;
  readonly dnssec?: boolean;
}

const HOSTS = ['x.a. NS ns1.x.a.', 'x.a. NS ns2.x.a.', 'ns1.x.a. A 192.0.2.31', 'ns2.x.a. A 192.0.2.32'];
const ROOT = ['. NS r1.', '. NS r2.', 'r1. A 192.0.2.1', 'r2. A 192.0.2.2', ...HOSTS];

/** x.a. with these records besides. */
function zoneX(more: readonly string[]): string {
  return zoneText('x.a.', [...HOSTS, 'www.x.a. A 192.0.2.80', ...more].join('\n'));
}

/** The world of a row. */
export function signedChild(row: SignedChild): FindingsWorld {
  const { ask = 'www.x.a. A', more = [], atNs2 = more, signing = {}, ns2, says } = row;
  const { check = true, dnssec = true } = row;
  const roots = [zoneText('.', ROOT.join('\n'))];
  const lab: World = {
    servers: [
      { name: 'r1.', addresses: ['192.0.2.1'], zones: roots },
      { name: 'r2.', addresses: ['192.0.2.2'], zones: roots },
      { name: 'ns1.x.a.', addresses: ['192.0.2.31'], zones: [zoneX(more)] },
      { name: 'ns2.x.a.', addresses: ['192.0.2.32'], zones: [zoneX(atNs2)], ...ns2 },
    ],
    signed: { '.': {}, ...(signing === 'unsigned' ? {} : { 'x.a.': signing }) },
  };
  const exchange = labExchange(lab);
  const addresses = lab.servers.flatMap((server) => server.addresses);
  return {
    ask,
    says: { ...Object.fromEntries(addresses.map((address) => [`${address} *`, exchange])), ...says },
    options: {
      families: [4],
      check,
      ...(dnssec && {
        views: ['resolver', 'validating'],
        trustAnchors: parseTrustAnchors(trustAnchorOf(lab)),
        at: new Date(TIME * 1000).toISOString(),
      }),
    },
  };
}

/** What a server of x.a. says that has these records and no others, for a row's `says`. */
export function versionOf(records: readonly string[], signing: ZoneSigning = {}, serial = 1): Saying {
  const zones = [zoneText('x.a.', records.join('\n'), serial)];
  const server = { name: 'ns.x.a.', addresses: ['192.0.2.31', '192.0.2.32'], zones };
  return labExchange({ servers: [server], signed: { 'x.a.': signing } });
}

/** A CDS record for a key of x.a. */
export function cds(key: KeySpec = {}, digest: Omit<DsSpec, 'key'> = {}): string {
  return `x.a. CDS ${text('DS', dsData(APEX, { key, ...digest }, {}))}`;
}

/** A CDNSKEY record of a key of x.a. */
export function cdnskey(key: KeySpec = {}): string {
  return `x.a. CDNSKEY ${text('DNSKEY', signingKey(APEX, key, {}).dnskey)}`;
}

const APEX = parseName('x.a.');

function text(type: string, rdata: Uint8Array): string {
  return rdataText(type, 'IN', Reader.of(rdata).data(rdata.length));
}
