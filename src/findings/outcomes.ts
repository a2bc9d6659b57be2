/* Sorts the outcomes of users for findings: answers, denials, failures and the unknown. */

import { type Family, familyOf } from '../dns/address.ts';
import { questionKey } from '../dns/message.ts';
import type { Name } from '../dns/name.ts';
import { answerData, isExpected, rotates } from '../document/ends.ts';
import { grouped } from '../document/words/lists.ts';
import { asked, dataText } from '../document/words/names.ts';
import { count } from '../document/words/quantities.ts';
import type { Outcome } from '../evaluate/distribution.ts';
import { causeOf, type End, isUnknown } from '../evaluate/end.ts';
import { outcomesIn } from '../evaluate/evaluate.ts';
import { compare, type Fraction, sum } from '../evaluate/fraction.ts';
import { VIEWS } from '../evaluate/views.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { queryKey } from '../exchange/query.ts';
import type { Recording, Scope } from '../explore/recording.ts';
import {
  type Evidence,
  exchangesOf,
  isAnswered,
  isOwnTrouble,
  type ReplySet,
  replySetKey,
  triesOver,
} from './evidence.ts';

/** Sorts the outcomes of the cold resolver view. */
export function coldOutcomes({
  evaluation,
  openZones,
}: Pick<Evidence, 'evaluation' | 'openZones'>): SortedOutcomes {
  return sortOutcomes(outcomesIn(evaluation, 'resolver'), openZones);
}

/** The outcomes of a view in three parts, which sum to 1. */
export interface SortedOutcomes {
  /** Answers by their data, NODATA and NXDOMAIN. Most probable first. */
  readonly final: readonly FinalOutcome[];
  /** Cut off by a limit, or in a family that this host does not reach. */
  readonly unknown: readonly Outcome[];
  /** Everything else. */
  readonly failed: readonly Outcome[];
}

/** An answer or denial with its exact probability and its outcomes, represented by the end of the first. */
interface FinalOutcome {
  readonly end: End;
  readonly probability: Fraction;
  readonly outcomes: readonly Outcome[];
}

/** Sorts outcomes. Into an open zone some way was not tried: a resolver may find a usable server there. */
export function sortOutcomes(outcomes: readonly Outcome[], openZones: ReadonlySet<Name>): SortedOutcomes {
  const final: Outcome[] = [];
  const unknown: Outcome[] = [];
  const failed: Outcome[] = [];
  for (const outcome of outcomes) {
    const { end } = outcome;
    if (isFinalEnd(end)) final.push(outcome);
    else if (isUnknown(end) || openZones.has(end.zone)) unknown.push(outcome);
    else failed.push(outcome);
  }
  const contents = grouped(final, ({ end }) => finalKey(end));
  return { final: contents.map(finalOutcome).sort(byProbability), unknown, failed };
}

/** The text that is equal for ends with the same answer or denial, and for all that are expected. */
export function finalKey(end: End): string {
  if (isExpected(end)) return 'expected';
  return [end.kind, ...answerData(end)].join('\n');
}

/** "192.0.2.1", "NXDOMAIN", "NODATA for www.example A" */
export function finalWords({ end }: Pick<FinalOutcome, 'end'>): string {
  if (end.kind === 'answer') {
    const data = answerData(end);
    return rotates(end)
      ? `some of ${count(data.length, 'rotating record')} (${dataText(data)})`
      : dataText(data);
  }
  return end.kind === 'nxdomain' ? 'NXDOMAIN' : `NODATA for ${asked(end.question)}`;
}

/**
 * Whether servers may differ on a question: users get nothing but what `--expect` names, whatever their resolvers know, and
 * the question is one of the main walk rather than of a lookup.
 */
export function mayDiffer(
  { zone, question }: Pick<ReplySet, 'zone' | 'question'>,
  { evaluation, scope, mainSteps }: Evidence,
): boolean {
  if (scope.expect === undefined) return false;
  const ofUsers = VIEWS.filter((row) => row.of === 'users');
  const all = ofUsers.flatMap(({ name }) => outcomesIn(evaluation, name));
  const key = questionKey(question);
  return (
    all.every(({ end }) => isExpected(end) || !isFinalEnd(end)) &&
    [...mainSteps].some((step) => step.delegation.zone === zone && questionKey(step.question) === key)
  );
}

/** The exact probability of all of them together. */
export function totalShare(outcomes: readonly Outcome[]): Fraction {
  return sum(outcomes.map(({ probability }) => probability));
}

/** Whether an end is an answer or a denial. */
export function isFinalEnd({ kind }: End): boolean {
  return kind === 'answer' || kind === 'nodata' || kind === 'nxdomain';
}

