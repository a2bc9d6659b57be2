import type { Step } from '../evaluate/step.ts';
import { asked, plain, withAddress } from '../reading/words/names.ts';
import { isBelow, labelCount, type Name, ROOT } from '../wire/name.ts';
import type { Check, Draft } from './check.ts';
import type { Contact, Evidence } from './evidence.ts';
import { exchangesOf } from './heard.ts';
import { type Part, partKey, Ways } from './ways.ts';
import { overFamilies } from './words.ts';

/** The number of parts left out in turn. Only hostile worlds have longer ways to an answer. */
const MOST_TRIALS = 100;

/**
 * SINGLE_POINT_OF_FAILURE: without this address, server or zone no resolver gets the answer. The zones
 * that the name itself is in do not count, nor do top-level domains and the root: nobody can do without
 * them. Of nested zones only the deepest is reported, and a server with its only address is reported
 * once. If anything was not examined, it may be a way round, so nothing is reported.
 */
export const singlePoint: Check = (evidence) => {
  const { evaluation, openZones } = evidence;
  const { start, coverage } = evaluation;
  if (start.kind !== 'step' || coverage === 'limited' || openZones.size > 0) return [];
  const vital = vitalParts(evidence, start.step);
  const servers = serverDrafts(evidence, vital);
  const told = new Set(servers.map(({ zone }) => zone));
  const zones = vital.filter(({ kind }) => kind === 'zone').map(({ zone }) => zone);
  const deepest = zones.filter((zone) => !told.has(zone) && !zones.some((other) => isBelow(other, zone)));
  return [...servers, ...deepest.map((zone) => zoneDraft(evidence, zone))];
};

/** The parts that every way to the goal has: of those of one way, each that no other way can do without. */
function vitalParts(evidence: Evidence, start: Step): readonly Part[] {
  const goals = goalsOf(evidence);
  const own = new Set([...evidence.mainSteps].map(({ delegation }) => delegation.zone));
  let candidates = (new Ways(goals).parts(start) ?? []).filter((part) => isTried(evidence, part, own));
  const vital: Part[] = [];
  for (let trial = 0; trial < MOST_TRIALS; trial += 1) {
    const [part, ...rest] = candidates;
    if (part === undefined) break;
    const another = new Ways(goals, part).parts(start);
    if (another === undefined) vital.push(part);
    const common = another && new Set(another.map(partKey));
    candidates = common === undefined ? rest : rest.filter((one) => common.has(partKey(one)));
  }
  return vital;
}

/** What users want: an answer, or if there is none, to be told so. */
function goalsOf({ evaluation }: Evidence): ReadonlySet<'answer' | 'nodata' | 'nxdomain'> {
  const hasAnswer = evaluation.resolverOutcomes.some(({ end }) => end.kind === 'answer');
  return new Set(hasAnswer ? ['answer'] : ['nodata', 'nxdomain']);
}

function isTried({ scope }: Evidence, { kind, zone }: Part, own: ReadonlySet<Name>): boolean {
  if (kind === 'zone') return labelCount(zone) > 1 && !own.has(zone);
  // The root hints are the user's own. If a family was left out, a server may have other addresses.
  return zone !== ROOT && (kind === 'server' || scope.families.length > 1);
}

function serverDrafts(evidence: Evidence, vital: readonly Part[]): readonly Draft[] {
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

function isAt({ zone, server }: Contact, part: Part): boolean {
  return zone === part.zone && (part.kind === 'server' ? server.name : server.address) === part.text;
}

function serverDraft(
  { scope }: Evidence,
  zone: Name,
  { server, who }: { readonly server: NonNullable<Draft['server']>; readonly who: string },
  contacts: readonly Contact[],
): Draft {
  return {
    zone,
    server,
    problem: `If ${who}, a name server of ${plain(zone)}, fails, ${asked(scope.question)} stops resolving${overFamilies(scope)}`,
    advice: 'Make sure that a second server, on another network, gives the answer too',
    proof: exchangesOf(contacts.flatMap(({ heard }) => heard)),
  };
}

function zoneDraft({ scope, contacts }: Evidence, zone: Name): Draft {
  const heard = contacts.filter((contact) => contact.zone === zone).flatMap((contact) => contact.heard);
  return {
    zone,
    problem: `If the zone ${plain(zone)} fails, ${asked(scope.question)} stops resolving${overFamilies(scope)}, because every path leads through that zone`,
    advice: 'Add a name server in another domain, or one with glue',
    proof: exchangesOf(heard),
  };
}
