/* The zones that a resolver comes to. */

import { serversKey } from '../../explore/delegation.ts';
import type { Behaviour } from '../../explore/profiles/profile.ts';
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
  /** Whether the addresses that came with the referral are used, or were in vain, so that only those looked up are left. */
  readonly glue: 'used' | 'in-vain';
  /** How many questions were put to these servers before, if an alias leads back to them or to a zone that shares them. */
  readonly begun: number;
  /** The addresses that have replied before, here or at another zone; equal ones are one object. */
  readonly heard: Heard;
}

export type Heard = readonly string[];

/** What a resolver remembers that comes to a zone. */
type Remembered = Partial<Pick<Arrival, 'instead' | 'glue' | 'begun' | 'heard'>>;

/** What of a behaviour decides where walks arrive. */
type Uses = Pick<Behaviour, 'ownSet' | 'glue' | 'picks'>;

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
    { instead, glue = 'used', begun = 0, heard = NOBODY }: Remembered = {},
  ): Arrival {
    const arrival = { step, proof, instead, glue, begun, heard };
    return this.#known.of([step, proof, instead, glue, begun, heard], () => arrival);
  }

  /** A server as a resolver has it that arrives there. */
  known({ glue }: Arrival, server: StepServer): StepServer {
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
    { step, proof, glue, begun, heard }: Arrival,
    to: Step,
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
    const sorted = [...new Set(isKept ? [...now, address] : [address])].sort();
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
    const goesBack = this.#uses.ownSet.whenFailing === 'delegation' && isElsewhere(to, apex.step);
    const instead = goesBack ? this.delegated(apex) : undefined;
    return this.at(to, apex.proof?.beside(to), instead && { instead });
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
    const { step, instead } = arrival;
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
