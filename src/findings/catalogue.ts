/* Lists every code of a finding, with its severity and the rule that is broken. */

import type { ZoneFaultCode } from '../authority/zone-fault.ts';
import type { Severity } from '../document/finding.ts';

/** What belongs to a code. `CHECKS` has the check that looks for it, with the words for what is wrong and what to do. */
export interface Entry {
  /** Its usual severity. */
  readonly severity: Severity;
  /** Who can do it. */
  readonly who: Actor;
  /** What users notice of it, where it follows from something else. */
  readonly hence?: string;
  /** The rule that is broken, only where the text of the RFC says so. */
  readonly reference?: string;
}

/**
 * Who can act: the operator of the server, the owner of the zone, either of them, the first if servers are named and else
 * the second, the operators of the servers of the zone above, or who asks.
 */
export type Actor = 'operator' | 'owner' | 'either' | 'operator-if-named' | 'parent' | 'you';

type Entries = Readonly<Record<string, Entry>>;

/** Do servers answer, and for the zone? */
const SERVERS = {
  NS_NO_RESPONSE_UDP: { severity: 'warning', who: 'either', reference: 'RFC 1035 4.2' },
  NS_LOSSY: { severity: 'notice', who: 'operator' },
  ZONE_NO_WORKING_NS: { severity: 'critical', who: 'owner', hence: 'nothing in the zone is found' },
  NS_REFUSED: { severity: 'error', who: 'either', reference: 'RFC 1035 4.1.1' },
  NS_SERVFAIL: { severity: 'error', who: 'operator', reference: 'RFC 1035 4.1.1' },
  NS_FORMERR_NOTIMP: { severity: 'error', who: 'operator', reference: 'RFC 1035 4.1.1' },
  NS_NOT_AUTHORITATIVE: { severity: 'error', who: 'either', reference: 'RFC 2181 5.4.1' },
  NS_UPWARD_REFERRAL: { severity: 'warning', who: 'either' },
  NS_SIDEWAYS_REFERRAL: { severity: 'error', who: 'either', reference: 'RFC 1034 4.3.1' },
  NS_AA_ON_REFERRAL: { severity: 'notice', who: 'operator', reference: 'RFC 1035 4.1.1' },
  NS_EMPTY_NOERROR: { severity: 'warning', who: 'either', reference: 'RFC 2308 2.2' },
  NS_MANGLES_CASE: { severity: 'notice', who: 'operator', reference: 'RFC 1034 3.1' },
  REPLY_QUESTION_MISMATCH: { severity: 'error', who: 'operator', reference: 'RFC 5452 9.1' },
  RDATA_MALFORMED: { severity: 'warning', who: 'operator', reference: 'RFC 3597' },
  REPLY_MALFORMED: { severity: 'error', who: 'operator', reference: 'RFC 1035 4.1' },
  PATH_INTERCEPTED: { severity: 'critical', who: 'you' },
  NS_V6_DEAD: { severity: 'warning', who: 'operator', reference: 'RFC 3901' },
} as const satisfies Entries;

