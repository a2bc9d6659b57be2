/* The zones that a resolver comes to. */

import { serversKey } from '../../explore/delegation.ts';
import type { OwnSetUse } from '../../explore/profiles/profile.ts';
import { type Step, stateOf, type Visit, type Walk, walkAfter } from '../step.ts';
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
}

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
  readonly #known = new Alike<Step | ZoneProof | Arrival | undefined, Arrival>();
  readonly #ownSet: OwnSetUse;

  constructor(ownSet: OwnSetUse) {
    this.#ownSet = ownSet;
  }

  at(step: Step, proof?: ZoneProof, instead?: Arrival): Arrival {
    return this.#known.of([step, proof, instead], () => ({ step, proof, instead }));
  }

  /** Where a walk leads from an arrival after the reply of an address under the name of a server that is up, or down. */
  after(
    { proof }: Arrival,
    to: Step,
    heard: { readonly address: string; readonly state: 'up' | 'down' },
  ): Arrival {
    return this.at(to, proof?.after(heard.state, heard.address, to));
  }

  /** The arrival at the servers of the delegation, from an apex question. */
  delegated({ step, proof }: Arrival): Arrival | undefined {
    const { otherwise } = step;
    return otherwise?.kind === 'step' ? this.at(otherwise.step, proof?.beside(otherwise.step)) : undefined;
  }

  /** The arrival at the servers of an own set, from an apex question. From those of the delegation there is no way back to them. */
  own(apex: Arrival, to: Step): Arrival {
    const goesBack = this.#ownSet.whenFailing === 'delegation' && isElsewhere(to, apex.step);
    const instead = goesBack ? this.delegated(apex) : undefined;
    return this.at(to, apex.proof?.beside(to), instead);
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
    const onward = new Set<Arrival>(instead === undefined ? [] : [instead]);
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
    for (const stage of stagesFrom(step))
      for (const [visits, state] of reached(stage))
        for (const [address, visit] of visits) {
          const walk = walkAfter(visit);
          if (walk?.kind !== 'step') continue;
          for (const proof of arrival.proof?.each ?? [undefined])
            onward.add(this.after({ ...arrival, proof }, walk.step, { address, state }));
        }
    return onward;
  }
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
