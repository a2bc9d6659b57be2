import { isBelow, labelCount, type Name, ROOT } from '../dns/name.ts';
import { asked, plain, withAddress } from '../document/words/names.ts';
import { outcomesIn } from '../evaluate/evaluate.ts';
import type { Step } from '../evaluate/step.ts';
import type { Draft } from './check.ts';
import { type Contact, type Evidence, exchangesOf } from './evidence.ts';
import { overFamilies } from './outcomes.ts';
import { type Component, componentKey, RouteSearch } from './route-search.ts';

/**
 * SINGLE_POINT_OF_FAILURE: without this address, server or zone no resolver gets the answer. The zones
 * that the name itself is in do not count, nor do top-level domains and the root: nobody can do without
 * them. Of nested zones only the deepest is reported, and a server with its only address is reported
 * once. Servers that only validating resolvers need are reported too. If anything was not examined, it may be a way round, so nothing is reported.
 */
export function singlePoint(evidence: Evidence): readonly Draft[] {
  const { evaluation, openZones } = evidence;
  const { start, coverage } = evaluation;
  if (start.kind !== 'step' || coverage === 'limited' || openZones.size > 0) return [];
  const vital = vitalComponents(evidence, start.step);
  const servers = serverDrafts(evidence, vital);
  const reported = new Set(servers.map(({ zone }) => zone));
  const zones = vital.filter(({ kind }) => kind === 'zone').map(({ zone }) => zone);
  const deepest = zones.filter((zone) => !reported.has(zone) && !zones.some((other) => isBelow(other, zone)));
  const zoneDrafts = deepest.map((zone) => zoneDraft(evidence, zone));
  return [...servers, ...zoneDrafts, ...validatorDrafts(evidence, servers)];
}

type Goals = ReadonlySet<'answer' | 'nodata' | 'nxdomain'>;

/** The number of parts left out in turn. Only hostile worlds have longer ways to an answer. */
const MOST_TRIALS = 100;

/** The parts that every way to the goal has: of those of one way, each that no other way can do without. */
function vitalComponents(evidence: Evidence, start: Step): readonly Component[] {
  const goals = goalsOf(evidence);
  const own = new Set([...evidence.mainSteps].map(({ delegation }) => delegation.zone));
  let candidates = (new RouteSearch(goals).route(start) ?? []).filter((part) => isTried(evidence, part, own));
  const vital: Component[] = [];
  for (let trial = 0; trial < MOST_TRIALS; trial += 1) {
    const [part, ...rest] = candidates;
    if (part === undefined) break;
    const another = new RouteSearch(goals, part).route(start);
    if (another === undefined) vital.push({ ...part, zone: zoneInNeed(evidence, part, start, goals) });
    const common = another && new Set(another.map(componentKey));
    candidates = common === undefined ? rest : rest.filter((one) => common.has(componentKey(one)));
  }
  return vital;
}

/** The zone for which a part is needed: it can be left out for the zones in which it is met before, one after the other. */
function zoneInNeed({ contacts }: Evidence, part: Component, start: Step, goals: Goals): Name {
  const { kind, text, zone } = part;
  const zones = new Set([zone]);
  const met = contacts.filter(
    ({ server: { name, address } }) => (kind === 'server' ? name : address) === text,
  );
  for (const next of met) {
    if (new RouteSearch(goals, part, zones).route(start) === undefined) break;
    zones.add(next.zone);
  }
  return [...zones].at(-1) ?? zone;
}

/** The ends that users want: an answer, or if there is none, a denial. */
function goalsOf({ evaluation }: Evidence): Goals {
  const hasAnswer = outcomesIn(evaluation, 'resolver').some(({ end }) => end.kind === 'answer');
  return new Set(hasAnswer ? ['answer'] : ['nodata', 'nxdomain']);
}

function isTried(evidence: Evidence, { kind, text, zone }: Component, own: ReadonlySet<Name>): boolean {
  if (kind === 'zone') return labelCount(zone) > 1 && !own.has(zone);
  // The root hints are the user's own.
  if (zone === ROOT) return false;
  // If a family was left out, a server may have other addresses; but two that share one are one machine.
  return kind === 'server' || evidence.scope.families.length > 1 || isShared(evidence, zone, text);
}

function isShared({ contacts }: Evidence, zone: Name, address: string): boolean {
  const there = contacts.filter((one) => one.zone === zone && one.server.address === address);
  return new Set(there.map(({ server }) => server.name)).size > 1;
}

function serverDrafts(evidence: Evidence, vital: readonly Component[]): readonly Draft[] {
  const names = new Set(vital.filter(({ kind }) => kind === 'server').map(({ text }) => text));
  const addresses = new Set(vital.filter(({ kind }) => kind === 'address').map(({ text }) => text));
  return vital.flatMap((part): Draft[] => {
    if (part.kind === 'zone') return [];
    const contacts = evidence.contacts.filter((contact) => isAt(contact, part));
    const [contact] = contacts;
    if (contact === undefined) return [];
    if (part.kind === 'server') {
      if (contacts.some(({ server }) => addresses.has(server.address))) return [];
      const { name } = contact.server;
      return [serverDraft(evidence, part.zone, { server: { name }, who: plain(name) }, contacts)];
    }
    const { server } = contacts.find((one) => names.has(one.server.name)) ?? contact;
    return [serverDraft(evidence, part.zone, { server, who: withAddress(server) }, contacts)];
  });
}

function isAt({ zone, server }: Contact, part: Component): boolean {
  return zone === part.zone && (part.kind === 'server' ? server.name : server.address) === part.text;
}

/** What only validating resolvers need; what all of them need is known already. */
function validatorDrafts(evidence: Evidence, known: readonly Draft[]): readonly Draft[] {
  const { scope, neededByValidators } = evidence;
  return neededByValidators.flatMap((contacts): Draft[] => {
    const [{ zone, server }] = contacts;
    if (known.some((one) => one.server?.name === server.name)) return [];
    const addresses = new Set(contacts.map((contact) => contact.server.address));
    const isName = addresses.size > 1 || (scope.families.length < 2 && contacts.length < 2);
    const subject = isName
      ? { server: { name: server.name }, who: plain(server.name) }
      : { server, who: withAddress(server) };
    return [serverDraft(evidence, zone, subject, contacts, ' behind validating resolvers')];
  });
}

/** A server, as its finding names it, and in words. */
interface Subject {
  readonly server: NonNullable<Draft['server']>;
  readonly who: string;
}

function serverDraft(
  { scope }: Evidence,
  zone: Name,
  { server, who }: Subject,
  contacts: readonly Contact[],
  whose = '',
): Draft {
  return {
    zone,
    server,
    problem: `If ${who}, a name server of ${plain(zone)}, fails, ${asked(scope.question)} stops resolving${overFamilies(scope)}${whose}`,
    advice: 'Make sure that a second server, on another network, gives the answer too',
    proof: exchangesOf(contacts.flatMap(({ observed }) => observed)),
  };
}

function zoneDraft({ scope, contacts }: Evidence, zone: Name): Draft {
  const observed = contacts.filter((contact) => contact.zone === zone).flatMap((contact) => contact.observed);
  return {
    zone,
    // One of its servers can fail, unlike the single servers above.
    severity: 'notice',
    problem: `If the zone ${plain(zone)} fails, ${asked(scope.question)} stops resolving${overFamilies(scope)}, because every path leads through that zone`,
    advice: 'Add a name server in another domain, or one with glue',
    proof: exchangesOf(observed),
  };
}
