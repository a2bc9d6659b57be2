import type { Delegation } from '../../explore/delegation.ts';
import type { Pausable } from '../../pausable.ts';
import { addressesOf } from '../addresses-at.ts';
import type { JudgedStep, Step, StepServer, Visit } from '../step.ts';
import type { ServerState } from '../validating/judged-opening.ts';
import { judgedStep, type Picks } from '../validating/judged-step.ts';
import type { AddressSource } from './address-sources.ts';
import type { Landscape } from './landscape.ts';
import { NameServers } from './name-servers.ts';
import type { Opening } from './opening.ts';
import type { Stepping } from './stepping.ts';
import { SureServers } from './sure-servers.ts';
import { Visiting } from './visiting.ts';

/** Unfolds a step that paths come to, with all that it leads to. */
export class OpeningSteps {
  readonly #landscape: Landscape;
  readonly #stepping: Stepping;
  readonly #nameServers: NameServers;
  readonly #visiting: Visiting;
  readonly #sure = new SureServers();

  constructor(landscape: Landscape, stepping: Stepping) {
    this.#landscape = landscape;
    this.#stepping = stepping;
    this.#nameServers = new NameServers(landscape, stepping);
    this.#visiting = new Visiting(landscape, stepping);
  }

  /** The step with every server and address that paths pick. */
  *whole(opening: Opening): Pausable<Step> {
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
  *untilSure(opening: Opening, agreement: 'no-address' | 'alike'): Pausable<Step> {
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
  *#validate(opening: Opening, delegation: Delegation, picks: Picks): Pausable<JudgedStep> {
    const { replies, ends, main } = this.#landscape;
    const { question, chain } = opening;
    const { zone } = chain.delegation;
    const validation = main.recording.scope.dnssec?.validation;
    if (validation === undefined) throw new Error('nothing was asked for proof');
    const readings = {
      up: replies.at({ zone, question, state: 'up' }, [...picks.up]),
      down: replies.at({ zone, question, state: 'down' }, [...picks.down]),
    };
    return yield* judgedStep(opening, delegation, {
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
