/* The zones that a resolver comes to. */

import { familyOf } from '../../dns/address.ts';
import type { Question } from '../../dns/message.ts';
import { isAtOrBelow, type Name } from '../../dns/name.ts';
import { serversKey } from '../../explore/delegation.ts';
import { isUsable } from '../../explore/meaning.ts';
import type { Behaviour } from '../../explore/profiles/profile.ts';
import { addressesOf } from '../addresses-to-pick.ts';
import { type Step, type StepServer, stateOf, type Visit, type Walk, walkAfter } from '../step.ts';
import { Alike } from './alike.ts';
import type { ZoneProof } from './proof.ts';

/** A zone as a resolver comes to it. */
export interface Arrival {
  /** Its first question there. */
  readonly step: Step;
  /** What is proven there; undefined: nothing is validated. */
  readonly proof: ZoneProof | undefined;
  /** Where a resolver goes on to which no server is of use: at the delegation in place of the zone's own set. */
  readonly instead: Arrival | undefined;
  /** Where it asks after its first question here, at the servers of the delegation; undefined: it stays here. */
  readonly later: Arrival | undefined;
  /** Whether the addresses that came with the referral are used, or were in vain, so that only those looked up are left. */
  readonly glue: 'used' | 'in-vain';
  /** How many questions were put to these servers before, if an alias leads back to them or to a zone that shares them. */
  readonly begun: number;
  /** The addresses that have replied before, here or at another zone; equal ones are one object. */
  readonly heard: Heard;
}

export type Heard = readonly string[];

/** What a resolver remembers that comes to a zone. */
type Remembered = Partial<Pick<Arrival, 'instead' | 'later' | 'glue' | 'begun' | 'heard'>>;

/** What of a behaviour decides where walks arrive. */
type Uses = Pick<Behaviour, 'ownSet' | 'glue' | 'picks' | 'families'>;

/** The questions that a resolver may put to the servers of a zone, one after another: the minimised ones, the whole name last. */
export type Stages = readonly Step[];

/** The stages from a step on, and how far it is to the whole name. */
export function stagesFrom(step: Step): Stages {
  const stages = [step];
  for (let at = step.minimised?.nextLabel; at?.kind === 'step'; at = at.step.minimised?.nextLabel)
    stages.push(at.step);
  return stages;
}

/** The arrivals of one fold: equal ones are the same object. */
export class Arrivals {
  readonly #known = new Alike<Step | ZoneProof | Arrival | Heard | string | number | undefined, Arrival>();
  readonly #uses: Uses;
  readonly #shared: ReadonlySet<string>;
  readonly #sets = new Alike<string, Heard>();

  /** `shared`: the addresses that several zones of the walk have. */
  constructor(uses: Uses, shared: ReadonlySet<string> = new Set()) {
    this.#uses = uses;
    this.#shared = shared;
  }

  at(
    step: Step,
    proof?: ZoneProof,
    { instead, later, glue = 'used', begun = 0, heard = NOBODY }: Remembered = {},
  ): Arrival {
    const arrival = { step, proof, instead, later, glue, begun, heard };
    return this.#known.of([step, proof, instead, later, glue, begun, heard], () => arrival);
  }

  /** A server as a resolver has it that arrives there. */
  known({ glue, step, later }: Arrival, server: StepServer): StepServer {
    if (later !== undefined && isMet(server.name, later.step)) {
      // Before its address is known, those at hand are asked.
      const isAnyAtHand = step.servers.some(({ name }) => hasGlue(name, later.step));
      return isAnyAtHand ? { ...server, kind: 'glue', addresses: [] } : server;
    }
    if (server.kind !== 'glue' || server.lookedUp === undefined) return server;
    return glue === 'in-vain' || this.#uses.glue.taken === 'in-domain' ? server.lookedUp : server;
  }

