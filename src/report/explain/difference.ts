import type { TraversalResult } from '../../document/result.ts';
import type { End } from '../../evaluate/end.ts';
import { bearingOf } from '../../reading/bearing.ts';
import { grouped } from '../../reading/grouped.ts';
import { asked, plain } from '../../reading/words/names.ts';
import type { Name } from '../../wire/name.ts';
import type { Action, Advice } from './advice.ts';
import type { Decider, Scene } from './known.ts';
import { delegatedAt, ownerOf } from './people.ts';

/** What to do where users get different answers, said once for all ends that differ. */
export function explainDifference({ query, outcomes }: TraversalResult, context: Scene): Advice {
  const ends = outcomes.filter((end) => bearingOf(end) === 'ends-well');
  const decided = grouped(
    ends.flatMap((end) => context.decidingServers(end).map((decider) => ({ end, decider }))),
    ({ decider }) => decider.zone,
  );
  return {
    means: usualWords(context),
    actions: decided.flatMap((inZone) => actionsAt(inZone[0].decider.zone, inZone, asked(query), context)),
  };
}

function usualWords({ usual, quote }: Scene): string {
  if (usual === undefined)
    return 'No answer is more common than the others, so nothing shows which is right.';
  return usual.kind === 'answer'
    ? `Most users get ${quote(usual)}, which does not make it the right answer.`
    : 'Most users learn that there is nothing to get, which does not make it right.';
}

interface Decided {
  readonly end: End;
  readonly decider: Decider;
}

function actionsAt(
  zone: Name,
  decided: readonly Decided[],
  question: string,
  context: Scene,
): readonly Action[] {
  const onward = decided.filter(({ decider }) => decider.how === 'leads-on');
  const below = [...new Set(onward.map(({ end }) => plain(end.zone)))];
  if (onward.length > 0) {
    const what = `bring the servers of ${plain(zone)} to the same version of the zone: not all of them lead to ${below.join(' or ')}`;
    return [{ who: ownerOf(zone), what }];
  }
  const search = { who: ownerOf(zone), what: `find out which answer to ${question} is right` };
  if (MISMATCHES.some((code) => context.isFoundIn(code, zone))) {
    return [search, sameServersAction(zone, context)];
  }
  return [
    search,
    { who: `the operators of the servers of ${plain(zone)}`, what: repair(zone, decided, context) },
  ];
}

/** What to do where a delegation and the zone itself name servers that do not give the same. */
export function sameServersAction(zone: Name, context: Scene): Action {
  const what = `have the delegation (${delegatedAt(zone, context)}) and the zone's NS records name the same servers, and none that gives another answer`;
  return { who: ownerOf(zone), what };
}

/** Codes for a delegation that names other servers than the zone itself: no transfer makes them agree. */
const MISMATCHES = ['PARENT_CHILD_NS_DIFFER', 'PARENT_CHILD_NS_DISJOINT'] as const;

function repair(zone: Name, decided: readonly Decided[], context: Scene): string {
  const isBehind = decided.some(({ decider }) => context.isFound('SOA_SERIAL_DIFFERS', decider));
  const how = isBehind
    ? 'repair the zone transfers (the SOA serials differ)'
    : 'update the zone where it is out of date';
  return `make every server give that answer: ${how}, and take servers that should no longer serve ${plain(zone)} out of the delegation (${delegatedAt(zone, context)}) and the NS records`;
}
