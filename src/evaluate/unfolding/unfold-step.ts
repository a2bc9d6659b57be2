import { addressesIn } from '../../explore/addresses.ts';
import { hostsElsewhere } from '../../explore/delegation.ts';
import { type StepRole, wholeQuestion } from '../../explore/main-walks.ts';
import { isUsable } from '../../explore/meaning.ts';
import { saysTheSame } from '../../explore/same-reply.ts';
import { addressesOf, areGathered, gatherAnswers, type Spending } from '../addresses-to-pick.ts';
import {
  type Lookup,
  type ServerState,
  STATES,
  type Step,
  type StepServer,
  type Visit,
  visitAt,
  type Walk,
  walkAfter,
} from '../step.ts';
import { validatedStep } from '../validating/validated-step.ts';
import { isSo, type StepInProgress, type Unfolder, VisitUnfolder } from './unfold-visits.ts';
import type { AddressSource, LookupSource, UnfoldingFacts } from './unfolding-facts.ts';

/** Unfolds a step that paths come to, with all that it leads to. */
export class StepUnfolder {
  readonly #facts: UnfoldingFacts;
  readonly #unfolder: Unfolder;
  readonly #visits: VisitUnfolder;
  readonly #certain = new CertainServers();

  constructor(facts: UnfoldingFacts, unfolder: Unfolder) {
    this.#facts = facts;
    this.#unfolder = unfolder;
    this.#visits = new VisitUnfolder(facts, unfolder);
  }

