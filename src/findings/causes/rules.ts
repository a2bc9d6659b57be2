/* The rules by which one finding is the cause of another. */

import type { FindingCode } from '../catalogue.ts';
import {
  areAtOneAddress,
  areAtOneServer,
  areInOneZone,
  areOne,
  entersTheRingFromThere,
  failsForTheOthersName,
  goesBySides,
  happensInOrBehindTheZone,
  happensWhereLookupsFail,
  isHeardAbove,
  isHeardThere,
  isInZoneWithoutCut,
  isLeftBehind,
  isNamedByOneSide,
  isNamedOfOld,
  isOfServersToLeave,
  isOfZoneBelow,
  isOnMainWalk,
  isPartOfProof,
  isShownThere,
  isSignedByFaultyKeys,
  isSignedByKeysThatDiffer,
  isThereOrEverywhere,
  isTrustInFaultyKeys,
  leavesOneServer,
  leavesOneValidServer,
  shareDenial,
  shareDsRecords,
  shareProbe,
  shareProof,
  shareUnreadableSignatures,
  type Tie,
  takesLong,
} from './ties.ts';

/** Codes for a server that gives nothing usable for a zone. */
const SERVER_FAULTS = [
  'NS_NO_RESPONSE_UDP',
  'NS_LOSSY',
  'NS_REFUSED',
  'NS_SERVFAIL',
  'NS_FORMERR_NOTIMP',
  'NS_UPWARD_REFERRAL',
  'NS_SIDEWAYS_REFERRAL',
  'NS_EMPTY_NOERROR',
  'REPLY_QUESTION_MISMATCH',
  'REPLY_MALFORMED',
  'TCP_UNREACHABLE',
] as const satisfies readonly FindingCode[];

/** Codes for a name server that has no address. */
const NAME_FAULTS = [
  'GLUE_MISSING',
  'NS_UNRESOLVABLE',
  'NS_DOMAIN_UNREGISTERED',
  'DEPENDENCY_CYCLE',
] as const satisfies readonly FindingCode[];

/** Codes for servers that contradict each other. */
const DIFFERENCES = [
  'PARENT_INCONSISTENT',
  'ANSWER_BELOW_CUT',
  'EXISTENCE_DIFFERS',
  'ANSWERS_DIFFER',
] as const satisfies readonly FindingCode[];

/** Codes for a delegation and a zone that name different servers. */
const MISMATCHES = [
  'PARENT_CHILD_NS_DISJOINT',
  'PARENT_CHILD_NS_DIFFER',
] as const satisfies readonly FindingCode[];

/** Codes for a server that does not serve a zone, or is not there. */
const ABSENCES = [
  'NS_NO_RESPONSE_UDP',
  'NS_REFUSED',
  'NS_SERVFAIL',
  'NS_UPWARD_REFERRAL',
  'NS_SIDEWAYS_REFERRAL',
  'NS_EMPTY_NOERROR',
  'NS_NOT_AUTHORITATIVE',
  'NEGATIVE_WRONG_SOA',
  'NS_UNRESOLVABLE',
] as const satisfies readonly FindingCode[];

/** Codes for servers with different versions of a zone. */
const VERSIONS = ['SOA_SERIAL_DIFFERS', 'SOA_SERIAL_LOWERED'] as const satisfies readonly FindingCode[];

/** Codes for what does not verify. */
const UNPROVEN = [
  'DS_NO_MATCH',
  'DS_WITHOUT_DNSKEY',
  'DNSSEC_MISSING_AT_SERVER',
  'DNSKEY_UNREACHABLE',
  'RRSIG_EXPIRED',
  'RRSIG_NOT_YET_VALID',
  'RRSIG_MISSING',
  'RRSIG_INVALID',
  'DENIAL_BROKEN',
] as const satisfies readonly FindingCode[];

/** Why lookups fail. */
export const FAILURES: readonly Blame[] = [
  { causes: [...SERVER_FAULTS, ...NAME_FAULTS, 'ZONE_NO_WORKING_NS', 'CNAME_LOOP'], tie: shareProof },
  { causes: [...SERVER_FAULTS, ...NAME_FAULTS, 'ZONE_NO_WORKING_NS'], tie: happensWhereLookupsFail },
];

