/* Lists every code of a finding, with its severity and the rule that is broken. */

import type { ZoneFaultCode } from '../authority/zone-fault.ts';
import type { Severity } from '../document/finding.ts';

/** What belongs to a code: its usual severity, and the rule that is broken. `CHECKS` has the check that looks for it. */
export interface Entry {
  readonly severity: Severity;
  /** Only where the text of the RFC says so. */
  readonly reference?: string;
}

type Entries = Readonly<Record<string, Entry>>;

/** Do servers answer, and for the zone? */
const SERVERS = {
  NS_NO_RESPONSE_UDP: { severity: 'warning', reference: 'RFC 1035 4.2' },
  NS_LOSSY: { severity: 'notice' },
  ZONE_NO_WORKING_NS: { severity: 'critical' },
  NS_REFUSED: { severity: 'error', reference: 'RFC 1035 4.1.1' },
  NS_SERVFAIL: { severity: 'error', reference: 'RFC 1035 4.1.1' },
  NS_FORMERR_NOTIMP: { severity: 'error', reference: 'RFC 1035 4.1.1' },
  NS_NOT_AUTHORITATIVE: { severity: 'error', reference: 'RFC 2181 5.4.1' },
  NS_UPWARD_REFERRAL: { severity: 'warning' },
  NS_SIDEWAYS_REFERRAL: { severity: 'error', reference: 'RFC 1034 4.3.1' },
  NS_AA_ON_REFERRAL: { severity: 'notice', reference: 'RFC 1035 4.1.1' },
  NS_EMPTY_NOERROR: { severity: 'warning', reference: 'RFC 2308 2.2' },
  NS_MANGLES_CASE: { severity: 'notice', reference: 'RFC 1034 3.1' },
  REPLY_QUESTION_MISMATCH: { severity: 'error', reference: 'RFC 5452 9.1' },
  RDATA_MALFORMED: { severity: 'warning', reference: 'RFC 3597' },
  REPLY_MALFORMED: { severity: 'error', reference: 'RFC 1035 4.1' },
  PATH_INTERCEPTED: { severity: 'critical' },
  NS_V6_DEAD: { severity: 'warning', reference: 'RFC 3901' },
} as const satisfies Entries;

/** Do delegations and glue lead to servers? */
const DELEGATIONS = {
  GLUE_MISSING: { severity: 'error', reference: 'RFC 9471, RFC 1034 4.2.1' },
  GLUE_MISSING_FAMILY: { severity: 'notice', reference: 'RFC 1034 4.2.2' },
  GLUE_MISMATCH: { severity: 'error', reference: 'RFC 1034 4.2.2' },
  GLUE_FOREIGN_MISMATCH: { severity: 'warning', reference: 'RFC 2181 5.4.1' },
  GLUE_EXTRA: { severity: 'notice', reference: 'RFC 1034 4.2.2' },
  NS_UNRESOLVABLE: { severity: 'error', reference: 'RFC 1034 4.2.1' },
  NS_DOMAIN_UNREGISTERED: { severity: 'critical' },
  NS_PROVIDER_DANGLING: { severity: 'error' },
  NS_IS_ALIAS: { severity: 'error', reference: 'RFC 2181 10.3' },
  DEPENDENCY_CYCLE: { severity: 'error' },
  PARENT_CHILD_NS_DIFFER: { severity: 'warning', reference: 'RFC 1034 4.2.2' },
  PARENT_CHILD_NS_DISJOINT: { severity: 'error', reference: 'RFC 1034 4.2.2' },
  CHILD_NS_SETS_DIFFER: { severity: 'notice', reference: 'RFC 1034 4.3.5' },
  PARENT_INCONSISTENT: { severity: 'error', reference: 'RFC 1034 4.3.5' },
  NS_TTL_SKEW: { severity: 'info' },
  NS_COUNT_LOW: { severity: 'error', reference: 'RFC 1034 4.1, RFC 2182 5' },
  NS_SAME_ADDRESS: { severity: 'error', reference: 'RFC 1034 4.1' },
  NS_NO_IPV4: { severity: 'warning', reference: 'RFC 3901' },
  NS_NO_IPV6: { severity: 'notice' },
  NS_ADDR_NOT_GLOBAL: { severity: 'error', reference: 'RFC 6890' },
  NS_NAME_SYNTAX: { severity: 'warning', reference: 'RFC 1123 2.1, RFC 952' },
  REFERRAL_TOO_BIG: { severity: 'notice', reference: 'RFC 1035 4.2.1, RFC 9471' },
  DEPENDENCY_WIDE: { severity: 'info' },
} as const satisfies Entries;

