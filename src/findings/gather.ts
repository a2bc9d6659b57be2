import { getOrMake } from '../base/memo.ts';
import { type Name, ROOT } from '../dns/name.ts';
import { firstOfEach } from '../document/words/lists.ts';
import { addressesOf } from '../evaluate/addresses-to-pick.ts';
import { type End, endKey } from '../evaluate/end.ts';
import type { Evaluation, WarmWalk } from '../evaluate/evaluate.ts';
import type { AddressPick, DeadEnd, PathView } from '../evaluate/path-view.ts';
import type { Step } from '../evaluate/step.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { queryKey } from '../exchange/query.ts';
import { meaningFor } from '../explore/classify.ts';
import { type Delegation, delegationKey } from '../explore/delegation.ts';
import { isAskedAsUsual } from '../explore/probes.ts';
import type { Recording } from '../explore/recording.ts';
import {
  askedExchanges,
  type Contact,
  contactAsked,
  type Evidence,
  exchangesOf,
  isSmooth,
  isWorking,
  type Observation,
  type Referred,
  type ReplySet,
  type Resolution,
  replySetKey,
} from './evidence.ts';
import { familiesOverTcp, openZones, reachedFamilies } from './outcomes.ts';
import { serversThatValidatorsNeed } from './validators-servers.ts';
import { zoneFacts } from './zones/zone-facts.ts';

/** Arranges a recording and its evaluation as checks need them, in one pass over the steps of each walk. */
export function gather(recording: Recording, evaluation: Evaluation): Evidence {
  const { pathView, warm } = evaluation;
  const steps = [...evaluation.passes.keys(), ...evaluation.furtherSteps.keys()];
  const seen = {
    recording,
    reached: reachedFamilies(recording),
    reachedOverTcp: familiesOverTcp(recording),
  };
  const gathering = new Gathering();
  for (const step of steps) gathering.takeStep(step, pathView);
  const cold = gathering.sorted();
  if (warm !== undefined) for (const step of walkedSteps(warm)) gathering.takeStep(step, warm.pathView);
  const all = warm === undefined ? cold : gathering.sorted();
  const main = mainSteps(evaluation);
  const open = openZones({ ...seen, ...cold });
  const forProofAlone = askedForProofAlone(evaluation, all.contacts);
  const evidence = {
    ...seen,
    ...all,
    scope: recording.scope,
    evaluation,
    steps,
    mainSteps: main,
    openZones: open,
    forProofAlone,
    roughAnywhere: roughAnywhere(recording, { ...all, contacts: [...all.contacts, ...forProofAlone] }),
    openWhenWarm: warm === undefined ? open : openZones({ ...seen, ...all }),
    zones: zoneFacts(recording, evaluation, main),
  };
  return { ...evidence, neededByValidators: serversThatValidatorsNeed(evidence) };
}

function askedForProofAlone({ validation }: Evaluation, contacts: readonly Contact[]): readonly Contact[] {
  const zones = new Set(contacts.map(({ zone }) => zone));
  const steps = validation?.steps.filter(({ delegation }) => !zones.has(delegation.zone)) ?? [];
  const all = steps.flatMap(({ delegation: { zone }, servers }) =>
    servers.flatMap((server) =>
      addressesOf(server).map((address): Contact => {
        return { zone, server: { name: server.name, address }, observed: [] };
      }),
    ),
  );
  return firstOfEach(all, ({ zone, server }) => `${zone} ${server.address}`);
}

/** Contacts with what no path contains, where not all went smoothly. What a limit left out counts as not asked. */
function roughAnywhere(
  recording: Recording,
  { contacts, rough }: Pick<Evidence, 'contacts' | 'rough'>,
): readonly Contact[] {
  const onPaths = new Set(rough.flatMap(({ observed }) => exchangesOf(observed)));
  const besides = new Map<Contact, Observation[]>();
  const probes = recording.probes.filter(isAskedAsUsual);
  for (const exchanged of [...askedExchanges(recording), ...probes]) {
    const contact = onPaths.has(exchanged) ? undefined : contactAsked(exchanged, contacts);
    // Root servers are watched over well enough.
    if (contact === undefined || contact.zone === ROOT) continue;
    const { zone, server } = contact;
    const observed = { zone, server, exchanged, meaning: meaningFor(exchanged, zone) };
    if (!isSmooth(observed)) getOrMake(besides, contact, (): Observation[] => []).push(observed);
  }
  const also = new Set(rough);
  return contacts
    .filter((contact) => also.has(contact) || besides.has(contact))
    .map((contact) => ({
      ...contact,
      observed: [...contact.observed, ...inOrder(besides.get(contact) ?? [])],
    }));
}

/** In an order that does not depend on who answered first. */
function inOrder(observed: readonly Observation[]): readonly Observation[] {
  const keyed = observed.map((one) => ({ key: queryKey(one.exchanged), one }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ one }) => one);
}

/** The steps of the warm walk in the order in which paths meet them, without those of its apex questions. */
function walkedSteps({ steps }: WarmWalk): readonly Step[] {
  return steps.filter(({ otherwise }) => otherwise === undefined).reverse();
}

interface Collected<T> {
  readonly fixed: T;
  readonly observed: Map<Exchanged, Observation>;
}

/** What is collected about one name server of a zone. */
interface Server {
  readonly zone: Name;
  readonly name: Name;
  /** By address. */
  readonly contacts: Map<string, Map<Exchanged, Observation>>;
  readonly failed: Set<End>;
  readonly notLookedUp: Set<End>;
}