  /** The step with every server and address that paths pick. */
  whole(current: StepInProgress): Step {
    const begun = this.#begin(current);
    const { step, reached } = begun;
    const servers: StepServer[] = [];
    const picks: Record<ServerState, string[]> = { up: [], down: [] };
    const sources = this.#facts.sourcesAt(current.chain);
    for (const source of sources) {
      const server = this.#server(current, source, begun);
      servers.push(server);
      for (const address of addressesOf(server)) picks[this.#stateOf(source)].push(address);
    }
    this.#unfolder.spend(servers.length);
    const { role } = current;
    if (this.#isInDoubt(current, [...picks.up, ...picks.down]))
      for (const [i, server] of servers.entries()) {
        const source = sources[i];
        if (source?.kind !== 'glue' || server.kind !== 'glue' || source.lookedUp === undefined) continue;
        const lookedUp = this.#server(current, source.lookedUp, begun);
        if (lookedUp.kind !== 'lookup') continue;
        servers[i] = { ...server, lookedUp };
        for (const address of addressesOf(lookedUp)) picks[this.#stateOf(source)].push(address);
      }
    if (role.kind === 'validating') {
      const { replies, ends, main } = this.#facts;
      const validation = main.recording.scope.dnssec?.validation;
      if (validation === undefined) throw new Error('nothing was asked for proof');
      const onward = this.#visits.onward.bind(this.#visits);
      const distinct = { up: new Set(picks.up), down: new Set(picks.down) };
      const validated = validatedStep(
        { ...current, role, delegation: step.delegation, picks: distinct },
        { validation, replies, ends, unfolder: this.#unfolder, onward },
      );
      return { ...step, servers, validated };
    }
    for (const state of STATES) this.#visits.visitAll(current, picks[state], state, reached[state]);
    const otherwise = this.#visits.otherwise(current);
    const minimised = this.#visits.minimised(current);
    return { ...step, servers, ...(otherwise && { otherwise }), ...(minimised && { minimised }) };
  }

  /** Whether it matters to products which addresses of the zone's servers they take, as exploring looked at it. */
  #isInDoubt({ chain, question, role }: StepInProgress, addresses: readonly string[]): boolean {
    const { replies, main, ownSets } = this.#facts;
    if ((role.kind !== 'minimised' && role.kind !== 'validating') || ownSets.has(chain)) return false;
    if (main.recording.scope.profiles === undefined) return false;
    const hosts = hostsElsewhere(chain.delegation, main.recording.scope.families);
    if (!hosts.some(({ name }) => replies.isLookedUp(name))) return false;
    const said = replies.recorded(chain.delegation.zone, wholeQuestion(question, role), addresses);
    const [first] = said;
    return first !== undefined && !said.every((one) => saysTheSame(first, one));
  }

  /**
   * The step of a lookup at which all usable replies come to the same, for the resolver view: a resolver comes to the
   * same then at whichever server it asks first, so one server that is usable for certain stands for all.
   */
  untilSure(current: StepInProgress, agreement: 'no-address' | 'alike'): Step {
    const begun = this.#begin(current);
    const { step, reached } = begun;
    const servers: StepServer[] = [];
    if (agreement === 'no-address') return { ...step, servers };
    for (const source of gluedFirst(this.#facts.sourcesAt(current.chain))) {
      const server = this.#server(current, source, begun);
      this.#unfolder.spend(1);
      const state = this.#stateOf(source);
      this.#visits.visitAll(current, addressesOf(server), state, reached[state]);
      if (this.#certain.has(server)) {
        const certain = { ...step, servers: [server] };
        this.#certain.note(certain, server);
        return certain;
      }
      servers.push(server);
    }
    return { ...step, servers };
  }

  #begin({ chain, question }: StepInProgress): BegunStep {
    const { main, ends } = this.#facts;
    // Chains keep the delegations as they were recorded, because own sets have glue from these.
    const delegation = main.world.delegation(chain.delegation);
    const reached = { up: new Map<string, Visit>(), down: new Map<string, Visit>() };
    const step = { question, delegation, visits: reached.up, ends: ends.at(delegation, question) };
    return { step, reached };
  }

  #stateOf({ name }: AddressSource): ServerState {
    return this.#facts.main.world.isDown(name) ? 'down' : 'up';
  }

  /** One name server, by where paths have its addresses from: svc-model(7), WALKING A STEP 2. */
  #server(current: StepInProgress, source: AddressSource, { step, reached }: BegunStep): StepServer {
    const { name } = source;
    const visits = reached[this.#stateOf(source)];
    const notLookedUp = (kind: 'no-glue' | 'loop') => {
      return { kind: 'not-looked-up', name, visits, end: step.ends.notLookedUp(name, kind) } as const;
    };
    if (source.kind === 'glue') return { kind: 'glue', name, visits, addresses: source.addresses };
    if (source.kind === 'none' || isSo(source.siblings, current)) return notLookedUp('no-glue');
    if (isSo(source.same, current)) return notLookedUp('loop');
    const lookups = this.#lookUp(current, source);
    const { selection } = this.#facts.main.world;
    return { kind: 'lookup', name, visits, lookups, selection, where: source.where };
  }

  #lookUp(current: StepInProgress, source: LookupSource): readonly Lookup[] {
    const { start, cut, questions, same, siblings, walked } = source;
    const { context, footprint } = current;
    const pending = same | siblings;
    const facts = (context.facts & ~this.#facts.bits.everyName) | pending | walked;
    const within = { depth: context.depth + 1, facts };
    footprint.cuts |= cut;
    const lookups: Lookup[] = [];
    for (const { family, question } of questions) {
      const first = { chain: start, question, role: COLD, context: within };
      const walk = this.#unfolder.walk(current, first, { levels: 1, decided: pending, walk: 'own' });
      if (walk.kind === 'step' && !areGathered(walk.step)) gatherAnswers(walk.step, this.#spendGathering);
      lookups.push({ family, walk });
    }
    return lookups;
  }

  readonly #spendGathering: Spending = (steps) => {
    this.#unfolder.spend(steps);
    return this.#unfolder.isTooMuch ? 'stop' : 'go-on';
  };
}

/** A step whose servers are not known yet, and what each address leads to, once that is known. */
interface BegunStep {
  readonly step: Omit<Step, 'servers'>;
  readonly reached: Readonly<Record<ServerState, Map<string, Visit>>>;
}

const COLD: StepRole = { kind: 'cold' };

function gluedFirst(sources: readonly AddressSource[]): readonly AddressSource[] {
  const glued = sources.filter(({ kind }) => kind === 'glue');
  return [...glued, ...sources.filter(({ kind }) => kind !== 'glue')];
}

/** Keeps what lookups give for certain in the resolver view, so that it is known for which servers that is enough. */
class CertainServers {
  readonly #given = new WeakMap<Step, readonly string[]>();

  /** Whether a server is usable for certain. All addresses that it can have were visited. */
  has(server: StepServer): boolean {
    return this.#usableAddress(server) !== undefined;
  }

  /** All usable replies at the step come to the same, and this server of it is usable for certain. */
  note(step: Step, server: StepServer): void {
    const address = this.#usableAddress(server);
    const visit = address === undefined ? undefined : visitAt(server, address);
    if (visit?.kind !== 'asked') return;
    const walk = walkAfter(visit);
    if (walk !== undefined) this.#given.set(step, this.#givenBy(walk));
    else if (visit.meaning.kind === 'answer') this.#given.set(step, addressesIn(visit.meaning.records));
  }

  #usableAddress(server: StepServer): string | undefined {
    return this.#sureAddresses(server).find((address) => {
      const visit = server.visits.get(address);
      return visit?.kind === 'asked' && isUsable(visit.meaning.kind);
    });
  }

  #sureAddresses(server: StepServer): readonly string[] {
    switch (server.kind) {
      case 'glue':
        return server.addresses;
      case 'not-looked-up':
        return [];
      case 'lookup': {
        const { ofAnswer, ofAll } = server.selection;
        // What is left of all that the lookups of a name give depends on each of them.
        if (ofAll !== undefined) return [];
        return server.lookups.flatMap(({ walk }) => ofAnswer(this.#givenBy(walk)));
      }
    }
  }

  #givenBy(walk: Walk): readonly string[] {
    return walk.kind === 'step' ? (this.#given.get(walk.step) ?? []) : [];
  }
}
