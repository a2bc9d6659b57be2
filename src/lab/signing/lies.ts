import { createHash } from 'node:crypto';
import { ROOT } from '../../wire/name.ts';
import type { Question } from '../../wire/question.ts';
import { encodeRdata, rdataText } from '../../wire/rdata/rdata.ts';
import { Reader } from '../../wire/reader.ts';
import type { ZoneRecord } from '../zone-file.ts';
import type { SigningFault } from './flaws.ts';

/** An RRset as a server with these faults has it, before it is signed. */
export function asTold(
  set: readonly ZoneRecord[],
  { question, faults }: { readonly question: Question; readonly faults: readonly SigningFault[] },
): readonly ZoneRecord[] {
  const kinds = new Set(faults.map(({ kind }) => kind));
  return set.map((record) => ({ ...record, rdata: toldData(record, kinds, question) }));
}

function toldData(
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
