import { toHex } from '../../base/encodings.ts';
import { type Data, rdataOctets } from '../../dns/dnssec/canonical.ts';
import { digestKindOf, isSupportedAlgorithm } from '../../dns/dnssec/crypto.ts';
import {
  countsAsKey,
  firstAlike,
  type Keys,
  keysOf,
  type ZoneKey,
  zoneKeyIn,
  zoneKeysIn,
} from '../../dns/dnssec/keys.ts';
import { rrsetsIn } from '../../dns/dnssec/rrset.ts';
import { keyDigest, keysNamed, type SecureTrust, trustFrom } from '../../dns/dnssec/trust.ts';
import type { Validation } from '../../dns/dnssec/validation.ts';
import { keysUnder, verifyRrset } from '../../dns/dnssec/verify.ts';
import type { Name } from '../../dns/name.ts';
import { comparableData, fitsType } from '../../dns/record.ts';
import type { PickedServer } from '../../evaluate/end.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { queryKey } from '../../exchange/query.ts';
import { meaningFor } from '../../explore/classify.ts';
import type { Recording } from '../../explore/recording.ts';
import { askedExchanges, type Evidence } from '../evidence.ts';
import type { ZoneServer } from '../zones/zone-facts.ts';
import { dsRrsetsIn, signaturesIn } from './verdicts.ts';

/** What a server of a zone says the DS records at the parent should be (RFC 7344 3). */
export interface Request {
  readonly server: PickedServer;
  /** Data of its CDS and CDNSKEY records, sorted. */
  readonly cds: readonly string[];
  readonly cdnskey: readonly string[];
  readonly proof: readonly [Exchanged, Exchanged];
}

/** The request of a server. Undefined if it did not reply to both questions: what it did not say is not empty. */
export function requestOf(server: ZoneServer): Request | undefined {
  const [cds, cdnskey] = [server.apexRecords('CDS'), server.apexRecords('CDNSKEY')];
  const [name] = server.names;
  if (cds === undefined || cdnskey === undefined || name === undefined) return undefined;
  const dataOf = (records: typeof cds.value) => records.filter(fitsType).map(comparableData).sort();
  return {
    server: { name, address: server.address },
    cds: dataOf(cds.value),
    cdnskey: dataOf(cdnskey.value),
    proof: [cds.exchanged, cdnskey.exchanged],
  };
}

/** The types by which a zone tells its parent what DS records it wants. */
export type SignalType = 'CDS' | 'CDNSKEY';

/** What records ask the parent for. */
export type Wish =
  | { readonly kind: 'nothing' }
  /** RFC 8078 4: no DS record is to be left. */
  | { readonly kind: 'removal' }
  /** A record with the algorithm of a removal, which is not all or not as it has to be. */
  | { readonly kind: 'unclear' }
  | { readonly kind: 'records'; readonly data: readonly string[] };

/** What CDS records ask for, or CDNSKEY records. */
export function wishOf(type: SignalType, data: readonly string[]): Wish {
  const { field, removal } = REMOVAL[type];
  if (data.length === 0) return { kind: 'nothing' };
  if (data.every((one) => one.split(' ')[field] !== '0')) return { kind: 'records', data };
  return { kind: data.length === 1 && data[0] === removal ? 'removal' : 'unclear' };
}

/** RFC 8078 4: the field of the algorithm, and the only data that ask for removal. */
const REMOVAL = {
  CDS: { field: 1, removal: '0 0 0 00' },
  CDNSKEY: { field: 2, removal: '0 3 0 AA==' },
} as const;

/** The key in the data of a CDNSKEY record. */
export function keyIn(data: string): ZoneKey | undefined {
  const octets = rdataOctets({ type: 'CDNSKEY', data });
  return octets === undefined ? undefined : zoneKeyIn(octets);
}

/**
 * The data of the DS records that a parent makes of CDNSKEY data, sorted: with digests of the kinds that it has already,
 * SHA-256 if there are none (RFC 7344 6.2.1: the parent chooses).
 */
export function dsFor(
  cdnskey: readonly string[],
  before: readonly string[],
  zone: Name,
  { digest }: Validation,
): readonly string[] {
  const types = new Set(before.map((data) => Number(data.split(' ')[2])));
  const kinds = types.size === 0 ? [SHA_256] : [...types];
  const made = cdnskey.map(keyIn).flatMap((key) =>
    kinds.flatMap((type) => {
      const kind = digestKindOf(type);
      if (key === undefined || kind === undefined) return [];
      const octets = keyDigest(zone, key, kind, digest);
      return [[key.tag, key.algorithm, type, toHex(octets)].join(' ')];
    }),
  );
  return [...new Set(made)].sort();
}

