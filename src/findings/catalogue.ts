import type { Severity } from '../document/findings.ts';
import { aliasChain, aliasDangling, aliasLoop, badSynthesis } from './aliases.ts';
import {
  answersDiffer,
  existenceDiffers,
  negativeWithoutSoa,
  negativeWrongSoa,
  nxdomainByType,
  nxdomainOnEnt,
  serialDiffers,
} from './answers.ts';
import type { Check } from './check.ts';
import {
  countLow,
  foreignGlueMismatch,
  glueExtra,
  glueMismatch,
  glueMissing,
  glueMissingFamily,
  nameSyntax,
  parentInconsistent,
  referralTooBig,
} from './delegations.ts';
import {
  denialBroken,
  dsNoMatch,
  dsWithoutKeys,
  signatureExpired,
  signatureInvalid,
  signatureMissing,
  signatureNotYetValid,
} from './dnssec/bogus-replies.ts';
import { dsInconsistent, keysDiffer, keysUnreachable } from './dnssec/key-sets.ts';
import { dnssecBogus, serversDifferDnssec } from './dnssec/outcomes.ts';
import { algorithmWeak, expiresSoon, nsec3Iterations } from './dnssec/signing-practice.ts';
import {
  dependencyCycle,
  dependencyWide,
  providerDangling,
  serverIsAlias,
  unregistered,
  unresolvable,
} from './lookups.ts';
import { outOfZone } from './out-of-zone.ts';
import {
  ednsBreaks,
  ednsWrong,
  malformed,
  manglesCase,
  openRecursion,
  pathIntercepted,
  questionMismatch,
  tcpUnreachable,
} from './protocol.ts';
import { noIpv4, noIpv6, notGlobal, sameAddress } from './server-addresses.ts';
import {
  authoritativeReferral,
  deadIpv6,
  emptyReply,
  lossy,
  noResponse,
  notAuthoritative,
  rdataMalformed,
  refused,
  rejectsPlainQueries,
  servfail,
  sidewaysReferral,
  upwardReferral,
  zoneBroken,
} from './servers.ts';
import { singlePoint } from './single-point.ts';
import { answerNotCertain, coldLatencyHigh, firstTryFails, unexplored, warmDiffers } from './user-impact.ts';
import { childSetsDiffer, parentChildDiffer, parentChildDisjoint, ttlSkew } from './zones/ns-set-checks.ts';

/** What belongs to a code: its usual severity, the rule that is broken, and the check that looks for it. */
export interface Entry {
  readonly severity: Severity;
  /** Only where the text of the RFC says so. */
  readonly reference?: string;
  readonly check: Check;
}

type Entries = Readonly<Record<string, Entry>>;

/** Do servers answer, and for the zone? */
const SERVERS = {
  NS_NO_RESPONSE_UDP: { severity: 'warning', reference: 'RFC 1035 4.2', check: noResponse },
  NS_LOSSY: { severity: 'notice', check: lossy },
  ZONE_NO_WORKING_NS: { severity: 'critical', check: zoneBroken },
  NS_REFUSED: { severity: 'error', reference: 'RFC 1035 4.1.1', check: refused },
  NS_SERVFAIL: { severity: 'error', reference: 'RFC 1035 4.1.1', check: servfail },
  NS_FORMERR_NOTIMP: { severity: 'error', reference: 'RFC 1035 4.1.1', check: rejectsPlainQueries },
  NS_NOT_AUTHORITATIVE: { severity: 'error', reference: 'RFC 2181 5.4.1', check: notAuthoritative },
  NS_UPWARD_REFERRAL: { severity: 'warning', check: upwardReferral },
  NS_SIDEWAYS_REFERRAL: { severity: 'error', reference: 'RFC 1034 4.3.1', check: sidewaysReferral },
  NS_AA_ON_REFERRAL: { severity: 'notice', reference: 'RFC 1035 4.1.1', check: authoritativeReferral },
  NS_EMPTY_NOERROR: { severity: 'warning', reference: 'RFC 2308 2.2', check: emptyReply },
  NS_MANGLES_CASE: { severity: 'notice', reference: 'RFC 1034 3.1', check: manglesCase },
  REPLY_QUESTION_MISMATCH: { severity: 'error', reference: 'RFC 5452 9.1', check: questionMismatch },
  RDATA_MALFORMED: { severity: 'warning', reference: 'RFC 3597', check: rdataMalformed },
  REPLY_MALFORMED: { severity: 'error', reference: 'RFC 1035 4.1', check: malformed },
  PATH_INTERCEPTED: { severity: 'critical', check: pathIntercepted },
  NS_V6_DEAD: { severity: 'warning', reference: 'RFC 3901', check: deadIpv6 },
} as const satisfies Entries;

