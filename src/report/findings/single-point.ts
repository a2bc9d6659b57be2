import type { Place, ServerAt, Visit } from '../../evaluate/place.ts';
import { familyOf } from '../../wire/address.ts';
import { isBelow, type Name } from '../../wire/name.ts';
import { Derivation, type Part, partKey, type Terms } from './derivation.ts';
import type { Check, Draft } from './draft.ts';
import type { Contact, Evidence } from './evidence.ts';
import { isUntried } from './reached.ts';
import { asked, named, plain } from './words.ts';

/** Traversals with more places are left out: each trial below goes over all of them. */
const MOST_PLACES = 10_000;
/** Parts that are imagined away, one after the other; more than any way to an answer has, but for hostile ones. */
const MOST_TRIALS = 100;

/**
 * SINGLE_POINT_OF_FAILURE: without this address, server or zone no resolver gets the answer. The zones
 * that the name itself is in are none: nobody can do without them. Of a zone and those above it the
 * deepest is told, of a server and its only address both at once.
 */
export const singlePoint: Check = (evidence) => {
  const { start } = evidence.evaluation;
  if (start.kind !== 'place' || evidence.places.length > MOST_PLACES) return [];
  const vital = vitalParts(evidence, start.place);
  const servers = serverDrafts(evidence, vital);
  const zones = vital.filter(({ kind }) => kind === 'zone').map(({ zone }) => zone);
  const deepest = zones.filter((zone) => !zones.some((other) => isBelow(other, zone)));
  const told = new Set(servers.map(({ zone }) => zone));
  return [...servers, ...deepest.filter((zone) => !told.has(zone)).map((zone) => zoneDraft(evidence, zone))];
};

/** The parts that every way to the goal has: those of one way, tried each, and of all ways found instead. */
function vitalParts(evidence: Evidence, start: Place): readonly Part[] {
  const terms = termsOf(evidence);
  const own = new Set([...evidence.mainPlaces].map(({ delegation }) => delegation.zone));
  let candidates = (new Derivation(terms).parts(start) ?? []).filter((part) => isTried(evidence, part, own));
  const vital: Part[] = [];
  for (let trial = 0; trial < MOST_TRIALS; trial += 1) {
    const [part, ...rest] = candidates;
    if (part === undefined) break;
    const another = new Derivation(terms, part).parts(start);
    if (another === undefined) vital.push(part);
    const common = another && new Set(another.map(partKey));
    candidates = common === undefined ? rest : rest.filter((one) => common.has(partKey(one)));
  }
  return vital;
}

function isTried({ plan }: Evidence, part: Part, own: ReadonlySet<Name>): boolean {
  if (part.kind === 'zone') return !own.has(part.zone);
  // An address is not alone where nobody looked for those of the other family.
  return part.kind === 'server' || plan.families.length === 2;
}

function termsOf(evidence: Evidence): Terms {
  const { plan, evaluation } = evidence;
  const hasAnswer = evaluation.resolverOutcomes.some(({ end }) => end.kind === 'answer');
  const goals: ReadonlySet<string> = new Set(hasAnswer ? ['answer'] : ['nodata', 'nxdomain']);
  return {
    isGoal: ({ response }) => goals.has(response.kind),
    isOpen: (visit: Visit) => visit.kind === 'not-asked' || isUntried(evidence, visit),
    isOpenServer: ({ delegation }, server: ServerAt) => {
      if (plan.families.length === 2) return false;
      const glue = delegation.nameservers.find(({ name }) => name === server.name)?.glue ?? [];
      return server.kind === 'lookup' || glue.some((address) => !plan.families.includes(familyOf(address)));
    },
  };
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
      const only = contacts.find(({ server }) => addresses.has(server.address));
      return only === undefined ? [serverDraft(evidence, part, contact, 'server', contacts)] : [];
    }
    const namesake = contacts.find(({ server }) => names.has(server.name)) ?? contact;
    return [serverDraft(evidence, part, namesake, 'address', contacts)];
  });
}

function isAt({ zone, server }: Contact, part: Part): boolean {
  return zone === part.zone && (part.kind === 'server' ? server.name : server.address) === part.text;
}

function serverDraft(
  { plan }: Evidence,
  { zone }: Part,
  { server }: Contact,
  what: 'server' | 'address',
  contacts: readonly Contact[],
): Draft {
  const who = what === 'server' ? plain(server.name) : named(server);
  return {
    zone,
    server: what === 'server' ? { name: server.name } : server,
    message: `Without ${who}, a server of ${plain(zone)}, no resolver gets an answer to ${asked(plan.question)}: give that zone another working server in another place.`,
    proof: contacts.flatMap(({ heard }) => heard.map(({ exchanged }) => exchanged)),
  };
}

function zoneDraft({ plan, panels }: Evidence, zone: Name): Draft {
  const message = `Without the zone ${plain(zone)} no resolver gets an answer to ${asked(plan.question)}, because all its servers are named in there: name a server of another domain too, or one with glue.`;
  const heard = panels.filter((panel) => panel.zone === zone).flatMap((panel) => panel.heard);
  return { zone, message, proof: heard.map(({ exchanged }) => exchanged) };
}
