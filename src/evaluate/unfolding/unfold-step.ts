import type { Pausable } from '../../base/pausable.ts';
import { addressesIn } from '../../explore/addresses.ts';
import type { Delegation } from '../../explore/delegation.ts';
import type { StepRole } from '../../explore/main-walks.ts';
import { isUsable } from '../../explore/meaning.ts';
import { addressesOf, areGathered, gatherAnswers, type Spending } from '../addresses-to-pick.ts';
import {
  type Lookup,
  type Step,
  type StepEnds,
  type StepServer,
  type ValidatedStep,
  type Visit,
  visitAt,
  type Walk,
  walkAfter,
} from '../step.ts';
import type { ServerState } from '../validating/address-outcomes.ts';
import { type Picks, validatedStep } from '../validating/validated-step.ts';
import { absorb } from './footprint.ts';
import { isKnown, isPending, type StepInProgress, type Unfolder } from './path-to-step.ts';
import { VisitUnfolder } from './unfold-visits.ts';
import type { AddressSource, LookupSource, UnfoldingFacts } from './unfolding-facts.ts';

/** Unfolds a step that paths come to, with all that it leads to. */
export class StepUnfolder {
  readonly #landscape: UnfoldingFacts;
  readonly #stepping: Unfolder;
  readonly #nameServers: NameServers;
  readonly #visiting: VisitUnfolder;
  readonly #sure = new CertainServers();

  constructor(landscape: UnfoldingFacts, stepping: Unfolder) {
    this.#landscape = landscape;
    this.#stepping = stepping;
    this.#nameServers = new NameServers(landscape, stepping);
    this.#visiting = new VisitUnfolder(landscape, stepping);
  }

  /** The step with every server and address that paths pick. */
  *whole(opening: StepInProgress): Pausable<Step> {
    const { chain, question } = opening;
    const { main, sources, ends } = this.#landscape;
    // Chains keep the delegations as they were recorded, because own sets have glue from these.
    const delegation = main.world.delegation(chain.delegation);
    const reached = { up: new Map<string, Visit>(), down: new Map<string, Visit>() };
    const ownEnds = ends.at(delegation, question);
    const servers: StepServer[] = [];
    const picks: Record<ServerState, string[]> = { up: [], down: [] };
    for (const source of sources.at(chain)) {
      const state = this.#stateOf(source);
      const begun = this.#nameServers.server(opening, source, { visits: reached[state], ends: ownEnds });
      const server = 'kind' in begun ? begun : yield* begun;
      servers.push(server);
      for (const address of addressesOf(server)) picks[state].push(address);
    }
    this.#stepping.spend(servers.length);
    const step = { question, delegation, servers, visits: reached.up, ends: ownEnds };
    if (opening.role.kind === 'validating') {
      const distinct = { up: new Set(picks.up), down: new Set(picks.down) };
      return { ...step, validated: yield* this.#validate(opening, delegation, distinct) };
    }
    for (const state of ['up', 'down'] as const) {
      yield* this.#visiting.visitAll(opening, picks[state], state, reached[state]);
    }
    const otherwise = yield* this.#visiting.otherwise(opening);
    return otherwise === undefined ? step : { ...step, otherwise };
  }

  /**
   * The step of a lookup at which all usable replies come to the same, for the resolver view: it does not matter then
   * which server a resolver comes to first, and one that is usable for certain stands for all.
   */
  *untilSure(opening: StepInProgress, agreement: 'no-address' | 'alike'): Pausable<Step> {
    const { chain, question } = opening;
    const { main, sources, ends } = this.#landscape;
    const delegation = main.world.delegation(chain.delegation);
    const reached = { up: new Map<string, Visit>(), down: new Map<string, Visit>() };
    const ownEnds = ends.at(delegation, question);
    const stepWith = (servers: readonly StepServer[]): Step => {
      return { question, delegation, servers, visits: reached.up, ends: ownEnds };
    };
    const servers: StepServer[] = [];
    if (agreement === 'no-address') return stepWith(servers);
    for (const source of gluedFirst(sources.at(chain))) {
      const state = this.#stateOf(source);
      const begun = this.#nameServers.server(opening, source, { visits: reached[state], ends: ownEnds });
      const server = 'kind' in begun ? begun : yield* begun;
      this.#stepping.spend(1);
      yield* this.#visiting.visitAll(opening, addressesOf(server), state, reached[state]);
      if (this.#sure.has(server)) {
        const step = stepWith([server]);
        this.#sure.note(step, server);
        return step;
      }
      servers.push(server);
    }
    return stepWith(servers);
  }

  #stateOf({ name }: AddressSource): ServerState {
    return this.#landscape.main.world.isDown(name) ? 'down' : 'up';
  }

