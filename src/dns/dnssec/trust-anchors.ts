/* Reads trust anchors; knows those of IANA. */

import { NameError, parseName, ROOT } from '../name.ts';
import { encodeRdata, rdataText } from '../rdata/rdata.ts';
import { RdataError } from '../rdata/words.ts';
import { Reader } from '../reader.ts';
import { fitsType } from '../record.ts';
import type { Data } from './canonical.ts';
import { type Trust, trustFrom } from './trust.ts';

/** What is wrong with trust anchors, in one line. */
export class TrustAnchorError extends Error {
  override readonly name = 'TrustAnchorError';
}

/** The root's keys of 2017 and of 2024, as IANA publishes them (https://data.iana.org/root-anchors/root-anchors.xml). */
export const IANA_TRUST_ANCHORS: readonly string[] = [
  '. IN DS 20326 8 2 e06d44b80b8f1d39a95c0b0d7c65d08458e880409bbc683457104237c7f8ec8d',
  '. IN DS 38696 8 2 683d2d0acb8c9b712a1948b27f741219298d0a450d612c483af444a4c0fb2b16',
];

/** The trust in the root that anchors give, each a record in zone-file format. Throws a TrustAnchorError. */
export function trustFromAnchors(anchors: readonly string[]): Trust {
  return trustFrom(anchors.flatMap(anchorsIn));
}

/**
 * Reads trust anchors of the root: DS and DNSKEY records in zone-file format, `. [ttl] [IN] type data`, one a line,
 * comments after `;`. Gives a line for each, all written alike. Throws a TrustAnchorError that names the line.
 */
export function parseTrustAnchors(text: string): readonly string[] {
  const anchors = text.split(/\r?\n/).flatMap((line, index) => {
    try {
      return anchorsIn(line);
    } catch (error) {
      if (error instanceof TrustAnchorError)
        throw new TrustAnchorError(`line ${index + 1}: ${error.message}`);
      throw error;
    }
  });
  if (anchors.length === 0) throw new TrustAnchorError('no DS or DNSKEY record in it');
  return anchors.map(({ type, data }) => `. IN ${type} ${data}`);
}

/** What a line has: one anchor or, if it is blank or a comment, none. */
function anchorsIn(line: string): readonly Data[] {
  const record = line.replace(/;.*/, '').trim();
  if (record === '') return [];
  const [, owner = '', type = '', data = ''] = RECORD.exec(record) ?? [];
  if (type === '') throw new TrustAnchorError('not a DS or DNSKEY record (. IN DS 20326 8 2 E06D...)');
  if (!isRoot(owner)) throw new TrustAnchorError(`"${owner}" is not the root (".")`);
  return [anchorOf(type.toUpperCase(), data)];
}

const RECORD = /^(\S+)\s+(?:\d+\s+)?(?:IN\s+)?(?:\d+\s+)?(DS|DNSKEY)\s+(.*)$/i;

function isRoot(owner: string): boolean {
  try {
    return parseName(owner) === ROOT;
  } catch (error) {
    if (error instanceof NameError) return false;
    throw error;
  }
}

function anchorOf(type: string, text: string): Data {
  try {
    const rdata = encodeRdata(type, text, ROOT);
    const data = rdataText(type, 'IN', Reader.of(rdata).data(rdata.length));
    if (fitsType({ type, data })) return { type, data };
  } catch (error) {
    if (error instanceof RdataError) throw new TrustAnchorError(error.message);
    throw error;
  }
  throw new TrustAnchorError(`these are no data of a ${type} record`);
}
