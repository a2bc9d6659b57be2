/* Finds the addresses of a name server that a path may pick, and those that lookups can give. */

import { USUAL_ADDRESSES, workOf } from '../base/work.ts';
import { addressesIn } from '../explore/addresses.ts';
import { type Step, type StepServer, type Visit, walkAfter } from './step.ts';

/** The addresses of a name server that a path may pick. One can be listed twice. */
export function addressesOf(server: StepServer): readonly string[] {
  switch (server.kind) {
    case 'glue':
      return server.addresses;
    case 'lookup':
      return server.lookups.flatMap(({ walk }) =>
        walk.kind === 'step' ? server.selection.ofAnswer([...answersBelow(walk.step)]) : [],
      );
    case 'not-looked-up':
      return [];
  }
}

/** What is said to so much work, in steps; `stop`: what comes of it will not be looked at. */
export type Spending = (steps: number) => 'go-on' | 'stop';

/** The distinct addresses in the answers that walks from a step can end in. */
export function answersBelow(step: Step): ReadonlySet<string> {
  return gatherAnswers(step, () => 'go-on');
}

/** Whether it takes no work any more to say which these are. */
export function areGathered(step: Step): boolean {
  return gathered.has(step);
}

/**
 * The same, unless that is too much work. Thousands can be gathered, so nobody should ask for the sake of a step
 * of the main walk: paths pick only from what lookups come to.
 */
export function gatherAnswers(step: Step, spend: Spending): ReadonlySet<string> {
  const known = gathered.get(step);
  if (known !== undefined) return known;
  const union = new Union();
  for (const visit of step.visits.values()) {
    const walk = walkAfter(visit);
    const odd = union.odd;
    if (walk === undefined) union.add(givenBy(visit));
    else if (walk.kind === 'step') union.add(gatherAnswers(walk.step, spend));
    if (union.odd > odd && spend(workOf('oddGivenAddress', union.odd - odd)) === 'stop') return union.all;
  }
  const answers = union.all;
  gathered.set(step, answers);
  spend(workOf('givenAddress', answers.size));
  return answers;
}

/** Lookups share steps. */
const gathered = new WeakMap<Step, ReadonlySet<string>>();

/** Addresses in the order in which they are met. Along a chain of aliases, all steps have the same ones. */
class Union {
  /** The first set, as long as nothing else was added. */
  #only: ReadonlySet<string> | undefined;
  #all: Set<string> | undefined;

  get all(): ReadonlySet<string> {
    return this.#all ?? this.#only ?? NO_ADDRESSES;
  }

  /** How many of those that were put together here are more than there usually are. */
  get odd(): number {
    return Math.max(0, (this.#all?.size ?? 0) - USUAL_ADDRESSES);
  }

  add(part: ReadonlySet<string> | readonly string[]): void {
    if (part === this.#only) return;
    if (this.#all === undefined && this.#only === undefined && part instanceof Set) {
      this.#only = part;
      return;
    }
    this.#all ??= new Set(this.#only);
    for (const address of part) this.#all.add(address);
  }
}

const NO_ADDRESSES: ReadonlySet<string> = new Set();

function givenBy(visit: Visit): readonly string[] {
  if (visit.kind !== 'asked' || visit.meaning.kind !== 'answer') return [];
  return addressesIn(visit.meaning.records);
}