  /** What replies come to for a resolver that demands proof. */
  *#validate(opening: StepInProgress, delegation: Delegation, picks: Picks): Pausable<ValidatedStep> {
    const { replies, ends, main } = this.#landscape;
    const { question, chain } = opening;
    const { zone } = chain.delegation;
    const validation = main.recording.scope.dnssec?.validation;
    if (validation === undefined) throw new Error('nothing was asked for proof');
    const readings = {
      up: replies.at({ zone, question, state: 'up' }, [...picks.up]),
      down: replies.at({ zone, question, state: 'down' }, [...picks.down]),
    };
    return yield* validatedStep(opening, delegation, {
      validation,
      picks,
      ends,
      asked: (address, besides, state) => replies.asked(address, besides, state),
      meant: (exchanged, state) => readings[state].meant(exchanged),
      onward: (proven, meaning, trust) => this.#visiting.onward(proven, meaning, trust),
      spend: (steps) => this.#stepping.spend(steps),
      isTooMuch: () => this.#stepping.isTooMuch,
    });
  }
}

function gluedFirst(sources: readonly AddressSource[]): readonly AddressSource[] {
  const glued = sources.filter(({ kind }) => kind === 'glue');
  return [...glued, ...sources.filter(({ kind }) => kind !== 'glue')];
}

/** A lookup is a walk of its own: what it asked says nothing about the names of the walk that needs it. */
const EVERY_NAME = -1n;

const COLD: StepRole = { kind: 'cold' };

/** What the servers of a step have in common. */
interface ServerPlace {
  /** What each of their addresses leads to, once that is known. */
  readonly visits: ReadonlyMap<string, Visit>;
  readonly ends: StepEnds;
}

/** Says where paths that come to a step have the addresses of its name servers from: svc-model(7), WALKING A STEP 2. */
class NameServers {
  readonly #landscape: UnfoldingFacts;
  readonly #stepping: Unfolder;

  constructor(landscape: UnfoldingFacts, stepping: Unfolder) {
    this.#landscape = landscape;
    this.#stepping = stepping;
  }

  /** One name server: at once, unless its addresses have to be looked up. */
  server(
    opening: StepInProgress,
    source: AddressSource,
    where: ServerPlace,
  ): StepServer | Pausable<StepServer> {
    const { name } = source;
    const { visits, ends } = where;
    if (source.kind === 'glue') return { kind: 'glue', name, visits, addresses: source.addresses };
    if (source.kind === 'none' || isPending(source.siblings, opening))
      return { kind: 'not-looked-up', name, visits, end: ends.notLookedUp(name, 'no-glue') };
    if (isPending(source.same, opening))
      return { kind: 'not-looked-up', name, visits, end: ends.notLookedUp(name, 'loop') };
    return this.#lookedUp(opening, source, visits);
  }

  *#lookedUp(
    { context, footprint }: StepInProgress,
    { name, start, cut, questions, same, siblings, walked, where }: LookupSource,
    visits: ServerPlace['visits'],
  ): Pausable<StepServer> {
    const pending = same | siblings;
    const within = { depth: context.depth + 1, pending: context.pending | pending, walked };
    footprint.cuts |= cut;
    const lookups: Lookup[] = [];
    for (const { family, question } of questions) {
      const begun = this.#stepping.step({ chain: start, question, role: COLD, context: within });
      const { walk, footprint: below } = isKnown(begun) ? begun : yield* begun;
      absorb(footprint, below, { levels: 1, pending, walked: EVERY_NAME });
      if (walk.kind === 'step' && !areGathered(walk.step)) gatherAnswers(walk.step, this.#gathered);
      lookups.push({ family, walk });
    }
    const { selection } = this.#landscape.main.world;
    return { kind: 'lookup', name, visits, lookups, selection, where };
  }

  readonly #gathered: Spending = (steps) => {
    this.#stepping.spend(steps);
    return this.#stepping.isTooMuch ? 'stop' : 'go-on';
  };
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
