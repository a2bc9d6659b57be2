/* Puts a delegation that is planned in the place of what servers reply. */

import type { Question } from '../dns/message.ts';
import { isBelow, labelCount, type Name } from '../dns/name.ts';
import { type Delegation, enclosing } from './delegation.ts';
import { isUsable, type Meaning } from './meaning.ts';
import type { Recording } from './recording.ts';

/**
 * The planned delegation that replies to this question by servers of this zone give way to, if there is one:
 * svc-model(7), WHAT IF. Of several the one nearest to the root.
 */
export function plannedFor(
  planned: readonly Delegation[],
  zone: Name,
  { name, type }: Question,
): Delegation | undefined {
  const encloses = enclosing(type);
  return planned
    .filter((one) => isBelow(one.zone, zone) && encloses(name, one.zone))
    .reduce<Delegation | undefined>(nearer, undefined);
}

function nearer(one: Delegation | undefined, other: Delegation): Delegation {
  return one !== undefined && labelCount(one.zone) <= labelCount(other.zone) ? one : other;
}

/** What a reply means once the change is made; `meanings`: of all replies to the step's question. */
export function plannedMeaning(
  planned: Delegation | undefined,
  meaning: Meaning,
  meanings: Iterable<Meaning>,
): Meaning {
  if (planned === undefined || !isUsable(meaning.kind)) return meaning;
  const refersAbove = (one: Meaning) => one.kind === 'referral' && isBelow(planned.zone, one.delegation.zone);
  if (meaning.kind === 'referral' ? refersAbove(meaning) : [...meanings].some(refersAbove)) return meaning;
  return { kind: 'referral', delegation: planned };
}

/**
 * Whether what a reply means, once the change is made, is nothing that it says itself of that zone: so that what it says
 * of the trust in the zone is nothing either.
 */
export function isChangedByPlan(meaning: Meaning, said: Meaning): boolean {
  if (meaning === said || meaning.kind !== 'referral') return false;
  return said.kind !== 'referral' || said.delegation.zone !== meaning.delegation.zone;
}

/** The first zone for which something is planned and in which no question of a recording is: nothing comes of it. */
export function unusedPlan({ scope, exchanges, unasked }: Recording): UnusedPlan | undefined {
  const { planned = [], zoneFiles = [], plannedDs = [] } = scope;
  const questions = [
    scope.question,
    ...[...exchanges.values()].map(({ question }) => question),
    ...[...unasked.values()].map(({ query }) => query.question),
  ];
  const isUnused = ({ zone }: { readonly zone: Name }) =>
    !questions.some(({ name, type }) => enclosing(type)(name, zone));
  const rows = [
    ['--delegate', planned],
    ['--zone', zoneFiles],
    ['--ds', plannedDs],
  ] as const;
  for (const [option, zones] of rows) {
    const unused = zones.find(isUnused);
    if (unused !== undefined) return { option, zone: unused.zone };
  }
  return undefined;
}

/** A plan from which nothing comes. */
interface UnusedPlan {
  readonly option: '--delegate' | '--zone' | '--ds';
  readonly zone: Name;
}