  /** Where a resolver goes on at the same servers to which the addresses that it had were of no use. */
  afterErrors({ step, proof, instead, glue, begun, heard }: Arrival): Arrival | undefined {
    if (glue === 'in-vain' || this.#uses.glue.afterErrors === 'not-looked-up') return undefined;
    const isAnyLookedUp = step.servers.some((one) => one.kind === 'glue' && one.lookedUp !== undefined);
    return isAnyLookedUp ? this.at(step, proof, { instead, glue: 'in-vain', begun, heard }) : undefined;
  }

  /** Where a walk leads from an arrival after the reply of an address under the name of a server that is up, or down. */
  after(
    { step, proof, later, glue, begun, heard }: Arrival,
    first: Step,
    {
      address,
      state,
      heard: now,
      stage,
    }: {
      readonly address: string;
      readonly state: 'up' | 'down';
      /** Those that have replied at this step. */
      readonly heard: Heard;
      /** The number of the question, from 0 on. */
      readonly stage: number;
    },
  ): Arrival {
    const to =
      step.delegation === first.delegation ? unasked(first, stagesFrom(step).slice(0, stage)) : first;
    const delegated = step.delegation === to.delegation ? later && stepAfter(later.step, to) : undefined;
    if (delegated !== undefined) return this.at(delegated, later?.proof, { begun: MOST_BEGUN });
    const proven = proof?.after(state, address, to);
    const all = this.#heard(address, now, step);
    const isBack = step.delegation === to.delegation || this.#shared.has(address);
    const { by, lookedUpJoin } = this.#uses.picks;
    const joins = by === 'address' && lookedUpJoin !== 'once-asked';
    const before = isBack ? begun + stage : begun;
    const turns = joins && (isBack || begun > 0) ? Math.min(MOST_BEGUN, before + 1) : 0;
    if (this.staysAt(step, to)) return this.at(to, proven, { glue, begun: turns, heard: all });
    return this.at(to, proven, { begun: turns, heard: this.#mayBeMet(address) ? all : heard });
  }

  /** What is remembered of who has replied: of many servers only the last one, or all. */
  #heard(address: string, now: Heard, { visits }: Step): Heard {
    const isKept = visits.size <= MOST_HEARD || now.length === visits.size;
    return this.#set(isKept ? [...now, address] : [address]);
  }

  #set(addresses: readonly string[]): Heard {
    const sorted = [...new Set(addresses)].sort();
    return this.#sets.of(sorted, () => sorted);
  }

  /** All that may have replied at a step, of which this address is the last. */
  #heardSets(address: string, { visits }: Step): readonly Heard[] {
    const others = [...visits.keys()].filter((one) => one !== address);
    if (visits.size > MOST_HEARD) return [[address], [...visits.keys()]];
    return others.reduce<readonly Heard[]>(
      (sets, one) => sets.flatMap((set) => [set, [...set, one]]),
      [[address]],
    );
  }

