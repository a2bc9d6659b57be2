/* Finds the servers without which validating resolvers get no answer, although others do. */

import { ROOT } from '../dns/name.ts';
import { firstOfEach, grouped } from '../document/words/lists.ts';
import type { Outcome } from '../evaluate/distribution.ts';
import { causeOf, type EndKind, isUnknown } from '../evaluate/end.ts';
import { outcomesIn, validatedOutcomes } from '../evaluate/evaluate.ts';
import { changedWorld } from '../evaluate/what-if.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { queryKey } from '../exchange/query.ts';
import { type Contact, type Contacts, contactAsked, type Evidence, isWorking } from './evidence.ts';

/**
 * The servers without which the validating view has no answer. Only zones are looked at in which a reply
 * does not validate, or a server does not give the keys: in others the resolver view needs the same servers.
 */
export function serversThatValidatorsNeed(
  evidence: Omit<Evidence, 'neededByValidators'>,
): readonly Contacts[] {
  const { evaluation, openZones } = evidence;
  if (evaluation.validation === undefined || evaluation.coverage === 'limited' || openZones.size > 0)
    return [];
  return candidatesIn(evidence).filter((contacts) => isNeeded(evidence, contacts));
}

/** The number of servers that are imagined to be down in turn. */
const MOST_TRIALS = 32;

/** The servers of zones in which something is wrong at some of them. Names that share an address stand together. */
function candidatesIn(evidence: Omit<Evidence, 'neededByValidators'>): readonly Contacts[] {
  const zones = new Set(wrongContacts(evidence).map(({ zone }) => zone));
  const there = evidence.contacts.filter(({ zone }) => zone !== ROOT && zones.has(zone));
  const byName = grouped(there, ({ zone, server }) => `${zone} ${server.name}`);
  const byAddress = grouped(there, ({ zone, server }) => `${zone} ${server.address}`);
  const shared = byAddress.filter((contacts) => contacts.length > 1);
  const all = firstOfEach([...shared, ...byName], placeKey);
  return all.slice(0, MOST_TRIALS);
}

/** The text that is equal for names that have the same addresses. */
function placeKey(contacts: Contacts): string {
  const addresses = new Set(contacts.map(({ server }) => server.address));
  return [contacts[0].zone, ...[...addresses].sort()].join(' ');
}

/**
 * Servers of zones with a reply that does not validate, or without a usable reply to a question for keys or DS records.
 * A server that does not work at all is the resolver view's business.
 */
function wrongContacts({
  recording,
  evaluation,
  contacts,
}: Omit<Evidence, 'neededByValidators'>): readonly Contact[] {
  const verdicts = evaluation.validation?.verdicts;
  const wrong = [...recording.exchanges.values()].filter((exchanged) => {
    const verdict = verdicts?.get(queryKey(exchanged));
    return verdict?.status === 'bogus' || (verdict === undefined && isForProof(exchanged));
  });
  return wrong.flatMap((exchanged) => {
    const contact = contactAsked(exchanged, contacts);
    return contact?.observed.some(isWorking) ? [contact] : [];
  });
}

function isForProof({ question: { type } }: Exchanged): boolean {
  return type === 'DNSKEY' || type === 'DS';
}

/** Whether there is an answer, and none while the server is down. */
function isNeeded(
  { recording, evaluation, scope }: Omit<Evidence, 'neededByValidators'>,
  contacts: Contacts,
): boolean {
  const down = contacts.map(({ server: { address } }) => ({ kind: 'address', address }) as const);
  const world = changedWorld({ down, without: [], only: [] }, { ...UNTIMED, families: scope.families });
  return isLost(outcomesIn(evaluation, 'validating'), validatedOutcomes({ recording, world }));
}

/** Only the times of the imagined world depend on these. */
const UNTIMED = { timeoutMs: 0, retries: 0, maxQueries: 0 } as const;

/** An answer, or a denial where nobody gets an answer, that is there before and certainly not after. */
function isLost(before: readonly Outcome[], after: readonly Outcome[]): boolean {
  const goals = hasKind(before, ['answer']) ? (['answer'] as const) : (['nodata', 'nxdomain'] as const);
  const isKnown = !after.some(({ end }) => isUnknown(causeOf(end)));
  return isKnown && hasKind(before, goals) && !hasKind(after, goals);
}

function hasKind(outcomes: readonly Outcome[], kinds: readonly EndKind[]): boolean {
  return outcomes.some(({ end }) => kinds.includes(end.kind));
}