/** Do delegations and glue lead to servers? */
const DELEGATIONS = {
  GLUE_MISSING: { severity: 'error', who: 'owner', reference: 'RFC 9471, RFC 1034 4.2.1' },
  GLUE_MISSING_FAMILY: { severity: 'notice', who: 'owner', reference: 'RFC 1034 4.2.2' },
  GLUE_MISMATCH: { severity: 'error', who: 'owner', reference: 'RFC 1034 4.2.2' },
  GLUE_FOREIGN_MISMATCH: { severity: 'warning', who: 'owner', reference: 'RFC 2181 5.4.1' },
  GLUE_EXTRA: { severity: 'notice', who: 'owner', reference: 'RFC 1034 4.2.2' },
  NS_UNRESOLVABLE: { severity: 'error', who: 'owner', reference: 'RFC 1034 4.2.1' },
  NS_DOMAIN_UNREGISTERED: { severity: 'critical', who: 'owner' },
  NS_PROVIDER_DANGLING: { severity: 'error', who: 'owner' },
  NS_IS_ALIAS: { severity: 'error', who: 'owner', reference: 'RFC 2181 10.3' },
  DEPENDENCY_CYCLE: { severity: 'error', who: 'owner' },
  PARENT_CHILD_NS_DIFFER: { severity: 'warning', who: 'owner', reference: 'RFC 1034 4.2.2' },
  PARENT_CHILD_NS_DISJOINT: { severity: 'error', who: 'owner', reference: 'RFC 1034 4.2.2' },
  CHILD_NS_SETS_DIFFER: { severity: 'notice', who: 'operator', reference: 'RFC 1034 4.3.5' },
  CUT_MISSING: { severity: 'error', who: 'owner', reference: 'RFC 1034 4.2.1' },
  ANSWER_BELOW_CUT: { severity: 'error', who: 'operator', reference: 'RFC 1034 4.3.2' },
  PARENT_INCONSISTENT: { severity: 'error', who: 'parent', reference: 'RFC 1034 4.3.5' },
  NS_TTL_SKEW: { severity: 'info', who: 'owner' },
  NS_COUNT_LOW: { severity: 'error', who: 'owner', reference: 'RFC 1034 4.1, RFC 2182 5' },
  NS_SAME_ADDRESS: { severity: 'error', who: 'owner', reference: 'RFC 1034 4.1' },
  NS_NO_IPV4: { severity: 'warning', who: 'owner', reference: 'RFC 3901' },
  NS_NO_IPV6: { severity: 'notice', who: 'owner' },
  NS_ADDR_NOT_GLOBAL: { severity: 'error', who: 'owner', reference: 'RFC 6890' },
  NS_NAME_SYNTAX: { severity: 'warning', who: 'owner', reference: 'RFC 1123 2.1, RFC 952' },
  REFERRAL_TOO_BIG: { severity: 'notice', who: 'owner', reference: 'RFC 1035 4.2.1, RFC 9471' },
  DEPENDENCY_WIDE: { severity: 'info', who: 'owner' },
} as const satisfies Entries;

/** Are planned zones, as files have them, well formed? */
const ZONE_FILES = {
  FILE_UNREADABLE: { severity: 'error', who: 'owner' },
  FILE_NOT_DELEGATED: { severity: 'error', who: 'owner' },
  FILE_REFUSED: { severity: 'error', who: 'owner' },
  FILE_TEXT_CUT: { severity: 'warning', who: 'owner', reference: 'RFC 1035 5.1' },
  FILE_OUT_OF_ZONE: { severity: 'error', who: 'owner' },
  FILE_CNAME_AND_OTHER_DATA: { severity: 'error', who: 'owner', reference: 'RFC 1034 3.6.2, RFC 2181 10.1' },
  FILE_DNAME_CONFLICT: { severity: 'error', who: 'owner', reference: 'RFC 6672 2.3, 2.4' },
  FILE_NO_NS: { severity: 'error', who: 'owner', reference: 'RFC 1034 4.2.1' },
  FILE_NS_WITHOUT_ADDRESS: { severity: 'error', who: 'owner', reference: 'RFC 1034 4.2.1' },
  FILE_TARGET_IS_ALIAS: { severity: 'warning', who: 'owner', reference: 'RFC 2181 10.3' },
  FILE_TARGET_WITHOUT_ADDRESS: { severity: 'warning', who: 'owner' },
  FILE_OCCLUDED: { severity: 'warning', who: 'owner', reference: 'RFC 1034 4.2.1, RFC 6672 2.4' },
  FILE_TTLS_DIFFER: { severity: 'warning', who: 'owner', reference: 'RFC 2181 5.2' },
  FILE_SOA_VALUES: { severity: 'notice', who: 'owner', reference: 'RFC 1912 2.2, RFC 2308 5' },
  FILE_SERIAL_NOT_HIGHER: { severity: 'warning', who: 'owner', reference: 'RFC 1034 4.3.5, RFC 1982' },
  FILE_GLUE_DIFFERS: { severity: 'error', who: 'owner', reference: 'RFC 1034 4.2.2' },
  FILE_SIGNATURE_EXPIRES: { severity: 'warning', who: 'owner', reference: 'RFC 4035 5.3.1' },
  FILE_DENIAL_BROKEN: { severity: 'error', who: 'owner', reference: 'RFC 4035 2.3, RFC 5155 7.1' },
} as const satisfies Entries & Readonly<Record<ZoneFaultCode, Entry>>;