class Gathering {
  readonly #servers = new Map<Name, Map<Name, Server>>();
  readonly #replySets = new Map<string, Collected<Pick<ReplySet, 'zone' | 'question'>>>();
  readonly #referred = new Map<string, Collected<Delegation>>();
  readonly #byName = new Map<Name, Observation[]>();
  readonly #cuts = new Map<Name, Set<Name>>();

  takeStep(step: Step, view: PathView): void {
    const { picks, deadEnds } = view.leaving(step);
    for (const pick of picks) this.#take(step, pick);
    for (const deadEnd of deadEnds) this.#takeDeadEnd(step, deadEnd);
  }

  #take(step: Step, pick: AddressPick): void {
    const { zone } = step.delegation;
    const server = this.#server(zone, pick.server.name);
    const contact = getOrMake(server.contacts, pick.address, () => new Map<Exchanged, Observation>());
    const visit = step.visits.get(pick.address);
    if (visit?.kind !== 'asked' || contact.has(visit.exchanged)) return;
    const { exchanged, meaning } = visit;
    const observed = { zone, server: { name: server.name, address: pick.address }, exchanged, meaning };
    contact.set(exchanged, observed);
    this.#sort(observed);
  }

  #takeDeadEnd({ delegation }: Step, { server, end }: DeadEnd): void {
    const { failed, notLookedUp } = this.#server(delegation.zone, server.name);
    (server.kind === 'not-looked-up' ? notLookedUp : failed).add(end);
  }

  sorted(): Pick<
    Evidence,
    | 'contacts'
    | 'rough'
    | 'working'
    | 'replySets'
    | 'referred'
    | 'referrals'
    | 'resolutions'
    | 'byName'
    | 'cuts'
  > {
    const servers = [...this.#servers.values()].flatMap((known) => [...known.values()]);
    const contacts = servers.flatMap(contactsOf);
    const referred = [...this.#referred.values()].map(({ fixed, observed }): Referred => {
      return { delegation: fixed, observed: [...observed.values()] };
    });
    const referrals = new Map<Name, Observation[]>();
    for (const { delegation, observed } of referred) {
      getOrMake(referrals, delegation.zone, (): Observation[] => []).push(...observed);
    }
    return {
      contacts,
      rough: contacts.filter(({ observed }) => !observed.every(isSmooth)),
      working: workingIn(contacts),
      replySets: new Map([...this.#replySets].map(([key, replySet]) => [key, replySetOf(replySet)])),
      referred,
      referrals,
      resolutions: servers.map(resolutionOf),
      byName: this.#byName,
      cuts: this.#cuts,
    };
  }

  #server(zone: Name, name: Name): Server {
    const servers = getOrMake(this.#servers, zone, () => new Map<Name, Server>());
    return getOrMake(servers, name, () => ({
      zone,
      name,
      contacts: new Map(),
      failed: new Set(),
      notLookedUp: new Set(),
    }));
  }

  #sort(observed: Observation): void {
    const { zone, exchanged, meaning } = observed;
    const asked = { zone, question: exchanged.question };
    const replySet = getOrMake(this.#replySets, replySetKey(asked), () => collected(asked));
    if (replySet.observed.has(exchanged)) return;
    replySet.observed.set(exchanged, observed);
    getOrMake(this.#byName, exchanged.question.name, () => [] as Observation[]).push(observed);
    if (meaning.kind !== 'referral') return;
    const { delegation } = meaning;
    getOrMake(this.#referred, delegationKey(delegation), () => collected(delegation)).observed.set(
      exchanged,
      observed,
    );
    getOrMake(this.#cuts, zone, () => new Set<Name>()).add(delegation.zone);
  }
}

function replySetOf({ fixed, observed }: Collected<Pick<ReplySet, 'zone' | 'question'>>): ReplySet {
  return { ...fixed, observed: [...observed.values()] };
}

function contactsOf({ zone, name, contacts }: Server): Contact[] {
  return [...contacts].map(([address, observed]) => {
    return { zone, server: { name, address }, observed: [...observed.values()] };
  });
}

function workingIn(contacts: readonly Contact[]): ReadonlyMap<Name, ReadonlySet<Name>> {
  const working = new Map<Name, Set<Name>>();
  for (const { zone, server, observed } of contacts) {
    if (observed.some(isWorking)) getOrMake(working, zone, () => new Set<Name>()).add(server.name);
  }
  return working;
}

function resolutionOf({ zone, name, contacts, failed, notLookedUp }: Server): Resolution {
  const addresses = new Set(contacts.keys());
  return { zone, name, addresses, failed: distinct(failed), notLookedUp: distinct(notLookedUp) };
}

/** Ends of one walk are distinct; those of the other one can equal them. */
function distinct(ends: Iterable<End>): readonly End[] {
  return [...new Map(Array.from(ends, (end) => [endKey(end), end])).values()];
}

function collected<T>(fixed: T): Collected<T> {
  return { fixed, observed: new Map() };
}

/**
 * The steps of a main walk. No lookup is pending there, so what happens at them happens to everybody;
 * a step inside a lookup may merely lack what that lookup is about to find.
 */
function mainSteps({ start, pathView, furtherSteps }: Evaluation): ReadonlySet<Step> {
  const further = [...furtherSteps].flatMap(([step, of]) => (of === 'main' ? [step] : []));
  const seen = new Set<Step>(start.kind === 'step' ? [start.step, ...further] : []);
  // Iterating over a set also visits what is added on the way, so it serves as the work list.
  for (const step of seen) {
    for (const walk of pathView.onward(step).keys()) if (walk.kind === 'step') seen.add(walk.step);
  }
  return seen;
}