/** Do delegations and glue lead to servers? */
const DELEGATIONS = {
  GLUE_MISSING: { severity: 'error', reference: 'RFC 9471, RFC 1034 4.2.1', check: glueMissing },
  GLUE_MISSING_FAMILY: { severity: 'notice', reference: 'RFC 1034 4.2.2', check: glueMissingFamily },
  GLUE_MISMATCH: { severity: 'error', reference: 'RFC 1034 4.2.2', check: glueMismatch },
  GLUE_FOREIGN_MISMATCH: { severity: 'warning', reference: 'RFC 2181 5.4.1', check: foreignGlueMismatch },
  GLUE_EXTRA: { severity: 'notice', reference: 'RFC 1034 4.2.2', check: glueExtra },
  NS_UNRESOLVABLE: { severity: 'error', reference: 'RFC 1034 4.2.1', check: unresolvable },
  NS_DOMAIN_UNREGISTERED: { severity: 'critical', check: unregistered },
  NS_PROVIDER_DANGLING: { severity: 'error', check: providerDangling },
  NS_IS_ALIAS: { severity: 'error', reference: 'RFC 2181 10.3', check: serverIsAlias },
  DEPENDENCY_CYCLE: { severity: 'error', check: dependencyCycle },
  PARENT_CHILD_NS_DIFFER: { severity: 'warning', reference: 'RFC 1034 4.2.2', check: parentChildDiffer },
  PARENT_CHILD_NS_DISJOINT: { severity: 'error', reference: 'RFC 1034 4.2.2', check: parentChildDisjoint },
  CHILD_NS_SETS_DIFFER: { severity: 'notice', reference: 'RFC 1034 4.3.5', check: childSetsDiffer },
  PARENT_INCONSISTENT: { severity: 'error', reference: 'RFC 1034 4.3.5', check: parentInconsistent },
  NS_TTL_SKEW: { severity: 'info', check: ttlSkew },
  NS_COUNT_LOW: { severity: 'error', reference: 'RFC 1034 4.1, RFC 2182 5', check: countLow },
  NS_SAME_ADDRESS: { severity: 'error', reference: 'RFC 1034 4.1', check: sameAddress },
  NS_NO_IPV4: { severity: 'warning', reference: 'RFC 3901', check: noIpv4 },
  NS_NO_IPV6: { severity: 'notice', check: noIpv6 },
  NS_ADDR_NOT_GLOBAL: { severity: 'error', reference: 'RFC 6890', check: notGlobal },
  NS_NAME_SYNTAX: { severity: 'warning', reference: 'RFC 1123 2.1, RFC 952', check: nameSyntax },
  REFERRAL_TOO_BIG: { severity: 'notice', reference: 'RFC 1035 4.2.1, RFC 9471', check: referralTooBig },
  DEPENDENCY_WIDE: { severity: 'info', check: dependencyWide },
} as const satisfies Entries;

/** Is what servers say consistent, and well formed? */
const ANSWERS = {
  ANSWERS_DIFFER: { severity: 'warning', reference: 'RFC 1034 4.3.5', check: answersDiffer },
  EXISTENCE_DIFFERS: { severity: 'error', reference: 'RFC 1034 4.3.2', check: existenceDiffers },
  SOA_SERIAL_DIFFERS: { severity: 'warning', reference: 'RFC 1034 4.3.5, RFC 1982', check: serialDiffers },
  NXDOMAIN_BY_TYPE: { severity: 'error', reference: 'RFC 1034 4.3.2', check: nxdomainByType },
  NXDOMAIN_ON_ENT: { severity: 'error', reference: 'RFC 8020 2', check: nxdomainOnEnt },
  NEGATIVE_WITHOUT_SOA: { severity: 'warning', reference: 'RFC 2308 2.1, 2.2', check: negativeWithoutSoa },
  NEGATIVE_WRONG_SOA: {
    severity: 'warning',
    reference: 'RFC 1034 4.3.4, RFC 2308',
    check: negativeWrongSoa,
  },
  CNAME_LOOP: { severity: 'error', reference: 'RFC 1034 3.6.2', check: aliasLoop },
  CNAME_CHAIN_LONG: { severity: 'warning', reference: 'RFC 2181 10.1', check: aliasChain },
  CNAME_DANGLING: { severity: 'warning', check: aliasDangling },
  DNAME_BAD_SYNTHESIS: { severity: 'warning', reference: 'RFC 6672 2.2, 3.1', check: badSynthesis },
  OUT_OF_ZONE_DATA: { severity: 'info', reference: 'RFC 2181 5.4.1', check: outOfZone },
} as const satisfies Entries;

