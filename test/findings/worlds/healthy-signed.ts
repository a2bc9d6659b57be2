/* Worlds in which nothing is wrong, with signed zones. */

import type { DenialSpec, ZoneSigning } from '../../../src/lab/signing/zone-signing.ts';
import type { WorldRow } from './world-row.ts';

const WWW = 'www A 203.0.113.80\nwww AAAA 2001:db8:80::80';
const NSEC3: DenialSpec = { kind: 'nsec3' };
const OPT_OUT: DenialSpec = { kind: 'nsec3', optOut: true };
const KSK = { label: 'ksk', signs: 'keys' } as const;
const ZSK = { label: 'zsk', signs: 'data' } as const;

/** A signed zone with two servers of its own, asked for www. */
function signed(signing: ZoneSigning, ask = 'www.shop.test A', records = WWW): WorldRow {
  return { ask, zones: { 'shop.test': { ns: 'ns1 ns2', signed: signing, records } } };
}

/** By what they are like. */
export const SIGNED = {
  'signed, NSEC': signed({}),
  'signed, NSEC3': signed({ denial: NSEC3 }),
  'RSA with SHA-256': signed({ algorithm: 8, keys: [KSK, ZSK] }),
  'RSA with SHA-512': signed({ algorithm: 10 }),
  'ECDSA P-384': signed({ algorithm: 14, denial: NSEC3 }),
  Ed25519: signed({ algorithm: 15 }),
  Ed448: signed({ algorithm: 16 }),
  'a key for keys and one for data': signed({ keys: [KSK, ZSK] }),
  'a key without SEP flag': signed({ keys: [{ flags: 256 }] }),
  'the next key for data is published': signed({
    keys: [KSK, ZSK, { ...ZSK, label: 'next', signs: 'nothing', flags: 256 }],
  }),
  'two keys for keys': signed({ keys: [KSK, { ...KSK, label: 'next' }, ZSK], ds: [{ key: KSK }] }),
  'two DS records': signed({ keys: [KSK, { ...KSK, label: 'next' }, ZSK] }),
  'the DS record of the next key': signed({
    keys: [KSK, ZSK],
    ds: [{ key: KSK }, { key: { ...KSK, label: 'next' } }],
  }),
  'a roll of algorithms, all signed twice': signed({
    keys: [
      { label: 'old', algorithm: 8 },
      { label: 'new', algorithm: 13 },
    ],
  }),
  'a DS record with SHA-384': signed({ ds: [{ key: {}, digest: 4 }] }),
  'CDS as the DS record': {
    ask: 'www.shop.test A',
    zones: { 'shop.test': { ns: 'ns1 ns2', signed: {}, cds: [{ key: {} }], records: WWW } },
  },
  'signed, no such name, NSEC': signed({}, 'no.such.shop.test A'),
  'signed, no such name, NSEC3': signed({ denial: NSEC3 }, 'no.such.shop.test A'),
  'signed, no such type, NSEC': signed({}, 'www.shop.test MX'),
  'signed, no such type, NSEC3': signed({ denial: NSEC3 }, 'www.shop.test MX'),
  'signed, wildcard, NSEC': signed({}, 'any.shop.test A', '* A 203.0.113.80'),
  'signed, wildcard, NSEC3': signed({ denial: NSEC3 }, 'any.shop.test A', '* A 203.0.113.80'),
  'signed, no such type at a wildcard': signed({ denial: NSEC3 }, 'any.shop.test AAAA', '* A 203.0.113.80'),
  'signed, empty non-terminal, NSEC': signed({}, 'eu.shop.test A', 'www.eu A 203.0.113.80'),
  'signed, empty non-terminal, NSEC3': signed({ denial: NSEC3 }, 'eu.shop.test A', 'www.eu A 203.0.113.80'),
  'signed, an alias': signed({}, 'www.shop.test A', 'www CNAME web\nweb A 203.0.113.80'),
  'signed, DNAME': signed({}, 'www.old.shop.test A', 'old DNAME new.shop.test.\nwww.new A 203.0.113.80'),
  'signed, SOA': signed({}, 'shop.test SOA'),
  'the keys of the zone': signed({ keys: [KSK, ZSK] }, 'shop.test DNSKEY'),
  'the DS record of the zone': signed({}, 'shop.test DS'),
  'the DS record of an unsigned zone': {
    ask: 'shop.test DS',
    zones: { 'shop.test': { ns: 'ns1 ns2', records: WWW } },
  },
  'a certificate': signed(
    {},
    '_443._tcp.www.shop.test TLSA',
    `${WWW}\n_443._tcp.www TLSA 3 1 1 ${'ab'.repeat(32)}`,
  ),
  'signed, too large for UDP': signed(
    { algorithm: 10 },
    'big.shop.test TXT',
    Array.from({ length: 12 }, (_, at) => `big TXT "${at} ${'x'.repeat(200)}"`).join('\n'),
  ),
  'an unsigned zone below an opt-out': {
    ask: 'www.shop.test A',
    zones: {
      test: { ns: 'a.nic b.nic', signed: { denial: OPT_OUT } },
      'shop.test': { ns: 'ns1 ns2', records: WWW },
    },
  },
  'a signed zone below an opt-out': {
    ask: 'no.shop.test A',
    zones: {
      test: { ns: 'a.nic b.nic', signed: { denial: OPT_OUT } },
      'shop.test': { ns: 'ns1 ns2', signed: { denial: OPT_OUT }, records: WWW },
    },
  },
  'no such zone below an opt-out': {
    ask: 'www.no.test A',
    zones: {
      test: { ns: 'a.nic b.nic', signed: { denial: OPT_OUT } },
      'shop.test': { ns: 'ns1 ns2', records: WWW },
    },
  },
  'an unsigned zone below a signed one': {
    ask: 'www.dept.firm.test A',
    zones: {
      'firm.test': { ns: 'ns1 ns2', signed: {} },
      'dept.firm.test': { ns: 'ns1 ns2', records: WWW },
    },
  },
  'an unsigned zone on the servers of its signed parent': {
    ask: 'www.dept.firm.test A',
    zones: {
      'firm.test': { ns: 'ns1 ns2', signed: {} },
      'dept.firm.test': { ns: 'ns1.firm.test. ns2.firm.test.', records: WWW },
    },
  },
  'no such name in an unsigned zone on the servers of its signed parent': {
    ask: 'no.dept.firm.test A',
    zones: {
      'firm.test': { ns: 'ns1 ns2', signed: { denial: NSEC3 } },
      'dept.firm.test': { ns: 'ns1.firm.test. ns2.firm.test.', records: WWW },
    },
  },
  'a hoster of a zone and of one two cuts below': {
    ask: 'www.a.dept.firm.test A',
    zones: {
      'host.example': { ns: 'ns1 ns2', records: WWW },
      'firm.test': { ns: 'ns1 ns1.host.example.' },
      'dept.firm.test': { ns: 'ns1 ns2' },
      'a.dept.firm.test': { ns: 'ns1 ns1.host.example.', records: WWW },
    },
  },
  'a hoster of a zone and of the one below': {
    ask: 'www.a.dept.firm.test A',
    zones: {
      'host.example': { ns: 'ns1 ns2', records: WWW },
      'firm.test': { ns: 'ns1.host.example. ns2.host.example.', signed: {} },
      'dept.firm.test': { ns: 'ns1 ns1.host.example.', signed: { denial: NSEC3 } },
      'a.dept.firm.test': { ns: 'ns1 ns2', signed: {}, records: WWW },
    },
  },
  'signed zones on the servers of their parent': {
    ask: 'www.dept.firm.test A',
    zones: {
      'firm.test': { ns: 'ns1 ns2', signed: { denial: NSEC3 } },
      'dept.firm.test': { ns: 'ns1.firm.test. ns2.firm.test.', signed: {}, records: WWW },
    },
  },
  'signed without DS': signed({ ds: [] }),
  'a signed zone below an unsigned one': {
    ask: 'www.dept.firm.test A',
    zones: {
      'firm.test': { ns: 'ns1 ns2' },
      'dept.firm.test': { ns: 'ns1 ns2', signed: {}, records: WWW },
    },
  },
  'an alias from a signed zone to an unsigned one': {
    ask: 'www.shop.test A',
    zones: {
      'shop.test': { ns: 'ns1 ns2', signed: {}, records: 'www CNAME www.cdn.example.' },
      'cdn.example': { ns: 'ns1 ns2', records: WWW },
    },
  },
  'signed, at a signed hoster without glue': {
    ask: 'www.shop.test A',
    zones: {
      'host.example': { ns: 'ns1 ns2', signed: { algorithm: 8 } },
      'shop.test': { ns: 'ns1.host.example. ns2.host.example.', signed: { denial: NSEC3 }, records: WWW },
    },
    siblings: 'without-glue',
  },
  'a signed reverse name': {
    ask: '80.113.0.203.in-addr.arpa PTR',
    zones: {
      '113.0.203.in-addr.arpa': {
        ns: 'ns1.host.test. ns2.host.test.',
        signed: {},
        records: '80 PTR www.host.test.',
      },
      'host.test': { ns: 'ns1 ns2', signed: {}, records: WWW },
    },
  },
  'signed, IPv4 alone': { ...signed({}), families: '4' },
} as const satisfies Readonly<Record<string, WorldRow>>;