/** Are planned zones, as files have them, well formed? */
const ZONE_FILES = {
  FILE_OUT_OF_ZONE: { severity: 'error' },
  FILE_CNAME_AND_OTHER_DATA: { severity: 'error', reference: 'RFC 1034 3.6.2, RFC 2181 10.1' },
  FILE_DNAME_CONFLICT: { severity: 'error', reference: 'RFC 6672 2.3, 2.4' },
  FILE_NO_NS: { severity: 'error', reference: 'RFC 1034 4.2.1' },
  FILE_NS_WITHOUT_ADDRESS: { severity: 'error', reference: 'RFC 1034 4.2.1' },
  FILE_TARGET_IS_ALIAS: { severity: 'warning', reference: 'RFC 2181 10.3' },
  FILE_TARGET_WITHOUT_ADDRESS: { severity: 'warning' },
  FILE_OCCLUDED: { severity: 'warning', reference: 'RFC 1034 4.2.1, RFC 6672 2.4' },
  FILE_TTLS_DIFFER: { severity: 'warning', reference: 'RFC 2181 5.2' },
  FILE_SOA_VALUES: { severity: 'notice', reference: 'RFC 1912 2.2, RFC 2308 5' },
  FILE_SERIAL_NOT_HIGHER: { severity: 'warning', reference: 'RFC 1034 4.3.5, RFC 1982' },
  FILE_GLUE_DIFFERS: { severity: 'error', reference: 'RFC 1034 4.2.2' },
  FILE_SIGNATURE_EXPIRES: { severity: 'warning', reference: 'RFC 4035 5.3.1' },
  FILE_DENIAL_BROKEN: { severity: 'error', reference: 'RFC 4035 2.3, RFC 5155 7.1' },
} as const satisfies Entries & Readonly<Record<ZoneFaultCode, Entry>>;

/** Is what servers say consistent, and well formed? */
const ANSWERS = {
  ANSWERS_DIFFER: { severity: 'warning', reference: 'RFC 1034 4.3.5' },
  EXISTENCE_DIFFERS: { severity: 'error', reference: 'RFC 1034 4.3.2' },
  SOA_SERIAL_DIFFERS: { severity: 'warning', reference: 'RFC 1034 4.3.5, RFC 1982' },
  NXDOMAIN_BY_TYPE: { severity: 'error', reference: 'RFC 1034 4.3.2' },
  NXDOMAIN_ON_ENT: { severity: 'error', reference: 'RFC 8020 2' },
  MINIMISED_FAILS: { severity: 'error', reference: 'RFC 9156 2.3' },
  NEGATIVE_WITHOUT_SOA: { severity: 'warning', reference: 'RFC 2308 2.1, 2.2' },
  NEGATIVE_WRONG_SOA: {
    severity: 'warning',
    reference: 'RFC 1034 4.3.4, RFC 2308',
  },
  CNAME_LOOP: { severity: 'error', reference: 'RFC 1034 3.6.2' },
  CNAME_CHAIN_LONG: { severity: 'warning', reference: 'RFC 2181 10.1' },
  CNAME_DANGLING: { severity: 'warning' },
  DNAME_BAD_SYNTHESIS: { severity: 'warning', reference: 'RFC 6672 2.2, 3.1' },
  OUT_OF_ZONE_DATA: { severity: 'info', reference: 'RFC 2181 5.4.1' },
} as const satisfies Entries;

/** Do servers speak the protocol, and to whom? */
const PROTOCOL = {
  EDNS_BREAKS: { severity: 'error', reference: 'RFC 6891 7' },
  EDNS_ABSENT_OR_WRONG: { severity: 'warning', reference: 'RFC 6891 6.1' },
  TCP_UNREACHABLE: { severity: 'warning', reference: 'RFC 7766 5' },
  OPEN_RECURSION: { severity: 'warning', reference: 'RFC 5358' },
} as const satisfies Entries;