/** From the ground up: addresses, servers, names of servers, zones, users. The first rule that fits a part of an effect counts. */
export const RULES: readonly Rule[] = [
  {
    effects: [...SERVER_FAULTS, ...NAME_FAULTS, 'GLUE_MISMATCH', 'GLUE_FOREIGN_MISMATCH'],
    causes: ['SOA_SERIAL_DIFFERS'],
    tie: isNamedOfOld,
  },
  { effects: SERVER_FAULTS, causes: SERVER_FAULTS, tie: isOfZoneBelow },
  {
    effects: [
      ...SERVER_FAULTS,
      'NS_ADDR_NOT_GLOBAL',
      'NS_V6_DEAD',
      'NS_NOT_AUTHORITATIVE',
      'NEGATIVE_WRONG_SOA',
      'SOA_SERIAL_DIFFERS',
    ],
    causes: ['GLUE_MISMATCH', 'GLUE_FOREIGN_MISMATCH'],
    tie: areAtOneServer,
  },
  { effects: [...SERVER_FAULTS, ...ABSENCES, 'NS_V6_DEAD'], causes: ['GLUE_EXTRA'], tie: areOne },
  { effects: ['NS_SAME_ADDRESS'], causes: ['GLUE_EXTRA'], tie: areAtOneAddress },
  {
    effects: ['NS_PROVIDER_DANGLING'],
    causes: ['GLUE_MISMATCH', 'GLUE_FOREIGN_MISMATCH'],
    tie: areInOneZone,
  },
  {
    effects: ['EXISTENCE_DIFFERS'],
    causes: ['NXDOMAIN_BY_TYPE', 'NXDOMAIN_ON_ENT'],
    tie: shareDenial,
  },
  {
    effects: [...SERVER_FAULTS, 'ZONE_NO_WORKING_NS'],
    causes: ['NS_PROVIDER_DANGLING'],
    tie: areInOneZone,
  },
  { effects: ['NS_NO_RESPONSE_UDP', 'NS_V6_DEAD'], causes: ['EDNS_BREAKS'], tie: areAtOneAddress },
  { effects: ['NS_NO_RESPONSE_UDP'], causes: ['DNSKEY_UNREACHABLE'], tie: isPartOfProof },
  { effects: ['NS_NO_RESPONSE_UDP'], causes: ['NS_V6_DEAD'], tie: areAtOneAddress },
  {
    effects: ['GLUE_MISSING', 'GLUE_MISSING_FAMILY', 'GLUE_MISMATCH', 'GLUE_EXTRA', 'NS_UNRESOLVABLE'],
    causes: ['NS_IS_ALIAS'],
    tie: areAtOneServer,
  },
  {
    effects: ['NS_UNRESOLVABLE'],
    causes: ['NS_DOMAIN_UNREGISTERED', 'NS_NAME_SYNTAX'],
    tie: areAtOneServer,
  },
  {
    effects: ['NS_UNRESOLVABLE'],
    causes: ['NS_DOMAIN_UNREGISTERED', 'NS_UNRESOLVABLE'],
    tie: failsForTheOthersName,
  },
  { effects: ['NS_UNRESOLVABLE'], causes: SERVER_FAULTS, tie: shareProof },
  { effects: [...ABSENCES, 'GLUE_EXTRA', 'GLUE_MISSING_FAMILY'], causes: MISMATCHES, tie: isNamedByOneSide },
  { effects: ['SOA_SERIAL_DIFFERS'], causes: MISMATCHES, tie: isLeftBehind },
  { effects: ['DEPENDENCY_CYCLE'], causes: ['DEPENDENCY_CYCLE'], tie: entersTheRingFromThere },
  {
    effects: ['ZONE_NO_WORKING_NS'],
    causes: [...SERVER_FAULTS, ...NAME_FAULTS],
    tie: happensInOrBehindTheZone,
  },
  {
    effects: ['ANSWERS_DIFFER', 'EXISTENCE_DIFFERS', 'CHILD_NS_SETS_DIFFER'],
    causes: ['GLUE_MISMATCH'],
    tie: isHeardThere,
  },
  { effects: ['CHILD_NS_SETS_DIFFER'], causes: MISMATCHES, tie: areInOneZone },
  { effects: ['ANSWERS_DIFFER'], causes: ['RDATA_MALFORMED'], tie: shareProof },
  {
    effects: ['ANSWERS_DIFFER', 'EXISTENCE_DIFFERS', 'CHILD_NS_SETS_DIFFER'],
    causes: VERSIONS,
    tie: isHeardThere,
  },
  { effects: ['PARENT_INCONSISTENT'], causes: VERSIONS, tie: isHeardAbove },
  { effects: ['NS_COUNT_LOW'], causes: ['PARENT_INCONSISTENT'], tie: areInOneZone },
  {
    effects: ['ANSWERS_DIFFER', 'EXISTENCE_DIFFERS'],
    causes: [...MISMATCHES, 'CHILD_NS_SETS_DIFFER'],
    tie: goesBySides,
  },
  {
    effects: ['WARM_DIFFERS'],
    causes: [...MISMATCHES, 'GLUE_MISMATCH', 'CHILD_NS_SETS_DIFFER', 'GLUE_EXTRA', 'GLUE_MISSING_FAMILY'],
    tie: areInOneZone,
  },
  {
    effects: ['SINGLE_POINT_OF_FAILURE'],
    causes: [...SERVER_FAULTS, ...NAME_FAULTS, 'NS_COUNT_LOW', 'NS_SAME_ADDRESS', 'CNAME_LOOP'],
    tie: leavesOneServer,
  },
  { effects: ['SINGLE_POINT_OF_FAILURE'], causes: DIFFERENCES, tie: shareProof },
  { effects: ['SINGLE_POINT_OF_FAILURE'], causes: MISMATCHES, tie: isOfServersToLeave },
  { effects: ['SINGLE_POINT_OF_FAILURE'], causes: UNPROVEN, tie: leavesOneValidServer },
  { effects: UNPROVEN, causes: ['CUT_MISSING'], tie: isInZoneWithoutCut },
  { effects: UNPROVEN, causes: ['EDNS_BREAKS'], tie: areAtOneAddress },
  { effects: ['DNSSEC_MISSING_AT_SERVER'], causes: SERVER_FAULTS, tie: isShownThere },
  {
    effects: ['RRSIG_MISSING', 'DENIAL_BROKEN', 'DNSSEC_MISSING_AT_SERVER'],
    causes: ['DS_WITHOUT_DNSKEY'],
    tie: areAtOneAddress,
  },
  {
    effects: ['DENIAL_BROKEN', 'DNSSEC_MISSING_AT_SERVER'],
    causes: ['RRSIG_MISSING'],
    tie: areAtOneAddress,
  },
  {
    effects: ['RRSIG_MISSING', 'DENIAL_BROKEN'],
    causes: ['RDATA_MALFORMED'],
    tie: shareUnreadableSignatures,
  },
  { effects: ['DS_NO_MATCH'], causes: ['DS_INCONSISTENT'], tie: areInOneZone },
  { effects: ['DS_STALE', 'ALGORITHM_INCOMPLETE'], causes: ['DS_INCONSISTENT'], tie: shareDsRecords },
  { effects: ['ALGORITHM_INCOMPLETE'], causes: ['DS_STALE'], tie: shareDsRecords },
  { effects: ['ALGORITHM_INCOMPLETE'], causes: ['KEYS_DIFFER'], tie: areInOneZone },
  { effects: ['DS_NO_MATCH'], causes: ['DNSKEY_INVALID'], tie: isTrustInFaultyKeys },
  { effects: ['RRSIG_INVALID'], causes: ['DNSKEY_INVALID'], tie: isSignedByFaultyKeys },
  { effects: ['DNSKEY_UNREACHABLE'], causes: ['TCP_UNREACHABLE'], tie: areInOneZone },
  { effects: ['RRSIG_INVALID'], causes: ['KEYS_DIFFER'], tie: isSignedByKeysThatDiffer },
  { effects: UNPROVEN, causes: VERSIONS, tie: isHeardThere },
  { effects: ['SERVERS_DIFFER_DNSSEC', 'KEYS_DIFFER'], causes: VERSIONS, tie: isHeardThere },
  { effects: ['SERVERS_DIFFER_DNSSEC', 'DNSSEC_BOGUS'], causes: UNPROVEN, tie: shareProof },
  { effects: ['DNSSEC_BOGUS'], causes: UNPROVEN, tie: isThereOrEverywhere },
  { effects: ['DNSSEC_BOGUS'], causes: SERVER_FAULTS, tie: shareProof },
  { effects: ['CAA_FAILS'], causes: SERVER_FAULTS, tie: shareProbe },
  { effects: ['MINIMISED_FAILS'], causes: SERVER_FAULTS, tie: shareProof },
  { effects: ['FIRST_TRY_FAILS'], causes: [...SERVER_FAULTS, ...NAME_FAULTS], tie: shareProof },
  { effects: ['FIRST_TRY_FAILS'], causes: NAME_FAULTS, tie: areAtOneServer },
  { effects: ['COLD_LATENCY_HIGH'], causes: SERVER_FAULTS, tie: takesLong },
  { effects: ['ANSWER_NOT_CERTAIN'], causes: DIFFERENCES, tie: shareProof },
  { effects: ['ANSWER_NOT_CERTAIN'], causes: DIFFERENCES, tie: isOnMainWalk },
  ...FAILURES.map((blame) => ({ ...blame, effects: ['ANSWER_NOT_CERTAIN'] as const })),
];

/** The codes of possible causes, and what ties an effect to them. */
interface Blame {
  readonly causes: readonly FindingCode[];
  readonly tie: Tie;
}

/** What findings with certain codes follow from. */
export interface Rule extends Blame {
  readonly effects: readonly FindingCode[];
}
