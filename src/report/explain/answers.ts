/* Explains ends with an answer or a denial, and what to do where they differ. */

import type { Name } from '../../dns/name.ts';
import type { TraversalResult } from '../../document/result.ts';
import { grouped } from '../../document/words/lists.ts';
import { asked, plain, withAddress } from '../../document/words/names.ts';
import { percentage } from '../../document/words/quantities.ts';
import type { End } from '../../evaluate/end.ts';
import {
  type Action,
  type Advice,
  delegatedAt,
  type Gain,
  numberOf,
  operatorOf,
  ownerOf,
  type ResultContext,
  type Subject,
  serversText,
} from '../advice.ts';
import type { DecidingServer } from '../views/deciders.ts';
import { ownEffect } from '../views/effects.ts';
import { warmDiffers } from '../views/users.ts';
import { summaryLine } from '../views/wording.ts';

/** Explains an end with an answer or a denial. What to do where these differ is said once for all of them. */
export function explainAgreeing(subject: Subject<AgreeingEnd>, context: ResultContext): Advice {
  const { end } = subject;
  const differs = context.effectOf(end) !== 'ends-well';
  const actions = [...(differs ? [] : usualActions(end, context)), ...authorityActions(subject)];
  const means = [
    aliasWords(end, context),
    contentWords(end),
    ...(differs ? [deciderWords(context.decidingServers(end), end), gainWords(context.gainOf(end))] : []),
  ];
  return { means: means.filter((words) => words !== '').join(' '), actions };
}

/** An end with an answer, or with a denial. */
type AgreeingEnd = Extract<End, { kind: 'answer' | 'nodata' | 'nxdomain' }>;

/** The data of an answer stand in the heading. */
function contentWords(end: AgreeingEnd): string {
  const name = plain(end.question.name);
  switch (end.kind) {
    case 'answer':
      return '';
    case 'nodata':
      return `Users learn that ${name} exists but has no ${end.question.type} record.`;
    case 'nxdomain':
      return `Users learn that ${name} does not exist.`;
  }
}

function aliasWords({ question }: AgreeingEnd, { query }: ResultContext): string {
  return question.name === query.name ? '' : `${plain(query.name)} is an alias of ${plain(question.name)}.`;
}

function deciderWords(deciders: readonly DecidingServer[], { zone }: AgreeingEnd): string {
  const [first] = deciders;
  if (first === undefined) return '';
  const number = numberOf(deciders);
  const elsewhere = deciders.every((one) => one.zone === first.zone) && first.zone !== zone;
  const role = `${number === 'one' ? 'a server' : 'servers'} of ${plain(first.zone)}`;
  const who = elsewhere ? `${serversText(deciders)}, ${role},` : serversText(deciders);
  const verb = deciders.every(({ how }) => how === 'answers')
    ? { one: 'says', several: 'say' }
    : { one: 'leads', several: 'lead' };
  return `Only ${who} ${verb[number]} ${verb.one === 'says' ? 'so' : 'there'}.`;
}

function gainWords(gain: Gain | undefined): string {
  if (gain === undefined) return '';
  const { path, resolver, failing } = gain;
  return `A resolver gets this more often than a single path, ${percentage(resolver)} instead of ${percentage(path)}: when ${withAddress(failing)} fails, it tries the other addresses of that name before other names.`;
}

function usualActions(end: AgreeingEnd, { query }: ResultContext): readonly Action[] {
  const { kind, question, zone } = end;
  if (kind === 'answer') return [];
  if (kind === 'nxdomain' && question.name !== query.name) {
    const what = `correct the alias, or remove it: if ${plain(question.name)} is not registered, anyone can register it and receive its visitors`;
    return [{ who: `the owner of ${plain(query.name)}`, what }];
  }
  return [{ who: ownerOf(zone), what: 'add the record if users should find one; if not, this is right' }];
}

function authorityActions({ end, servers }: Subject<AgreeingEnd>): readonly Action[] {
  if (end.kind !== 'answer' || end.authoritative) return [];
  const what = `serve ${plain(end.zone)} there as an authority: the answer is not authoritative (no AA bit), as if it came from a cache, and may be out of date`;
  return [{ who: operatorOf(servers), what }];
}

/** What to do where users get different answers, said once for all ends that differ. */
export function explainDifference(
  {
    query,
    views: {
      'first-tries': { outcomes },
    },
  }: TraversalResult,
  context: ResultContext,
): Advice {
  const ends = outcomes.filter((end) => ownEffect(end) === 'ends-well');
  const decided = grouped(
    ends.flatMap((end) => context.decidingServers(end).map((decider) => ({ end, decider }))),
    ({ decider }) => decider.zone,
  );
  return {
    means: usualWords(context),
    actions: decided.flatMap((inZone) => actionsAt(inZone[0].decider.zone, inZone, asked(query), context)),
  };
}

function usualWords({ usual, quote }: ResultContext): string {
  if (usual === undefined)
    return 'No answer is more common than the others, so nothing shows which is right.';
  return usual.kind === 'answer'
    ? `Most users get ${quote(usual)}, which does not make it the right answer.`
    : 'Most users learn that there is nothing to get, which does not make it right.';
}

interface Decided {
  readonly end: End;
  readonly decider: DecidingServer;
}

function actionsAt(
  zone: Name,
  decided: readonly Decided[],
  question: string,
  context: ResultContext,
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
function sameServersAction(zone: Name, context: ResultContext): Action {
  const what = `have the delegation (${delegatedAt(zone, context)}) and the zone's NS records name the same servers, and none that gives another answer`;
  return { who: ownerOf(zone), what };
}

/** Codes for a delegation that names other servers than the zone itself: no transfer makes them agree. */
const MISMATCHES = ['PARENT_CHILD_NS_DIFFER', 'PARENT_CHILD_NS_DISJOINT'] as const;

function repair(zone: Name, decided: readonly Decided[], context: ResultContext): string {
  const isBehind = decided.some(({ decider }) => context.isFound('SOA_SERIAL_DIFFERS', decider));
  const how = isBehind
    ? 'repair the zone transfers (the SOA serials differ)'
    : 'update the zone where it is out of date';
  return `make every server give that answer: ${how}, and take servers that should no longer serve ${plain(zone)} out of the delegation (${delegatedAt(zone, context)}) and the NS records`;
}

/** What users get, and what to do, where that changes once their resolver has learnt the zones' own name servers. */
export function explainOnceWarm(result: TraversalResult, context: ResultContext): Advice | undefined {
  const {
    views: { warm, resolver },
    findings,
  } = result;
  if (warm === undefined || !warmDiffers(result)) return undefined;
  const before = summaryLine(resolver.summary, 'terse');
  const after = summaryLine(warm.summary, 'terse');
  const zones = findings.flatMap(({ code, zone }) => (code === 'WARM_DIFFERS' && zone ? [zone] : []));
  return {
    means:
      before === after
        ? `Once a resolver has learnt the zones' own name servers, its lookups still end in ${after}, but first attempts end differently.`
        : `While a resolver knows only the parents' delegations, its users get ${before}. Once it has learnt the zones' own name servers, they get ${after}. Resolvers learn them at different times, so at any time some users get the one and some the other.`,
    actions: [...new Set(zones)].flatMap((zone) => warmActionsAt(zone, context)),
  };
}

function warmActionsAt(zone: Name, context: ResultContext): readonly Action[] {
  const search = { who: ownerOf(zone), what: 'find out which servers have the right data' };
  return [search, sameServersAction(zone, context)];
}
