/* Signs and proves as a lab server does, with the faults that it has. */

import { createHash } from 'node:crypto';
import { proofWith } from '../../authority/proofs.ts';
import type { Prove, RRset, Zone, ZoneSecurity } from '../../authority/zone.ts';
import type { ZoneRecord } from '../../authority/zone-file.ts';
import type { Question } from '../../dns/message.ts';
import { ROOT } from '../../dns/name.ts';
import { encodeRdata, rdataText } from '../../dns/rdata/rdata.ts';
import { Reader } from '../../dns/reader.ts';
import type { Signer } from './signer.ts';
import type { SigningFault } from './zone-signing.ts';

/** A zone as a lab server has it. */
export interface LabZone extends Zone {
  /** The zone as a server with these faults replies from it to a question; absent: it is not signed. */
  readonly spoilt?: (faults: readonly SigningFault[], question: Question) => Zone;
}

/** A zone whose signatures are made when they are needed. `deny` finds the records that prove a denial. */
export function secureZone(zone: Zone, signer: Signer, deny: Prove): LabZone {
  const securityWith = (faults: readonly SigningFault[], question?: Question): ZoneSecurity => {
    const kinds = new Set(faults.map(({ kind }) => kind));
    const proof = proofWith(zone, kinds.has('omits-proof') ? () => [] : deny);
    return {
      signed: (set, original) => {
        const records = question === undefined ? set : withFaults(set, kinds, question);
        return [...records, ...signaturesOf(records, original, signer, faults)];
      },
      proof: (assertion) => (assertion.kind === 'cut' && kinds.has('omits-ds') ? [] : proof(assertion)),
    };
  };
  return {
    ...zone,
    security: securityWith([]),
    spoilt: (faults, question) => ({ ...zone, security: securityWith(faults, question) }),
  };
}

function signaturesOf(
  set: RRset,
  { name: owner, type, ttl }: Pick<ZoneRecord, 'name' | 'type' | 'ttl'>,
  signer: Signer,
  faults: readonly SigningFault[],
): RRset {
  const flaw = faults.find(
    (fault) => fault.kind === 'flawed-signatures' && (fault.covering ?? type) === type,
  );
  const signatures = signer.signatures(
    { owner, type, ttl, data: set.map(({ rdata }) => rdata) },
    flaw?.kind === 'flawed-signatures' ? flaw.flaw : undefined,
  );
  const place = { name: set[0]?.name ?? owner, ttl: set[0]?.ttl ?? ttl };
  return signatures.map((rdata) => ({ ...place, type: 'RRSIG', rdata }));
}

/** An RRset as a server with these faults has it, before it is signed. */
function withFaults(set: RRset, kinds: ReadonlySet<SigningFault['kind']>, question: Question): RRset {
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