/** Is what servers say consistent, and well formed? */
const ANSWERS = {
  ANSWERS_DIFFER: { severity: 'warning', who: 'owner', reference: 'RFC 1034 4.3.5' },
  EXISTENCE_DIFFERS: { severity: 'error', who: 'operator', reference: 'RFC 1034 4.3.2' },
  SOA_SERIAL_DIFFERS: { severity: 'warning', who: 'operator', reference: 'RFC 1034 4.3.5, RFC 1982' },
  SOA_SERIAL_LOWERED: { severity: 'warning', who: 'owner', reference: 'RFC 1982, RFC 2182 7' },
  NXDOMAIN_BY_TYPE: { severity: 'error', who: 'operator', reference: 'RFC 1034 4.3.2' },
  NXDOMAIN_ON_ENT: { severity: 'error', who: 'operator', reference: 'RFC 8020 2' },
  WILDCARD_HIDDEN: { severity: 'notice', who: 'owner', reference: 'RFC 4592 2.2.2' },
  MINIMISED_FAILS: {
    severity: 'error',
    who: 'operator',
    hence: 'no answer below a name for resolvers that ask label by label',
    reference: 'RFC 9156 2.3',
  },
  SOA_UNANSWERED: { severity: 'notice', who: 'operator', reference: 'RFC 1034 4.3.2' },
  NEGATIVE_WITHOUT_SOA: { severity: 'warning', who: 'operator', reference: 'RFC 2308 2.1, 2.2' },
  NEGATIVE_WRONG_SOA: { severity: 'warning', who: 'operator', reference: 'RFC 1034 4.3.4, RFC 2308' },
  CNAME_LOOP: { severity: 'error', who: 'owner', reference: 'RFC 1034 3.6.2' },
  CNAME_AT_APEX: { severity: 'error', who: 'owner', reference: 'RFC 1034 3.6.2, RFC 2181 10.1' },
  CNAME_CHAIN_LONG: { severity: 'warning', who: 'owner', reference: 'RFC 2181 10.1' },
  CNAME_DANGLING: { severity: 'warning', who: 'owner' },
  TARGET_NAME_SYNTAX: { severity: 'notice', who: 'owner', reference: 'RFC 1123 2.1, RFC 952' },
  CAA_FAILS: {
    severity: 'error',
    who: 'operator',
    hence: 'no certificate is issued',
    reference: 'RFC 8659 3',
  },
  CAA_ABOVE: { severity: 'info', who: 'owner', reference: 'RFC 8659 3' },
  DNAME_BAD_SYNTHESIS: { severity: 'warning', who: 'operator', reference: 'RFC 6672 2.2, 3.1' },
  OUT_OF_ZONE_DATA: { severity: 'info', who: 'operator', reference: 'RFC 2181 5.4.1' },
} as const satisfies Entries;

/** Do servers speak the protocol, and to whom? */
const PROTOCOL = {
  EDNS_BREAKS: { severity: 'error', who: 'operator', reference: 'RFC 6891 7' },
  EDNS_ABSENT_OR_WRONG: { severity: 'warning', who: 'operator', reference: 'RFC 6891 6.1' },
  TCP_UNREACHABLE: { severity: 'warning', who: 'operator', reference: 'RFC 7766 5' },
  OPEN_RECURSION: { severity: 'warning', who: 'operator', reference: 'RFC 5358' },
} as const satisfies Entries;