/** Does what servers say verify, where somebody asks for proof? */
const DNSSEC = {
  SERVERS_DIFFER_DNSSEC: { severity: 'error', reference: 'RFC 4035 5' },
  DS_NO_MATCH: { severity: 'error', reference: 'RFC 4035 5.2' },
  DS_WITHOUT_DNSKEY: { severity: 'error', reference: 'RFC 4035 2.4, 5.2' },
  DS_INCONSISTENT: { severity: 'warning', reference: 'RFC 1034 4.3.5' },
  DS_UNSUPPORTED: { severity: 'warning', reference: 'RFC 4035 5.2' },
  SIGNED_WITHOUT_DS: { severity: 'notice', reference: 'RFC 4033 2' },
  DNSSEC_MISSING_AT_SERVER: { severity: 'warning', reference: 'RFC 4035 3.1' },
  DS_STALE: { severity: 'notice', reference: 'RFC 4035 2.4' },
  DNSKEY_UNREACHABLE: { severity: 'error', reference: 'RFC 4035 5' },
  DNSKEY_INVALID: { severity: 'warning', reference: 'RFC 4034 2.1, RFC 5011 2.1' },
  RRSIG_EXPIRED: { severity: 'error', reference: 'RFC 4035 5.3.1' },
  RRSIG_NOT_YET_VALID: { severity: 'error', reference: 'RFC 4035 5.3.1' },
  RRSIG_EXPIRES_SOON: { severity: 'warning', reference: 'RFC 6781 4.4.2' },
  TTL_BEYOND_SIGNATURE: { severity: 'notice', reference: 'RFC 4034 3.1.4, RFC 4035 5.3.3' },
  RRSIG_MISSING: { severity: 'error', reference: 'RFC 4035 2.2' },
  RRSIG_INVALID: { severity: 'error', reference: 'RFC 4035 5.3' },
  DENIAL_BROKEN: { severity: 'error', reference: 'RFC 4035 5.4, RFC 5155 8' },
  NSEC_DENIES_EXISTING: { severity: 'error', reference: 'RFC 4035 2.3, RFC 8198 5' },
  NSEC3_ITERATIONS: { severity: 'notice', reference: 'RFC 9276 3.1' },
  ALGORITHM_INCOMPLETE: { severity: 'warning', reference: 'RFC 4035 2.2, RFC 6840 5.11' },
  ALGORITHM_WEAK: { severity: 'warning', reference: 'RFC 9905' },
  KEYS_DIFFER: { severity: 'warning' },
  KEY_ROLLOVER: { severity: 'info', reference: 'RFC 7583 3' },
  CDS_DIFFERS: { severity: 'notice', reference: 'RFC 7344 4, 4.1' },
} as const satisfies Entries;

/** What does it all come to for users? */
const IMPACT = {
  SINGLE_POINT_OF_FAILURE: { severity: 'warning', reference: 'RFC 2182 3.1' },
  ANSWERS_ROTATE: { severity: 'info' },
  ANSWER_NOT_CERTAIN: { severity: 'error' },
  UNEXPECTED_ANSWER: { severity: 'error' },
  DNSSEC_BOGUS: { severity: 'error', reference: 'RFC 4035 5.5' },
  WARM_DIFFERS: { severity: 'error', reference: 'RFC 2181 5.4.1' },
  FIRST_TRY_FAILS: { severity: 'warning' },
  COLD_LATENCY_HIGH: { severity: 'notice' },
  UNEXPLORED: { severity: 'notice' },
} as const satisfies Entries;

/** The codes under the headings of svc-findings(7). */
export const HEADINGS = {
  SERVERS,
  DELEGATIONS,
  'ZONE FILES': ZONE_FILES,
  ANSWERS,
  PROTOCOL,
  DNSSEC,
  IMPACT,
} as const;

/** Every code. The meaning of a code never changes once it is published. */
export const CATALOGUE = {
  ...SERVERS,
  ...DELEGATIONS,
  ...ZONE_FILES,
  ...ANSWERS,
  ...PROTOCOL,
  ...DNSSEC,
  ...IMPACT,
} as const;

/** One of the codes. */
export type FindingCode = keyof typeof CATALOGUE;

/** Every code, in the order of the catalogue. */
export const CODES: readonly FindingCode[] = Object.keys(CATALOGUE).filter(isCode);

/** Whether a text is one of the codes. */
export function isCode(text: string): text is FindingCode {
  return text in CATALOGUE;
}
