import { causeOf } from '../evaluate/end.ts';
import type { Exchanged } from '../exchanged.ts';
import { getOrMake } from '../get-or-make.ts';
import { familyOf } from '../wire/address.ts';
import type { Name } from '../wire/name.ts';
import type { FindingCode } from './catalogue.ts';
import type { Evidence } from './evidence.ts';
import type { Found } from './merge.ts';
import { SLOW_MEAN_MS } from './outlook.ts';
import { endProof, zonesOfOtherFamily } from './proof.ts';
import { prospectsOf } from './prospects.ts';

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
  'EXISTENCE_DIFFERS',
  'ANSWERS_DIFFER',
] as const satisfies readonly FindingCode[];

/** Why lookups fail. */
export const FAILURES: readonly Blame[] = [
  { causes: [...SERVER_FAULTS, ...NAME_FAULTS, 'ZONE_NO_WORKING_NS', 'CNAME_LOOP'], tie: shareProof },
  { causes: [...SERVER_FAULTS, ...NAME_FAULTS, 'ZONE_NO_WORKING_NS'], tie: happensWhereLookupsFail },
];

/** From the ground up: addresses, servers, names of servers, zones, users. The first rule that fits an effect counts. */
export const RULES: readonly Rule[] = [
  {
    effects: [
      ...SERVER_FAULTS,
      'NS_ADDR_NOT_GLOBAL',
      'NS_V6_DEAD',
      'NS_NOT_AUTHORITATIVE',
      'NEGATIVE_WRONG_SOA',
    ],
    causes: ['GLUE_MISMATCH', 'GLUE_FOREIGN_MISMATCH'],
    tie: areAtOneServer,
  },
  {
    effects: ['NS_NO_RESPONSE_UDP', 'NS_LOSSY', 'NS_V6_DEAD', 'TCP_UNREACHABLE'],
    causes: ['NS_ADDR_NOT_GLOBAL'],
    tie: areAtOneAddress,
  },
  { effects: ['NS_NO_RESPONSE_UDP'], causes: ['NS_V6_DEAD'], tie: areAtOneAddress },
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
  { effects: ['DEPENDENCY_CYCLE'], causes: ['DEPENDENCY_CYCLE'], tie: entersTheRingFromThere },
  {
    effects: ['ZONE_NO_WORKING_NS'],
    causes: [...SERVER_FAULTS, ...NAME_FAULTS],
    tie: happensInOrBehindTheZone,
  },
  { effects: ['ANSWERS_DIFFER', 'EXISTENCE_DIFFERS'], causes: ['SOA_SERIAL_DIFFERS'], tie: isHeardThere },
  {
    effects: ['SINGLE_POINT_OF_FAILURE'],
    causes: [...SERVER_FAULTS, ...NAME_FAULTS, 'NS_COUNT_LOW', 'NS_SAME_ADDRESS', 'CNAME_LOOP'],
    tie: leavesOneServer,
  },
  { effects: ['SINGLE_POINT_OF_FAILURE'], causes: DIFFERENCES, tie: shareProof },
  { effects: ['FIRST_TRY_FAILS'], causes: [...SERVER_FAULTS, ...NAME_FAULTS], tie: shareProof },
  { effects: ['COLD_LATENCY_HIGH'], causes: SERVER_FAULTS, tie: takesLong },
  { effects: ['ANSWER_NOT_CERTAIN'], causes: DIFFERENCES, tie: shareProof },
  { effects: ['ANSWER_NOT_CERTAIN'], causes: DIFFERENCES, tie: isOnMainWalk },
  ...FAILURES.map((blame) => ({ ...blame, effects: ['ANSWER_NOT_CERTAIN'] as const })),
];

/** What a tie needs to know of an effect. */
export interface Effect extends Pick<Found, 'zone' | 'server'> {
  readonly proof: ReadonlySet<Exchanged>;
}

/** Whether an effect follows from a finding, judged by what they have in common. */
type Tie = (effect: Effect, cause: Found, situation: Situation) => boolean;

/** The codes of possible causes, and what ties an effect to them. */
export interface Blame {
  readonly causes: readonly FindingCode[];
  readonly tie: Tie;
}

/** What findings with certain codes follow from. */
export interface Rule extends Blame {
  readonly effects: readonly FindingCode[];
}

/** What ties look up, computed once. */
export interface Situation {
  /** By zone: the zone itself, and those in which lookups of its servers fail. */
  readonly zonesBehind: ReadonlyMap<Name, ReadonlySet<Name>>;
  /** Whether it is certain that nobody gets an answer. */
  readonly isOutage: boolean;
  /** The exchanges that show how lookups fail in the resolver view, and the zones in which they do. */
  readonly failureProof: ReadonlySet<Exchanged>;
  readonly failingZones: ReadonlySet<Name>;
  /** What was heard on the main walk, and the zones on it. */
  readonly mainExchanges: ReadonlySet<Exchanged>;
  readonly mainZones: ReadonlySet<Name>;
}

