import { createHash } from 'node:crypto';
import { getOrMake } from '../../base/memo.ts';
import type { Question } from '../../dns/message.ts';
import { ROOT } from '../../dns/name.ts';
import { encodeRdata, rdataText } from '../../dns/rdata/rdata.ts';
import { Reader } from '../../dns/reader.ts';
import { type Answer, type ZoneAssertion, zoneFor } from '../answer.ts';
import { rrset, type Zone } from '../zone.ts';
import type { ZoneRecord } from '../zone-file.ts';
import type { SigningFault } from './zone-signing.ts';

/**
 * An answer with the signatures and proofs that RFC 4035 3.1 asks for, as far as its zones are signed. The
 * additional section gets none: nobody may rely on it.
 */
export function secured(answer: Answer, given: SigningCase): Answer {
  const { question } = given;
  const signed = (records: readonly ZoneRecord[]) =>
    setsOf(records).flatMap((set) => withSignatures(set, given));
  const records = signed(answer.answer);
  const proofs = new Map(answer.assertions.flatMap((assertion) => proofOf(assertion, given)));
  return {
    ...answer,
    answer: question.type === 'RRSIG' ? records.filter(({ type }) => type === 'RRSIG') : records,
    authority: [...signed(answer.authority), ...[...proofs.values()].flat()],
  };
}

/** What a reply is signed for, and what goes wrong with it. */
interface SigningCase {
  readonly zones: readonly Zone[];
  readonly question: Question;
  readonly faults: readonly SigningFault[];
}

type RRset = readonly ZoneRecord[];

/** The RRsets in the order of their first records. */
function setsOf(records: readonly ZoneRecord[]): RRset[] {
  const sets = new Map<string, ZoneRecord[]>();
  for (const record of records) getOrMake(sets, keyOf(record), () => []).push(record);
  return [...sets.values()];
}

function keyOf({ name, type }: ZoneRecord): string {
  return `${type} ${name}`;
}

/** The NS records of a cut are the child's, and what a DNAME makes follows from it: neither is signed. */
function withSignatures(set: RRset, given: SigningCase): RRset {
  const [first] = set;
  if (first === undefined) return set;
  const { type, madeFrom: owner = first.name } = first;
  const zone = zoneFor(given.zones, { name: owner, type });
  const [original] = zone === undefined ? [] : rrset(zone, owner, type);
  const isOfChild = type === 'NS' && owner !== zone?.apex;
  if (zone === undefined || original === undefined || isOfChild) return set;
  return signedBy(zone, set, { ...original, name: owner }, given);
}

/** A set with its signatures; the one that is signed has the owner and the TTL of the record in the zone. */
function signedBy(zone: Zone, set: RRset, original: ZoneRecord, given: SigningCase): RRset {
  if (zone.security === undefined) return set;
  const { faults } = given;
  const records = withFaults(set, given);
  const { name: owner, type, ttl } = original;
  const flaw = faults.find(
    (fault) => fault.kind === 'flawed-signatures' && (fault.covering ?? type) === type,
  );
  const signatures = zone.security.signer.signatures(
    { owner, type, ttl, data: records.map(({ rdata }) => rdata) },
    flaw?.kind === 'flawed-signatures' ? flaw.flaw : undefined,
  );
  const place = { name: set[0]?.name ?? owner, ttl: set[0]?.ttl ?? ttl };
  return [...records, ...signatures.map((rdata) => ({ ...place, type: 'RRSIG', rdata }))];
}

/** The RRsets that back an assertion, signed, each with a key of its own. */
function proofOf({ zone, assertion }: ZoneAssertion, given: SigningCase): (readonly [string, RRset])[] {
  if (zone.security === undefined) return [];
  const { faults } = given;
  const omits = (kind: SigningFault['kind']) => faults.some((fault) => fault.kind === kind);
  if (assertion.kind === 'cut' && omits('omits-ds')) return [];
  const ds = assertion.kind === 'cut' ? rrset(zone, assertion.name, 'DS') : [];
  const denials = ds.length > 0 || omits('omits-proof') ? [] : zone.security.prove(assertion);
  return setsOf([...new Set([...ds, ...denials])]).flatMap((set) => {
    const [first] = set;
    return first === undefined ? [] : [[keyOf(first), signedBy(zone, set, first, given)] as const];
  });
}

/** An RRset as a server with these faults has it, before it is signed. */
function withFaults(
  set: readonly ZoneRecord[],
  { question, faults }: { readonly question: Question; readonly faults: readonly SigningFault[] },
): readonly ZoneRecord[] {
  const kinds = new Set(faults.map(({ kind }) => kind));
  return set.map((record) => ({ ...record, rdata: faultyData(record, kinds, question) }));
}

function faultyData(
  record: ZoneRecord,
  kinds: ReadonlySet<SigningFault['kind']>,
  { type: asked }: Question,
): Uint8Array {
  const { type, rdata } = record;
  if (type === 'DS' && kinds.has('wrong-ds')) return otherDs(rdata);
  if (type === 'NSEC' && kinds.has('wrong-proof')) return wrongNsec(record, asked);
  if (type === 'NSEC3' && kinds.has('wrong-proof')) return wrongNsec3(record, asked);
  return rdata;
}

/** Where the digest begins (RFC 4034 5.1). */
const DIGEST_AT = 4;

/** The digest is that of nobody's key. */
function otherDs(rdata: Uint8Array): Uint8Array {
  const digest = createHash('sha512').update(rdata).digest();
  return Buffer.concat([rdata.subarray(0, DIGEST_AT), digest]).subarray(0, rdata.length);
}

/** The next name is the first one after the record's own, so that none is between them. */
function wrongNsec({ name, rdata }: ZoneRecord, asked: string): Uint8Array {
  const [, ...types] = textOf('NSEC', rdata);
  const next = name === ROOT ? '\\000.' : `\\000.${name}`;
  return encodeRdata('NSEC', [next, ...types, asked, 'DS'].join(' '), ROOT);
}

function wrongNsec3({ name, rdata }: ZoneRecord, asked: string): Uint8Array {
  const [algorithm, flags, iterations, salt, , ...types] = textOf('NSEC3', rdata);
  const [hash = ''] = name.split('.');
  const fields = [algorithm, flags, iterations, salt, hashAfter(hash), ...types, asked, 'DS'];
  return encodeRdata('NSEC3', fields.join(' '), ROOT);
}

/** The next number in base32hex. */
function hashAfter(hash: string): string {
  return hash.replace(/[0-9a-u]v*$/, (tail) => {
    const digit = Number.parseInt(tail.charAt(0), 32) + 1;
    return digit.toString(32).padEnd(tail.length, '0');
  });
}

function textOf(type: string, rdata: Uint8Array): string[] {
  return rdataText(type, 'IN', Reader.of(rdata).data(rdata.length)).split(' ');
}