/** Does what servers say verify, where somebody asks for proof? */
const DNSSEC = {
  SERVERS_DIFFER_DNSSEC: {
    severity: 'error',
    who: 'operator',
    hence: 'validating resolvers ask again',
    reference: 'RFC 4035 5',
  },
  DS_NO_MATCH: { severity: 'error', who: 'owner', reference: 'RFC 4035 5.2' },
  DS_WITHOUT_DNSKEY: { severity: 'error', who: 'operator-if-named', reference: 'RFC 4035 2.4, 5.2' },
  DS_INCONSISTENT: { severity: 'warning', who: 'parent', reference: 'RFC 1034 4.3.5' },
  DS_UNSUPPORTED: { severity: 'warning', who: 'owner', reference: 'RFC 4035 5.2' },
  SIGNED_WITHOUT_DS: { severity: 'notice', who: 'owner', reference: 'RFC 4033 2' },
  DNSSEC_MISSING_AT_SERVER: {
    severity: 'warning',
    who: 'operator',
    hence: 'validating resolvers ask again',
    reference: 'RFC 4035 3.1',
  },
  DS_STALE: { severity: 'notice', who: 'owner', reference: 'RFC 4035 2.4' },
  DNSKEY_UNREACHABLE: { severity: 'error', who: 'operator', reference: 'RFC 4035 5' },
  DNSKEY_INVALID: { severity: 'warning', who: 'owner', reference: 'RFC 4034 2.1, RFC 5011 2.1' },
  RRSIG_EXPIRED: { severity: 'error', who: 'operator-if-named', reference: 'RFC 4035 5.3.1' },
  RRSIG_NOT_YET_VALID: { severity: 'error', who: 'operator-if-named', reference: 'RFC 4035 5.3.1' },
  RRSIG_EXPIRES_SOON: { severity: 'warning', who: 'owner', reference: 'RFC 6781 4.4.2' },
  TTL_BEYOND_SIGNATURE: { severity: 'notice', who: 'owner', reference: 'RFC 4034 3.1.4, RFC 4035 5.3.3' },
  RRSIG_MISSING: { severity: 'error', who: 'operator-if-named', reference: 'RFC 4035 2.2' },
  RRSIG_INVALID: {
    severity: 'error',
    who: 'operator-if-named',
    hence: 'validating resolvers ask again',
    reference: 'RFC 4035 5.3',
  },
  DENIAL_BROKEN: { severity: 'error', who: 'operator-if-named', reference: 'RFC 4035 5.4, RFC 5155 8' },
  NSEC_DENIES_EXISTING: { severity: 'error', who: 'owner', reference: 'RFC 4035 2.3, RFC 8198 5' },
  NSEC3_ITERATIONS: { severity: 'notice', who: 'owner', reference: 'RFC 9276 3.1' },
  ALGORITHM_INCOMPLETE: { severity: 'warning', who: 'owner', reference: 'RFC 4035 2.2, RFC 6840 5.11' },
  ALGORITHM_WEAK: { severity: 'warning', who: 'owner', reference: 'RFC 9905' },
  KEYS_DIFFER: { severity: 'warning', who: 'operator' },
  KEY_ROLLOVER: { severity: 'info', who: 'owner', reference: 'RFC 7583 3' },
  CDS_DIFFERS: { severity: 'notice', who: 'owner', reference: 'RFC 7344 4, 4.1' },
} as const satisfies Entries;

/** What does it all come to for users? */
const IMPACT = {
  SINGLE_POINT_OF_FAILURE: { severity: 'warning', who: 'owner', reference: 'RFC 2182 3.1' },
  ANSWERS_ROTATE: { severity: 'info', who: 'owner' },
  ANSWER_NOT_CERTAIN: { severity: 'error', who: 'owner', hence: 'users get different answers' },
  UNEXPECTED_ANSWER: { severity: 'error', who: 'owner' },
  DNSSEC_BOGUS: {
    severity: 'error',
    who: 'owner',
    hence: 'SERVFAIL behind validating resolvers',
    reference: 'RFC 4035 5.5',
  },
  WARM_DIFFERS: {
    severity: 'error',
    who: 'owner',
    hence: 'other answers once resolvers know the NS records of the zone',
    reference: 'RFC 2181 5.4.1',
  },
  FIRST_TRY_FAILS: { severity: 'warning', who: 'owner', hence: 'slower lookups' },
  COLD_LATENCY_HIGH: { severity: 'notice', who: 'owner', hence: 'slower lookups' },
  UNEXPLORED: { severity: 'notice', who: 'you' },
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
