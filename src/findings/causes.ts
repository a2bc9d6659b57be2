import type { Severity } from '../document/findings.ts';
import { causeOf } from '../evaluate/end.ts';
import type { Exchanged } from '../exchanged.ts';
import { familyOf } from '../wire/address.ts';
import type { Name } from '../wire/name.ts';
import type { FindingCode } from './catalogue.ts';
import type { Evidence } from './evidence.ts';
import type { Found } from './merge.ts';
import { SLOW_MEAN_MS } from './outlook.ts';
import { endProof, zonesOfOtherFamily } from './proof.ts';
import { prospectsOf } from './prospects.ts';

/** A finding, how severe it is here, and the one that it only follows from, which is itself no consequence. */
export interface Traced {
  readonly finding: Found;
  readonly severity: Severity;
  readonly cause?: Found;
}

/**
 * Tells faults from what only follows from them, so that one cause is one thing to act on. Faults that
 * leave nobody with an answer are critical, whatever their kind.
 */
export function traced(findings: readonly Found[], evidence: Evidence): readonly Traced[] {
  const scene = sceneOf(evidence);
  const causes = new Map<Found, Found>();
  for (const { effects, ...rule } of RULES) {
    for (const effect of findings) {
      if (!effects.includes(effect.code) || causes.has(effect)) continue;
      const [cause] = faultsBehind({ ...effect, proof: new Set(effect.proof) }, rule, findings, scene);
      const culprit = cause && (causes.get(cause) ?? cause);
      if (culprit !== undefined && culprit !== effect) causes.set(effect, culprit);
    }
  }
  const fatal = fatalFaults(findings, causes, scene);
  return findings.map((finding) => {
    const cause = causes.get(finding);
    const severity = fatal.has(finding) ? 'critical' : finding.severity;
    return { finding, severity, ...(cause === undefined ? {} : { cause }) };
  });
}

/** What the causes of an effect are looked for by. */
interface Effect extends Pick<Found, 'zone' | 'server'> {
  readonly proof: ReadonlySet<Exchanged>;
}

/** Whether an effect follows from a finding, by what they have in common. */
type Tie = (effect: Effect, cause: Found, scene: Scene) => boolean;

/** What something follows from. */
interface Blame {
  readonly causes: readonly FindingCode[];
  readonly tie: Tie;
}

function faultsBehind(
  effect: Effect,
  { causes, tie }: Blame,
  findings: readonly Found[],
  scene: Scene,
): readonly Found[] {
  return findings.filter((one) => causes.includes(one.code) && tie(effect, one, scene));
}

/** The faults on which it rests that nobody gets an answer; none where somebody does. */
function fatalFaults(
  findings: readonly Found[],
  causes: ReadonlyMap<Found, Found>,
  scene: Scene,
): ReadonlySet<Found> {
  if (!scene.isOutage) return new Set();
  const effect = { proof: scene.failureProof };
  const faults = FAILURES.flatMap((blame) => faultsBehind(effect, blame, findings, scene));
  return new Set(faults.map((fault) => causes.get(fault) ?? fault));
}

/** What ties look up, gathered once. */
interface Scene {
  readonly evidence: Evidence;
  /** Whether it is certain that nobody gets an answer. */
  readonly isOutage: boolean;
  /** What shows the ends of the resolver view that are failures, and the zones in which they happen. */
  readonly failureProof: ReadonlySet<Exchanged>;
  readonly failingZones: ReadonlySet<Name>;
  /** What was heard on the main walk, and the zones on it. */
  readonly mainExchanges: ReadonlySet<Exchanged>;
  readonly mainZones: ReadonlySet<Name>;
}

function sceneOf(evidence: Evidence): Scene {
  const { told, unknown, failed } = prospectsOf(evidence);
  const failingZones = new Set(failed.flatMap(({ end }) => zonesBehind(causeOf(end).zone, evidence)));
  const mayBeReached = zonesOfOtherFamily(evidence);
  const visits = [...evidence.mainSteps].flatMap((step) => [...step.visits.values()]);
  return {
    evidence,
    isOutage:
      told.length === 0 && unknown.length === 0 && ![...failingZones].some((zone) => mayBeReached.has(zone)),
    failureProof: new Set(failed.flatMap(({ end }) => endProof(evidence, end))),
    failingZones,
    mainZones: new Set([...evidence.mainSteps].map(({ delegation }) => delegation.zone)),
    mainExchanges: new Set(visits.flatMap((visit) => (visit.kind === 'asked' ? [visit.exchanged] : []))),
  };
}

