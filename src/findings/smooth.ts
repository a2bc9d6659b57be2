/* Tells whether anything went wrong or differed at all: most names are healthy, and many checks look for nothing else. */

import { delegationKey } from '../explore/delegation.ts';
import type { FindingCode } from './catalogue.ts';
import { contentKeyOf, type Evidence, type Observation } from './evidence.ts';
import { isFinalEnd } from './outcomes.ts';

/**
 * Whether all went smoothly, on the cold walk and on the warm one: each server was asked, each replied to the first query
 * with something usable, all servers of a zone said the same, and no view lacks anything.
 */
export function isSmoothThroughout(evidence: Evidence): boolean {
  const { evaluation, recording, rough, roughAnywhere, resolutions, replySets } = evidence;
  const { coverage, varying, views } = evaluation;
  return (
    coverage === 'whole' &&
    recording.unasked.size === 0 &&
    rough.length === 0 &&
    roughAnywhere.length === 0 &&
    [...views.values()].every(({ outcomes }) => outcomes.every(({ end }) => isFinalEnd(end))) &&
    varying.repeated.every(
      ({ members, severalVersions }) => members.size === 0 && severalVersions.length === 0,
    ) &&
    resolutions.every(
      ({ addresses, failed, notLookedUp }) =>
        addresses.size > 0 && failed.length === 0 && notLookedUp.length === 0,
    ) &&
    [...replySets.values()].every(({ observed }) => areAlike(observed))
  );
}

function areAlike([first, ...others]: readonly Observation[]): boolean {
  const key = first && keyOf(first);
  return others.every((one) => keyOf(one) === key);
}

/** Referrals to the same zone differ in their servers. */
function keyOf(observed: Observation): string {
  const { meaning } = observed;
  return meaning.kind === 'referral' ? delegationKey(meaning.delegation) : contentKeyOf(observed);
}

/** The codes that nothing shows where all went smoothly: their checks are left out then. */
export const SHOWN_BY_TROUBLE: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'NS_NO_RESPONSE_UDP',
  'NS_LOSSY',
  'NS_REFUSED',
  'NS_SERVFAIL',
  'NS_FORMERR_NOTIMP',
  'NS_UPWARD_REFERRAL',
  'NS_SIDEWAYS_REFERRAL',
  'NS_EMPTY_NOERROR',
  'NS_MANGLES_CASE',
  'NS_V6_DEAD',
  'ZONE_NO_WORKING_NS',
  'REPLY_QUESTION_MISMATCH',
  'REPLY_MALFORMED',
  'NS_UNRESOLVABLE',
  'NS_DOMAIN_UNREGISTERED',
  'NS_PROVIDER_DANGLING',
  'DEPENDENCY_CYCLE',
  'PARENT_INCONSISTENT',
  'ANSWERS_DIFFER',
  'EXISTENCE_DIFFERS',
  'CNAME_LOOP',
  'ANSWER_NOT_CERTAIN',
  'FIRST_TRY_FAILS',
  'UNEXPLORED',
]);
