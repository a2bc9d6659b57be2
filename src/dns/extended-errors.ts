/* Extended DNS Errors (RFC 8914): the reasons that servers add to their replies. */

import { fromHex } from '../base/encodings.ts';
import type { Edns } from './message.ts';

/** An Extended DNS Error in a reply. */
interface ExtendedError {
  readonly code: number;
  /** For people; may be empty. */
  readonly text: string;
}

/** Reads the Extended DNS Errors out of a reply's options. Those too short to have a code are left out. */
export function extendedErrorsIn(edns: Edns | undefined): readonly ExtendedError[] {
  const options = edns?.options.filter(({ code }) => code === EDE) ?? [];
  return options.map(({ data }) => fromHex(data)).flatMap((octets) => errorIn(octets));
}

/** The code of the option (RFC 8914 2). */
const EDE = 15;

function errorIn(octets: Uint8Array): readonly ExtendedError[] {
  const [high, low] = octets;
  if (high === undefined || low === undefined) return [];
  // RFC 8914 2: UTF-8, which may end with a null octet that is no part of it.
  const text = new TextDecoder().decode(octets.subarray(2)).replace(/\0$/, '');
  return [{ code: high * 256 + low, text }];
}

/** The name of an info-code in IANA's registry; "unknown" if it has none. */
export function extendedErrorName(code: number): string {
  return NAMES[code] ?? 'unknown';
}

/** By info-code from 0: RFC 8914 5.2, and what was added to the registry since. */
const NAMES: readonly string[] = [
  'Other Error',
  'Unsupported DNSKEY Algorithm',
  'Unsupported DS Digest Type',
  'Stale Answer',
  'Forged Answer',
  'DNSSEC Indeterminate',
  'DNSSEC Bogus',
  'Signature Expired',
  'Signature Not Yet Valid',
  'DNSKEY Missing',
  'RRSIGs Missing',
  'No Zone Key Bit Set',
  'NSEC Missing',
  'Cached Error',
  'Not Ready',
  'Blocked',
  'Censored',
  'Filtered',
  'Prohibited',
  'Stale NXDOMAIN Answer',
  'Not Authoritative',
  'Not Supported',
  'No Reachable Authority',
  'Network Error',
  'Invalid Data',
  'Signature Expired before Valid',
  'Too Early',
  'Unsupported NSEC3 Iterations Value',
  'Unable to conform to policy',
  'Synthesized',
  'Invalid Query Type',
];