/** A zone, and those in which lookups of its servers fail. */
function zonesBehind(zone: Name, { resolutions }: Evidence): readonly Name[] {
  const failed = resolutions.filter((one) => one.zone === zone).flatMap((one) => one.failed);
  return [zone, ...failed.map((end) => causeOf(end).zone)];
}

/** A server gives nothing usable for a zone. */
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

/** A name server has no address. */
const NAME_FAULTS = [
  'GLUE_MISSING',
  'NS_UNRESOLVABLE',
  'NS_DOMAIN_UNREGISTERED',
  'DEPENDENCY_CYCLE',
] as const satisfies readonly FindingCode[];

const DIFFERENCES = [
  'PARENT_INCONSISTENT',
  'EXISTENCE_DIFFERS',
  'ANSWERS_DIFFER',
] as const satisfies readonly FindingCode[];

/** What lookups fail for. */
const FAILURES: readonly Blame[] = [
  { causes: [...SERVER_FAULTS, ...NAME_FAULTS, 'ZONE_NO_WORKING_NS', 'CNAME_LOOP'], tie: shareProof },
  { causes: [...SERVER_FAULTS, ...NAME_FAULTS, 'ZONE_NO_WORKING_NS'], tie: happensWhereLookupsFail },
];

/** From the ground up: addresses, servers, their names, zones, and what it all comes to. The first that fits counts. */
const RULES: readonly (Blame & { readonly effects: readonly FindingCode[] })[] = [
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

function areAtOneAddress(effect: Effect, cause: Found): boolean {
  return effect.zone === cause.zone && effect.server?.address === cause.server?.address;
}

/** What is wrong with a server's name, or with its addresses of one family, is so at each of them. */
function areAtOneServer({ zone, server }: Effect, cause: Found): boolean {
  if (zone !== cause.zone || server?.name !== cause.server?.name) return false;
  const [address, wrong] = [server?.address, cause.server?.address];
  return address === undefined || wrong === undefined || familyOf(address) === familyOf(wrong);
}

/** The lookup of one name server's address fails because another one's does. */
function failsForTheOthersName({ server, proof }: Effect, cause: Found): boolean {
  const other = cause.server?.name;
  if (other === undefined || other === server?.name) return false;
  return cause.proof.some((exchanged) => proof.has(exchanged) && exchanged.question.name === other);
}

/** The same ring of lookups, seen from a zone that only lookups come to. */
function entersTheRingFromThere(effect: Effect, cause: Found, { mainZones }: Scene): boolean {
  if (effect.zone === undefined || cause.zone === undefined) return false;
  return mainZones.has(cause.zone) && !mainZones.has(effect.zone) && shareProof(effect, cause);
}

function shareProof({ proof }: Effect, cause: Found): boolean {
  return failuresOf(cause).some((exchanged) => proof.has(exchanged));
}

function happensInOrBehindTheZone({ zone }: Effect, cause: Found, { evidence }: Scene): boolean {
  if (zone === undefined || cause.zone === undefined || failuresOf(cause).length === 0) return false;
  return zonesBehind(zone, evidence).includes(cause.zone);
}

function happensWhereLookupsFail(_: Effect, cause: Found, { failingZones }: Scene): boolean {
  return cause.zone !== undefined && failingZones.has(cause.zone) && failuresOf(cause).length > 0;
}

/** A server of the same zone that has an older version of it. */
function isHeardThere({ zone, proof }: Effect, { zone: lagging, server }: Found): boolean {
  return zone === lagging && [...proof].some(({ address }) => address === server?.address);
}

/** Servers of the same zone would do as well, were it not for the cause. Of a whole zone nothing is known. */
function leavesOneServer({ zone, server }: Effect, cause: Found): boolean {
  return server !== undefined && zone === cause.zone && failuresOf(cause).length > 0;
}

function takesLong(_: Effect, cause: Found): boolean {
  return failuresOf(cause).some(({ elapsedMs }) => elapsedMs >= SLOW_MEAN_MS);
}

function isOnMainWalk(_: Effect, { proof }: Found, { mainExchanges }: Scene): boolean {
  return proof.some((exchanged) => mainExchanges.has(exchanged));
}

/** What a server is blamed for that may have answered all the same. */
const MAY_PASS: ReadonlySet<FindingCode> = new Set([
  'NS_LOSSY',
  'REPLY_QUESTION_MISMATCH',
  'REPLY_MALFORMED',
]);

/** The exchanges of its proof that came to nothing. */
function failuresOf({ code, proof }: Found): readonly Exchanged[] {
  return MAY_PASS.has(code) ? proof.filter(({ outcome }) => outcome.kind !== 'reply') : proof;
}
