import { rdataOctets } from '../../../src/dns/dnssec/canonical.ts';
import { type Keys, keysOf, zoneKeyIn } from '../../../src/dns/dnssec/keys.ts';
import { type Name, parseName, ROOT } from '../../../src/dns/name.ts';
import { encodeRdata, rdataText } from '../../../src/dns/rdata/rdata.ts';
import { Reader } from '../../../src/dns/reader.ts';
import type { ResourceRecord } from '../../../src/dns/record.ts';
import { signatureFields, signedOctets } from '../../../src/lab/signing/signer.ts';
import { dsData, type SigningKey, signingKey } from '../../../src/lab/signing/signing-key.ts';

/** When signatures made here are valid, as RRSIG records write it. */
export const NOW = '20250601000000';
const YEAR = 365 * 86_400;
const NOW_SECONDS = Date.UTC(2025, 5, 1) / 1000;

/** What is out of the ordinary about a signature. */
interface Odd {
  readonly signer?: string;
  /** Seconds from now. */
  readonly inception?: number;
  readonly expiration?: number;
  /** What to make of its octets. */
  readonly spoil?: (signature: Uint8Array) => Uint8Array;
  /** Makes the records of a wildcard, which is then their owner for the signature. */
  readonly wildcard?: string;
  /** Original TTL; absent: the records'. */
  readonly ttl?: number;
  /** Signs with another key of the zone. */
  readonly key?: SigningKey;
}

/** A zone that signs, for tables. */
export interface SigningZone {
  readonly apex: Name;
  readonly key: SigningKey;
  readonly keys: Keys;
  /** The records of one RRset, a line each, and a signature over them. */
  readonly sign: (rrset: string, odd?: Odd) => string;
  readonly dnskey: string;
  readonly ds: string;
}

/** A zone with one key of an algorithm, ECDSA P-256 if it is not said. Zones of one name have the same key. */
export function signingZone(apex: string, algorithm = 13, label = 'key'): SigningZone {
  const name = parseName(apex);
  const key = keyOf(apex, algorithm, label);
  return {
    apex: name,
    key,
    keys: keysOf(name, [zoneKeyIn(key.dnskey)]),
    sign: (rrset, odd = {}) => `${rrset}\n${signatureLine(name, odd.key ?? key, rrset, odd)}\n`,
    dnskey: `${name} 3600 DNSKEY ${asRead('DNSKEY', key.dnskey)}`,
    ds: `${name} 3600 DS ${asRead('DS', dsData(name, { key: { label } }, { algorithm }))}`,
  };
}

/** A key of a zone. */
export function keyOf(apex: string, algorithm: number, label: string): SigningKey {
  return signingKey(parseName(apex), { label }, { algorithm });
}

function signatureLine(apex: Name, key: SigningKey, rrset: string, odd: Odd): string {
  const records = recordLines(rrset);
  const [first] = records;
  if (first === undefined) throw new Error('an RRset has records');
  const { inception = -YEAR, expiration = YEAR, spoil = (octets: Uint8Array) => octets } = odd;
  const owner = odd.wildcard === undefined ? first.name : parseName(odd.wildcard);
  const set = { owner, type: first.type, ttl: odd.ttl ?? first.ttl, data: records.map(dataOf) };
  const fields = signatureFields(set, key, {
    signer: odd.signer === undefined ? apex : parseName(odd.signer),
    inception: NOW_SECONDS + inception,
    expiration: NOW_SECONDS + expiration,
  });
  const signature = spoil(key.sign(signedOctets(fields, set)));
  return `${first.name} ${first.ttl} RRSIG ${asRead('RRSIG', Buffer.concat([fields, signature]))}`;
}

function dataOf(record: ResourceRecord): Uint8Array {
  const octets = rdataOctets(record);
  if (octets === undefined) throw new Error(`no data: ${record.data}`);
  return octets;
}

/** Records as zone files write them, one a line ("owner TTL [IN] type data"), as they are when they were read from the wire. */
export function recordLines(text: string): readonly ResourceRecord[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith(';')).map(recordLine);
}

function recordLine(line: string): ResourceRecord {
  const [, owner = '', ttl = '', type = '', data = ''] =
    /^(\S+)\s+(\d+)\s+(?:IN\s+)?(\S+)\s*(.*)$/.exec(line) ?? [];
  return recordOf(parseName(owner), type, data, Number(ttl));
}

/** One record with data as zone files write them. */
function recordOf(name: Name, type: string, data: string, ttl = 3600): ResourceRecord {
  const joined = type === 'RRSIG' ? withoutBlanks(data) : data;
  return { name, type, ttl, data: asRead(type, encodeRdata(type, joined, ROOT)) };
}

/** What is read of record data. */
function asRead(type: string, rdata: Uint8Array): string {
  return rdataText(type, 'IN', Reader.of(rdata).data(rdata.length));
}

/** Signatures are broken into pieces, which follow eight fields. */
function withoutBlanks(data: string): string {
  const words = data.split(/\s+/);
  return [...words.slice(0, 8), words.slice(8).join('')].join(' ');
}
