import { getOrMake } from '../base/memo.ts';
import { isBelow, labelCount, type Name, ROOT } from '../dns/name.ts';
import { asked, plain, withAddress } from '../document/words/names.ts';
import { answersBelow } from '../evaluate/addresses-to-pick.ts';
import type { Step, StepServer, Visit, Walk } from '../evaluate/step.ts';
import { addressIn } from '../explore/addresses.ts';
import type { Meaning } from '../explore/meaning.ts';
import type { Draft } from './check.ts';
import { type Contact, type Evidence, exchangesOf } from './evidence.ts';
import { overFamilies } from './outcomes.ts';

/**
 * SINGLE_POINT_OF_FAILURE: without this address, server or zone no resolver gets the answer. The zones
 * that the name itself is in do not count, nor do top-level domains and the root: nobody can do without
 * them. Of nested zones only the deepest is reported, and a server with its only address is reported
 * once. If anything was not examined, it may be a way round, so nothing is reported.
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
  return [...servers, ...deepest.map((zone) => zoneDraft(evidence, zone))];
}

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
    if (another === undefined) vital.push(part);
    const common = another && new Set(another.map(componentKey));
    candidates = common === undefined ? rest : rest.filter((one) => common.has(componentKey(one)));
  }
  return vital;
}

/** The ends that users want: an answer, or if there is none, a denial. */
function goalsOf({ evaluation }: Evidence): ReadonlySet<'answer' | 'nodata' | 'nxdomain'> {
  const hasAnswer = evaluation.resolverOutcomes.some(({ end }) => end.kind === 'answer');
  return new Set(hasAnswer ? ['answer'] : ['nodata', 'nxdomain']);
}

function isTried({ scope }: Evidence, { kind, zone }: Component, own: ReadonlySet<Name>): boolean {
  if (kind === 'zone') return labelCount(zone) > 1 && !own.has(zone);
  // The root hints are the user's own. If a family was left out, a server may have other addresses.
  return zone !== ROOT && (kind === 'server' || scope.families.length > 1);
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
    proof: exchangesOf(contacts.flatMap(({ observed }) => observed)),
  };
}

function zoneDraft({ scope, contacts }: Evidence, zone: Name): Draft {
  const observed = contacts.filter((contact) => contact.zone === zone).flatMap((contact) => contact.observed);
  return {
    zone,
    problem: `If the zone ${plain(zone)} fails, ${asked(scope.question)} stops resolving${overFamilies(scope)}, because every path leads through that zone`,
    advice: 'Add a name server in another domain, or one with glue',
    proof: exchangesOf(observed),
  };
}

/** What can be left out: an address, a server's name, or a whole zone. */
interface Component {
  readonly kind: 'address' | 'server' | 'zone';
  readonly text: string;
  /** The zone for which it is needed. */
  readonly zone: Name;
}

/** The text that is equal only for the same part. */
function componentKey({ kind, text }: Component): string {
  return `${kind} ${text}`;
}

/**
 * Finds whether a resolver can reach an end of certain kinds at all, and how. It can if at each step there
 * is a server, an address of it that glue or a lookup gives, and an exchange there that leads on. This
 * needs no probabilities: the search ends at the first way found.
 */
export class RouteSearch {
  readonly #goals: ReadonlySet<Meaning['kind']>;
  readonly #without: Component | undefined;
  readonly #known = new Map<Step, Map<string, Route | 'none'>>();

  constructor(goals: ReadonlySet<Meaning['kind']>, without?: Component) {
    this.#goals = goals;
    this.#without = without;
  }

  /** The parts of the first way found from a step; undefined if there is none. */
  route(start: Step): readonly Component[] | undefined {
    const parts = new Map<string, Component>();
    const pending: Need[] = [{ step: start, wanted: GOAL }];
    const seen = new Set<Route>();
    for (const { step, wanted } of pending) {
      const route = this.#route(step, wanted);
      if (route === 'none') return undefined;
      if (seen.has(route)) continue;
      seen.add(route);
      for (const part of componentsOf(step, route))
        if (!parts.has(componentKey(part))) parts.set(componentKey(part), part);
      pending.push(...route.needs);
    }
    return [...parts.values()];
  }

  /** How a walk from the step gets what is wanted. The steps below a walk are acyclic. */
  #route(step: Step, wanted: Wanted): Route | 'none' {
    const routes = getOrMake(this.#known, step, () => new Map<Wanted, Route | 'none'>());
    return getOrMake(routes, wanted, () => this.#find(step, wanted));
  }

  #find(step: Step, wanted: Wanted): Route | 'none' {
    if (wanted !== GOAL && !answersBelow(step).has(wanted)) return 'none';
    if (this.#isWithout('zone', step.delegation.zone)) return 'none';
    for (const server of step.servers) {
      if (this.#isWithout('server', server.name)) continue;
      for (const { address, needs } of this.#addresses(server)) {
        const onward = this.#through(step.visits.get(address), wanted);
        if (
          onward !== 'none' &&
          !this.#isWithout('address', address) &&
          needs.every((need) => this.#has(need))
        )
          return { server: server.name, address, needs: [...needs, ...onward] };
      }
    }
    return 'none';
  }

  /** The addresses that a server may have, and what each of them needs. */
  #addresses(server: StepServer): readonly Candidate[] {
    switch (server.kind) {
      case 'glue':
        return server.addresses.map((address) => ({ address, needs: [] }));
      case 'lookup':
        return server.lookups.flatMap(({ walk }) => candidates(walk));
      case 'not-looked-up':
        return [];
    }
  }

  /** What else it takes to get from an exchange to what is wanted. */
  #through(visit: Visit | undefined, wanted: Wanted): readonly Need[] | 'none' {
    if (visit?.kind !== 'asked') return 'none';
    const { meaning, onward } = visit;
    if (wanted === GOAL ? this.#goals.has(meaning.kind) : brings(meaning, wanted)) return [];
    if (onward.kind !== 'walk' || onward.walk.kind !== 'step') return 'none';
    const need = { step: onward.walk.step, wanted };
    return this.#has(need) ? [need] : 'none';
  }

  #has({ step, wanted }: Need): boolean {
    return this.#route(step, wanted) !== 'none';
  }

  #isWithout(kind: Component['kind'], text: string): boolean {
    return this.#without?.kind === kind && this.#without.text === text;
  }
}

/** What a walk has to get: a goal, or an address (whose text is never "goal"). */
type Wanted = string;
const GOAL = 'goal';

/** A walk that has to get something. */
interface Need {
  readonly step: Step;
  readonly wanted: Wanted;
}

/** A pick at a step, and what other walks have to get for it. */
interface Route {
  readonly server: Name;
  readonly address: string;
  readonly needs: readonly Need[];
}

type Candidate = Pick<Route, 'address' | 'needs'>;

function candidates(walk: Walk): readonly Candidate[] {
  if (walk.kind === 'cut') return [];
  const { step } = walk;
  return [...answersBelow(step)].map((address) => ({ address, needs: [{ step, wanted: address }] }));
}

function brings(meaning: Meaning, address: string): boolean {
  return meaning.kind === 'answer' && meaning.records.some((record) => addressIn(record) === address);
}

function componentsOf({ delegation: { zone } }: Step, { server, address }: Route): readonly Component[] {
  return [
    { kind: 'zone', text: zone, zone },
    { kind: 'server', text: server, zone },
    { kind: 'address', text: address, zone },
  ];
}