/** Do servers speak the protocol, and to whom? */
const PROTOCOL = {
  EDNS_BREAKS: { severity: 'error', reference: 'RFC 6891 7', check: ednsBreaks },
  EDNS_ABSENT_OR_WRONG: { severity: 'warning', reference: 'RFC 6891 6.1', check: ednsWrong },
  TCP_UNREACHABLE: { severity: 'warning', reference: 'RFC 7766 5', check: tcpUnreachable },
  OPEN_RECURSION: { severity: 'warning', reference: 'RFC 5358', check: openRecursion },
} as const satisfies Entries;

/** Does what servers say verify, where somebody asks for proof? */
const DNSSEC = {
  SERVERS_DIFFER_DNSSEC: { severity: 'error', reference: 'RFC 4035 5', check: serversDifferDnssec },
  DS_NO_MATCH: { severity: 'error', reference: 'RFC 4035 5.2', check: dsNoMatch },
  DS_WITHOUT_DNSKEY: { severity: 'error', reference: 'RFC 4035 2.4, 5.2', check: dsWithoutKeys },
  DS_INCONSISTENT: { severity: 'warning', reference: 'RFC 1034 4.3.5', check: dsInconsistent },
  DNSKEY_UNREACHABLE: { severity: 'error', reference: 'RFC 4035 5', check: keysUnreachable },
  RRSIG_EXPIRED: { severity: 'error', reference: 'RFC 4035 5.3.1', check: signatureExpired },
  RRSIG_NOT_YET_VALID: { severity: 'error', reference: 'RFC 4035 5.3.1', check: signatureNotYetValid },
  RRSIG_EXPIRES_SOON: { severity: 'warning', reference: 'RFC 6781 4.4.2', check: expiresSoon },
  RRSIG_MISSING: { severity: 'error', reference: 'RFC 4035 2.2', check: signatureMissing },
  RRSIG_INVALID: { severity: 'error', reference: 'RFC 4035 5.3', check: signatureInvalid },
  DENIAL_BROKEN: { severity: 'error', reference: 'RFC 4035 5.4, RFC 5155 8', check: denialBroken },
  NSEC3_ITERATIONS: { severity: 'notice', reference: 'RFC 9276 3.1', check: nsec3Iterations },
  ALGORITHM_WEAK: { severity: 'warning', reference: 'RFC 9905', check: algorithmWeak },
  KEYS_DIFFER: { severity: 'warning', check: keysDiffer },
} as const satisfies Entries;

/** What does it all come to for users? */
const OUTLOOK = {
  SINGLE_POINT_OF_FAILURE: { severity: 'warning', reference: 'RFC 2182 3.1', check: singlePoint },
  ANSWER_NOT_CERTAIN: { severity: 'error', check: answerNotCertain },
  DNSSEC_BOGUS: { severity: 'error', reference: 'RFC 4035 5.5', check: dnssecBogus },
  WARM_DIFFERS: { severity: 'error', reference: 'RFC 2181 5.4.1', check: warmDiffers },
  FIRST_TRY_FAILS: { severity: 'warning', check: firstTryFails },
  COLD_LATENCY_HIGH: { severity: 'notice', check: coldLatencyHigh },
  UNEXPLORED: { severity: 'notice', check: unexplored },
} as const satisfies Entries;

/** The codes under the headings of svc-findings(7). */
export const HEADINGS = { SERVERS, DELEGATIONS, ANSWERS, PROTOCOL, DNSSEC, OUTLOOK } as const;

/** Every code. The meaning of a code never changes once it is published. */
export const CATALOGUE = {
  ...SERVERS,
  ...DELEGATIONS,
  ...ANSWERS,
  ...PROTOCOL,
  ...DNSSEC,
  ...OUTLOOK,
} as const;

/** One of the codes. */
export type FindingCode = keyof typeof CATALOGUE;

/** Every code, in the order of the catalogue. */
export const CODES: readonly FindingCode[] = Object.keys(CATALOGUE).filter(isCode);

function isCode(text: string): text is FindingCode {
  return text in CATALOGUE;
}