const SHA_256 = 2;

/** The trust that DS data give; undefined if none of them counts. */
export function trustOf(data: readonly string[]): SecureTrust | undefined {
  const trust = trustFrom(data.map((one): Data => ({ type: 'DS', data: one })));
  return trust.kind === 'secure' ? trust : undefined;
}

/**
 * The data of a zone's DS records at its parent, sorted; none if a signed referral, or denial, has none. Undefined if that is
 * not known, or servers of the parent disagree.
 */
export function dsAtParent(evidence: Evidence, zone: Name): readonly string[] | undefined {
  const { recording, referrals, scope } = evidence;
  const planned = scope.plannedDs?.find((one) => one.zone === zone);
  if (planned !== undefined) return planned.ds;
  const sets = new Map<string, readonly string[]>();
  for (const exchanged of askedExchanges(recording)) {
    if (!isBelieved(exchanged, evidence)) continue;
    for (const { owner, records } of dsRrsetsIn(exchanged)) {
      const data = records.filter(fitsType).map(comparableData).sort();
      if (owner === zone) sets.set(data.join('\n'), data);
    }
  }
  if (sets.size > 0) return sets.size === 1 ? [...sets.values()][0] : undefined;
  const isUnsigned = (referrals.get(zone) ?? []).some(
    ({ exchanged }) => isBelieved(exchanged, evidence) && signaturesIn(exchanged).length > 0,
  );
  return isUnsigned ? [] : undefined;
}

function isBelieved(exchanged: Exchanged, { evaluation }: Evidence): boolean {
  const status = evaluation.validation?.verdicts.get(queryKey(exchanged))?.status;
  return status === 'secure' || status === 'insecure';
}

/** The DNSKEY RRset of a zone as one address gives it, and the reply. */
export interface PublishedKeys {
  readonly exchanged: Exchanged;
  /** The keys that can validate the zone's records. */
  readonly keys: Keys;
  /** Whether records of this DS data would lead to the keys (RFC 4035 5.2); undefined if time or damage is the reason. */
  readonly isReachedBy: (trust: SecureTrust) => boolean | undefined;
}

/** What the addresses of a zone gave as its keys. */
export function publishedKeys(
  { recording }: Evidence,
  zone: Name,
  addresses: readonly string[],
): readonly PublishedKeys[] {
  const validation = recording.scope.dnssec?.validation;
  if (validation === undefined) return [];
  return addresses.flatMap((address): readonly PublishedKeys[] => {
    const exchanged = keysReply(recording, zone, address);
    if (exchanged?.outcome.kind !== 'reply') return [];
    const rrset = rrsetsIn(exchanged.outcome.answer).find(zone, 'DNSKEY');
    if (rrset === undefined) return [];
    const counting = zoneKeysIn(rrset.records).filter(
      (key) => countsAsKey(key) && isSupportedAlgorithm(key.algorithm),
    );
    const isReachedBy = (trust: SecureTrust) => {
      const found = keysUnder(trust, zone, rrset, validation);
      if (found.kind === 'keys') return true;
      return found.reason === 'no-matching-ds' || found.reason === 'wrong-key' ? false : undefined;
    };
    return [{ exchanged, keys: keysOf(zone, firstAlike(counting)), isReachedBy }];
  });
}

/** Whether a server says that its zone has no keys: its copy is not signed. */
export function isUnsignedAt({ recording }: Evidence, zone: Name, address: string): boolean {
  const exchanged = keysReply(recording, zone, address);
  return exchanged !== undefined && meaningFor(exchanged, zone).kind === 'nodata';
}

function keysReply({ exchanges }: Recording, zone: Name, address: string): Exchanged | undefined {
  return exchanges.get(queryKey({ address, question: { name: zone, type: 'DNSKEY' } }));
}

/** Whether one of the keys that the DS records name signed a record set at the zone's apex (RFC 7344 4.1); undefined without it. */
export function isSignedBySome(
  { outcome }: Exchanged,
  type: SignalType,
  { zone, keys }: Keys,
  trust: SecureTrust,
  validation: Validation,
): boolean | undefined {
  const rrset = outcome.kind === 'reply' ? rrsetsIn(outcome.answer).find(zone, type) : undefined;
  const named = keysNamed(trust, zone, keys, validation.digest);
  if (rrset === undefined || named.length === 0) return undefined;
  return verifyRrset(rrset, keysOf(zone, named), validation).kind === 'verified';
}

/** Whether two sorted lists of data are equal. */
export function areEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.join('\n') === other.join('\n');
}