export function situationOf(evidence: Evidence): Situation {
  const { told, unknown, failed } = prospectsOf(evidence);
  const zonesBehind = zonesBehindEach(evidence);
  const failingZones = new Set(failed.flatMap(({ end }) => [...(zonesBehind.get(causeOf(end).zone) ?? [])]));
  const mayBeReached = zonesOfOtherFamily(evidence);
  const visits = [...evidence.mainSteps].flatMap((step) => [...step.visits.values()]);
  return {
    zonesBehind,
    isOutage:
      told.length === 0 && unknown.length === 0 && ![...failingZones].some((zone) => mayBeReached.has(zone)),
    failureProof: new Set(failed.flatMap(({ end }) => endProof(evidence, end))),
    failingZones,
    mainZones: new Set([...evidence.mainSteps].map(({ delegation }) => delegation.zone)),
    mainExchanges: new Set(visits.flatMap((visit) => (visit.kind === 'asked' ? [visit.exchanged] : []))),
  };
}

function zonesBehindEach({ resolutions }: Evidence): ReadonlyMap<Name, ReadonlySet<Name>> {
  const zones = new Map<Name, Set<Name>>();
  for (const { zone, failed } of resolutions) {
    const behind = getOrMake(zones, zone, () => new Set([zone]));
    for (const end of failed) behind.add(causeOf(end).zone);
  }
  return zones;
}

function areAtOneAddress(effect: Effect, cause: Found): boolean {
  return effect.zone === cause.zone && effect.server?.address === cause.server?.address;
}

/** Findings about a name, or about its addresses of one family, concern each of these addresses. */
function areAtOneServer({ zone, server }: Effect, cause: Found): boolean {
  if (zone !== cause.zone || server?.name !== cause.server?.name) return false;
  const [address, wrong] = [server?.address, cause.server?.address];
  return address === undefined || wrong === undefined || familyOf(address) === familyOf(wrong);
}

/** The lookup of one name server fails because the lookup of another one does. */
function failsForTheOthersName({ server, proof }: Effect, cause: Found): boolean {
  const other = cause.server?.name;
  if (other === undefined || other === server?.name) return false;
  return cause.proof.some((exchanged) => proof.has(exchanged) && exchanged.question.name === other);
}

/** The same ring of lookups, seen from a zone that only lookups come to. */
function entersTheRingFromThere(effect: Effect, cause: Found, { mainZones }: Situation): boolean {
  if (effect.zone === undefined || cause.zone === undefined) return false;
  return mainZones.has(cause.zone) && !mainZones.has(effect.zone) && shareProof(effect, cause);
}

function shareProof({ proof }: Effect, cause: Found): boolean {
  return failuresOf(cause).some((exchanged) => proof.has(exchanged));
}

function happensInOrBehindTheZone({ zone }: Effect, cause: Found, { zonesBehind }: Situation): boolean {
  if (zone === undefined || cause.zone === undefined || failuresOf(cause).length === 0) return false;
  return zonesBehind.get(zone)?.has(cause.zone) ?? false;
}

function happensWhereLookupsFail(_: Effect, cause: Found, { failingZones }: Situation): boolean {
  return cause.zone !== undefined && failingZones.has(cause.zone) && failuresOf(cause).length > 0;
}

/** Whether the server with the older version of the zone is one of those that differ. */
function isHeardThere({ zone, proof }: Effect, { zone: lagging, server }: Found): boolean {
  return zone === lagging && [...proof].some(({ address }) => address === server?.address);
}

/** Whether the cause rules out other servers of the same zone. Says nothing of a whole zone. */
function leavesOneServer({ zone, server }: Effect, cause: Found): boolean {
  return server !== undefined && zone === cause.zone && failuresOf(cause).length > 0;
}

function takesLong(_: Effect, cause: Found): boolean {
  return failuresOf(cause).some(({ elapsedMs }) => elapsedMs >= SLOW_MEAN_MS);
}

function isOnMainWalk(_: Effect, { proof }: Found, { mainExchanges }: Situation): boolean {
  return proof.some((exchanged) => mainExchanges.has(exchanged));
}

/** Codes of faults despite which the server may have answered. */
const MAY_PASS: ReadonlySet<FindingCode> = new Set([
  'NS_LOSSY',
  'REPLY_QUESTION_MISMATCH',
  'REPLY_MALFORMED',
]);

/** The exchanges of its proof that failed. */
function failuresOf({ code, proof }: Found): readonly Exchanged[] {
  return MAY_PASS.has(code) ? proof.filter(({ outcome }) => outcome.kind !== 'reply') : proof;
}
