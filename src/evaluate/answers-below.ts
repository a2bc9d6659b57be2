import { addressesIn } from '../explore/addresses.ts';
import { USUAL_ADDRESSES } from '../explore/work.ts';
import { type Pausable, runThrough } from '../pausable.ts';
import type { Step, Visit } from './step.ts';
import { walkAfter } from './visit.ts';

/** What is said to so much work, in addresses; `stop`: what comes of it will not be looked at. */
export type Spending = (addresses: number) => 'pause' | 'go-on' | 'stop';

/** How many addresses it is as much work as to find one that is beyond the usual number. */
const ADDRESSES_PER_ODD_ONE = 512;

/** The distinct addresses in the answers that walks from a step can end in. */
export function answersBelow(step: Step): ReadonlySet<string> {
  return gathered.get(step) ?? runThrough(gatheringAnswers(step, () => 'go-on'));
}

/** Whether it takes no work any more to say which these are. */
export function areGathered(step: Step): boolean {
  return gathered.has(step);
}

/**
 * The same with pauses where `spend` says so. Thousands can be gathered, so nobody should ask for the sake of a step
 * of the main walk: paths pick only from what lookups come to.
 */
export function* gatheringAnswers(step: Step, spend: Spending): Pausable<ReadonlySet<string>> {
  const known = gathered.get(step);
  if (known !== undefined) return known;
  const union = new Union();
  for (const visit of step.visits.values()) {
    const walk = walkAfter(visit);
    const odd = union.odd;
    if (walk === undefined) union.add(givenBy(visit));
    else if (walk.kind === 'step') union.add(yield* gatheringAnswers(walk.step, spend));
    const told = union.odd === odd ? 'go-on' : spend((union.odd - odd) * ADDRESSES_PER_ODD_ONE);
    if (told === 'stop') return union.all;
    if (told === 'pause') yield;
  }
  const answers = union.all;
  gathered.set(step, answers);
  if (spend(answers.size) === 'pause') yield;
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