function finalOutcome(outcomes: readonly [Outcome, ...Outcome[]]): FinalOutcome {
  return { end: outcomes[0].end, probability: totalShare(outcomes), outcomes };
}

/** Most probable first; of equals, an answer. */
function byProbability(a: FinalOutcome, b: FinalOutcome): number {
  return (
    compare(b.probability, a.probability) || Number(b.end.kind === 'answer') - Number(a.end.kind === 'answer')
  );
}

/** The part of the evidence that shows whether an exchange proves anything. */
type Seen = Pick<Evidence, 'recording' | 'reached'>;

/** The families in which at least one address replied. */
export function reachedFamilies({ exchanges }: Recording): ReadonlySet<Family> {
  const families = new Set<Family>();
  for (const exchanged of exchanges.values()) {
    if (isHeardFrom(exchanged)) families.add(familyOf(exchanged.address));
  }
  return families;
}

/** The families in which at least one address, exchange or probe, replied over TCP: silence says something of others there. */
export function familiesOverTcp({ exchanges, probes }: Recording): ReadonlySet<Family> {
  const replied = [...exchanges.values(), ...probes].filter((one) => triesOver('tcp', one).some(isAnswered));
  return new Set(replied.map(({ address }) => familyOf(address)));
}

function isHeardFrom({ outcome, tries }: Exchanged): boolean {
  return isTalk(outcome.kind) || tries.some((one) => isTalk(one.outcome.kind) || one.ignored.length > 0);
}

function isTalk(kind: Exchanged['outcome']['kind'] | Exchanged['tries'][number]['outcome']['kind']): boolean {
  return kind !== 'timeout' && kind !== 'unreachable';
}

/** Whether there was no reply because this host may not reach the family or could not send: untried, not dead. */
function isUntried({ reached }: Pick<Evidence, 'reached'>, exchanged: Exchanged): boolean {
  const { outcome, tries, address } = exchanged;
  if (outcome.kind !== 'timeout' && outcome.kind !== 'unreachable') return false;
  return !reached.has(familyOf(address)) || (tries.length > 0 && tries.every(isOwnTrouble));
}

/** Whether an end, or its cause, stands for something that was not examined rather than for trouble. */
export function isUnproven(seen: Seen, end: End): boolean {
  const leaf = causeOf(end);
  if (isUnknown(leaf)) return true;
  const exchanged = exchangedAt(seen, leaf);
  return exchanged !== undefined && isUntried(seen, exchanged);
}

/** The exchange in which a path stops, if it stops in one. */
function exchangedAt({ recording }: Pick<Evidence, 'recording'>, end: End): Exchanged | undefined {
  const { server, question } = end;
  return server === null ? undefined : recording.exchanges.get(queryKey({ ...server, question }));
}

/**
 * The exchanges that show an end: the one in which its path, or its cause, stops. If a resolver found no
 * usable server: all exchanges with the zone's servers, or the referrals if there were none.
 */
export function endProof(evidence: Evidence, end: End): readonly Exchanged[] {
  const leaf = causeOf(end);
  const { zone, question } = leaf;
  if (leaf.server !== null) {
    const exchanged = exchangedAt(evidence, leaf);
    return exchanged === undefined ? [] : [exchanged];
  }
  const replySet =
    leaf.kind === 'servfail' ? evidence.replySets.get(replySetKey({ zone, question })) : undefined;
  return exchangesOf(replySet?.observed ?? evidence.referrals.get(zone) ?? []);
}

/** The zones into which some way was not examined. One of their servers may work. */
export function openZones(
  evidence: Pick<Evidence, 'recording' | 'reached' | 'contacts' | 'resolutions'>,
): ReadonlySet<Name> {
  const zones = new Set<Name>();
  for (const { zone, observed } of evidence.contacts) {
    if (observed.length === 0 || observed.some(({ exchanged }) => isUntried(evidence, exchanged)))
      zones.add(zone);
  }
  for (const { zone, failed } of evidence.resolutions) {
    if (failed.some((end) => isUnproven(evidence, end))) zones.add(zone);
  }
  return zones;
}

/** The zones that have servers in a family that this traversal left out, as their glue shows. */
export function zonesOfOtherFamily({ scope, steps }: Evidence): ReadonlySet<Name> {
  const isLeftOut = (address: string) => !scope.families.includes(familyOf(address));
  const other = steps.filter(({ delegation }) =>
    delegation.nameservers.some(({ glue }) => glue.some(isLeftOut)),
  );
  return new Set(other.map(({ delegation }) => delegation.zone));
}

/** " over IPv4" where that is the only family examined, so that a sentence says no more than is known. */
export function overFamilies({ families }: Scope): string {
  const [only] = families;
  return only === undefined || families.length > 1 ? '' : ` over IPv${only}`;
}