  /** Whether it matters later that an address has replied, at another zone that has it, too. */
  #mayBeMet(address: string): boolean {
    return this.#uses.picks.again === 'unheard-first' && this.#shared.has(address);
  }

  /** Whether a resolver that goes on there by an alias is at the same servers, and remembers whom it has heard. */
  staysAt(step: Step, to: Step): boolean {
    return this.#uses.picks.again === 'unheard-first' && step.delegation === to.delegation;
  }

  /** The arrival at the servers of the delegation, from an apex question. */
  delegated({ step, proof }: Arrival): Arrival | undefined {
    const { otherwise } = step;
    return otherwise?.kind === 'step' ? this.at(otherwise.step, proof?.beside(otherwise.step)) : undefined;
  }

  /** The arrival at the servers of an own set, from an apex question. From those of the delegation there is no way back to them. */
  own(apex: Arrival, to: Step): Arrival {
    const { whenFailing, asked } = this.#uses.ownSet;
    const delegated = isElsewhere(to, apex.step) ? this.delegated(apex) : undefined;
    const areMet = asked === 'first-question' && to.servers.some(({ name }) => isMet(name, apex.step));
    const instead = whenFailing === 'delegation' ? delegated : undefined;
    return this.at(to, apex.proof?.beside(to), { instead, later: areMet ? delegated : undefined });
  }

  /**
   * Where a question after the first one is asked, by its number, if not all go to the servers of an own set: one of the arrivals,
   * each as likely as the other.
   */
  later({ step, proof, later }: Arrival, stage: number): readonly Arrival[] {
    if (later === undefined) return [];
    const whole = later.step.minimised?.wholeName;
    const there = [...stagesFrom(later.step), ...(whole?.kind === 'step' ? [whole.step] : [])];
    const isAsked = ({ visits }: Step) => [...visits.values()].some(({ kind }) => kind === 'asked');
    // What nobody asks there is not asked by who comes there from elsewhere.
    const [next] = stagesFrom(step)
      .slice(stage)
      .flatMap(({ question }) =>
        there.filter((one) => isAsked(one) && isSameQuestion(one.question, question)),
      );
    if (next !== undefined) return this.#behind(later, next, stage);
    return stagesFrom(step)
      .slice(stage, stage + 1)
      .map((to) => this.at(to, proof));
  }

  /**
   * The servers of a delegation after so many questions to the own set that one of them taught, one at hand if there is one, and
   * of whose addresses another one has told.
   */
  #behind({ proof }: Arrival, step: Step, asked: number): readonly Arrival[] {
    const begun = this.#uses.picks.by === 'address' ? Math.min(MOST_BEGUN, asked + 1) : 0;
    const known = step.servers.map((server) => this.known(this.at(step), server));
    const atHand = known.filter(({ kind }) => kind === 'glue');
    const taught = this.#ofUse(step, atHand.length > 0 ? atHand : known);
    const told = this.#ofUse(step, known);
    const pairs = taught.flatMap((one) => {
      const others = told.filter((other) => other !== one);
      return others.length === 0 || told.length > MOST_HEARD ? [[one]] : others.map((other) => [one, other]);
    });
    return (pairs.length > 0 ? pairs : [[]]).map((heard) =>
      this.at(step, proof, { begun, heard: this.#set(heard) }),
    );
  }

  /** The addresses of some servers that give a reply of use, of IPv6 alone where these go first. */
  #ofUse(step: Step, servers: readonly StepServer[]): readonly string[] {
    const stages = stagesFrom(step);
    const all = [...new Set(servers.flatMap(addressesOf))].filter((address) =>
      stages.some(({ visits }) => {
        const visit = visits.get(address);
        return visit?.kind === 'asked' && isUsable(visit.meaning.kind);
      }),
    );
    const sixes = all.filter((address) => familyOf(address) === 6);
    return this.#uses.families.kind === 'ipv6-first' && sixes.length > 0 ? sixes : all;
  }

  /** Everything that a walk may come to from its start, each arrival after all that it may lead to. */
  below(start: Arrival): readonly Arrival[] {
    const finished = new Set<Arrival>();
    const met = new Set([start]);
    const open = [{ arrival: start, ahead: [...this.#onward(start)] }];
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const next = last.ahead.pop();
      if (next === undefined) {
        finished.add(last.arrival);
        open.pop();
      } else if (!met.has(next)) {
        met.add(next);
        open.push({ arrival: next, ahead: [...this.#onward(next)] });
      }
    }
    return [...finished];
  }

  #onward(arrival: Arrival): ReadonlySet<Arrival> {
    const { step, instead, later } = arrival;
    const proofs = arrival.proof?.each ?? [undefined];
    const again = proofs.flatMap((proof) => this.afterErrors({ ...arrival, proof }) ?? []);
    const onward = new Set<Arrival>([...(instead === undefined ? [] : [instead]), ...again]);
    if (step.otherwise !== undefined) {
      const delegated = this.delegated(arrival);
      if (delegated !== undefined) onward.add(delegated);
      for (const visit of visitsAt(step)) {
        const own = ownSetOf(visit);
        if (own?.kind === 'step') onward.add(this.own(arrival, own.step));
      }
      return onward;
    }
    if (later !== undefined)
      for (const stage of stagesFrom(step).keys()) {
        for (const next of stage === 0 ? [] : this.later(arrival, stage)) onward.add(next);
      }
    for (const walk of step.validated?.walks ?? []) if (walk.kind === 'step') onward.add(this.at(walk.step));
    for (const [number, stage] of stagesFrom(step).entries())
      for (const [visits, state] of reached(stage))
        for (const [address, visit] of visits) {
          const walk = walkAfter(visit);
          if (walk?.kind !== 'step') continue;
          for (const proof of proofs) {
            const isRemembered = this.staysAt(step, walk.step) || this.#mayBeMet(address);
            for (const heard of isRemembered ? this.#heardSets(address, step) : [NOBODY])
              onward.add(
                this.after({ ...arrival, proof }, walk.step, { address, state, heard, stage: number }),
              );
          }
        }
    return onward;
  }
}

const NOBODY: Heard = [];

/** Of more servers of a zone it is not remembered which of them have replied. */
const MOST_HEARD = 4;

/** More questions make no difference. */
const MOST_BEGUN = 5;

/** The first step from this one on whose question was not asked before: the replies to minimised names are remembered. */
function unasked(first: Step, before: Stages): Step {
  const isNew = ({ question }: Step) => !before.some((one) => isSameQuestion(one.question, question));
  return stagesFrom(first).find(isNew) ?? first;
}

/** Whether a resolver that looks up the address of a server of the own set meets the delegation on the way. */
function isMet(name: Name, delegated: Step): boolean {
  return isAtOrBelow(name, delegated.delegation.zone) && !hasGlue(name, delegated);
}

/** Whether the delegation has addresses of that server. */
function hasGlue(server: Name, { delegation }: Step): boolean {
  return delegation.nameservers.some(({ name, glue }) => name === server && glue.length > 0);
}

/** The step at which a walk asks that question at the servers of a delegation, after an alias that these have, too. */
export function stepAfter(delegated: Step, { question }: Step): Step | undefined {
  const onward = stagesFrom(delegated).flatMap((stage) => [...stage.visits.values()].map(walkAfter));
  for (const walk of onward)
    if (
      walk?.kind === 'step' &&
      walk.step.delegation === delegated.delegation &&
      isSameQuestion(walk.step.question, question)
    )
      return walk.step;
  return undefined;
}

function isSameQuestion(one: Question, other: Question): boolean {
  return one.name === other.name && one.type === other.type;
}

/** The walk to the servers of an own set that a reply to an apex question gave. */
export function ownSetOf(visit: Visit): Walk | undefined {
  return visit.kind === 'asked' && visit.onward.kind === 'own-set' ? visit.onward.walk : undefined;
}

/** Whether an own set has other servers than the delegation whose servers gave it, or other addresses. */
export function isElsewhere(own: Step, apex: Step): boolean {
  return serversKey(own.delegation) !== serversKey(apex.delegation);
}

function visitsAt(step: Step): readonly Visit[] {
  return [...reached(step).keys()].flatMap((visits) => [...visits.values()]);
}

function reached(step: Step): ReadonlyMap<Step['visits'], 'up' | 'down'> {
  return new Map([
    ...step.servers.map((server) => [server.visits, stateOf(step, server)] as const),
    [step.visits, 'up'],
  ]);
}
