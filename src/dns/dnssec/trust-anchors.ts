/* Reads trust anchors; knows those of IANA. */

import { NameError, parseName, ROOT } from '../name.ts';
import { encodeRdata, rdataText } from '../rdata/rdata.ts';
import { RdataError } from '../rdata/words.ts';
import { Reader } from '../reader.ts';
import { fitsType } from '../record.ts';
import {
  anchorsInRecords,
  anchorsInStatements,
  anchorsInXml,
  hasStatements,
  TrustAnchorError,
  type WrittenAnchor,
  wrongAt,
} from './anchor-formats.ts';
import { type Data, rdataOctets } from './canonical.ts';
import { DIGEST_OCTETS, digestKindOf, isSupportedAlgorithm } from './crypto.ts';
import { countsAsKey, whyNoKey, zoneKeyIn } from './keys.ts';
import { signerIn, signersIn, type Trust, trustFrom } from './trust.ts';

export { TrustAnchorError } from './anchor-formats.ts';

/** The root's keys of 2017 and of 2024, as IANA publishes them (https://data.iana.org/root-anchors/root-anchors.xml). */
export const IANA_TRUST_ANCHORS: readonly string[] = [
  '. IN DS 20326 8 2 e06d44b80b8f1d39a95c0b0d7c65d08458e880409bbc683457104237c7f8ec8d',
  '. IN DS 38696 8 2 683d2d0acb8c9b712a1948b27f741219298d0a450d612c483af444a4c0fb2b16',
];

/** The trust in the root that anchors give, each a record in zone-file format. Throws a TrustAnchorError. */
export function trustFromAnchors(anchors: readonly string[]): Trust {
  return trustFrom(anchors.flatMap((anchor) => anchorsInRecords(anchor).map(anchorOf)));
}

/**
 * Reads trust anchors of the root: DS and DNSKEY records in zone-file format, the statements of BIND's configuration, or
 * IANA's XML, whose digests must be valid at the moment `at`. Returns a line for each, all written alike. Throws a
 * TrustAnchorError, which names the line, also if no anchor is usable.
 */
export function parseTrustAnchors(text: string, at = new Date()): readonly string[] {
  const anchors = anchorsIn(text, at).map(wholeAnchorOf);
  if (anchors.length === 0) throw new TrustAnchorError('no DS or DNSKEY record');
  if (trustFrom(anchors).kind === 'insecure')
    throw new TrustAnchorError(`no usable trust anchor: ${firstOf(anchors.map(whyUseless))}`);
  return anchors.map(({ type, data }) => `. IN ${type} ${data}`);
}

function anchorsIn(text: string, at: Date): readonly WrittenAnchor[] {
  if (text.trimStart().startsWith('<')) return anchorsInXml(text.trim(), at);
  return hasStatements(text) ? anchorsInStatements(text) : anchorsInRecords(text);
}

/** A digest that was cut off matches no key, ever. */
function wholeAnchorOf(written: WrittenAnchor): Data {
  const anchor = anchorOf(written);
  for (const { keyTag, digestType, digest } of signersIn(anchor.type === 'DS' ? [anchor.data] : [])) {
    const kind = digestKindOf(digestType);
    if (kind !== undefined && digest.length !== DIGEST_OCTETS[kind])
      throw wrongAt(
        written.line,
        `the digest of DS ${keyTag} has ${digest.length} octets; digest type ${digestType} has ${DIGEST_OCTETS[kind]}`,
      );
  }
  return anchor;
}

function anchorOf({ line, owner, type, data }: WrittenAnchor): Data {
  if (!isRoot(owner)) throw wrongAt(line, `"${owner}" is not the root (".")`);
  try {
    const rdata = encodeRdata(type, data, ROOT);
    const anchor = { type, data: rdataText(type, 'IN', Reader.of(rdata).data(rdata.length)) };
    if (fitsType(anchor)) return anchor;
  } catch (error) {
    if (error instanceof RdataError) throw wrongAt(line, error.message);
    throw error;
  }
  throw wrongAt(line, `malformed data of a ${type} record`);
}

function isRoot(owner: string): boolean {
  try {
    return parseName(owner) === ROOT;
  } catch (error) {
    if (error instanceof NameError) return false;
    throw error;
  }
}

/** Why a trust anchor is unusable: "algorithm 12 of DS 20326 is not supported". */
function whyUseless(anchor: Data): string {
  const octets = rdataOctets(anchor) ?? new Uint8Array();
  if (anchor.type === 'DS') {
    const { keyTag, algorithm, digestType } = signerIn(octets);
    return isSupportedAlgorithm(algorithm)
      ? `digest type ${digestType} of DS ${keyTag} is not supported`
      : `algorithm ${algorithm} of DS ${keyTag} is not supported`;
  }
  const key = zoneKeyIn(octets);
  if (countsAsKey(key)) return `algorithm ${key.algorithm} of DNSKEY ${key.tag} is not supported`;
  return `DNSKEY ${key.tag} ${whyNoKey(key)}`;
}

function firstOf(reasons: readonly string[]): string {
  const more = reasons.length - SHOWN;
  return [...reasons.slice(0, SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

const SHOWN = 3;
