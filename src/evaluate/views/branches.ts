import { getOrMake } from '../../base/memo.ts';
import { workOf } from '../../base/work.ts';
import { Collector, type Distribution } from '../distribution.ts';
import type { End } from '../end.ts';
import { digitsOf, type Fraction, sum } from '../fraction.ts';
import { type Step, type StepServer, visitAt, type Walk, walkAfter } from '../step.ts';

/** The ways that paths leave one step by: to ends, or along walks, each followed once for all of them. */
export class Branches {
  readonly #step: Step;
  readonly #ends = new Collector();
  readonly #walks = new Map<Walk, Fraction[]>();

  constructor(step: Step) {
    this.#step = step;
  }

  /** Adds paths that end here. */
  end(end: End, weight: Fraction): void {
    this.#ends.add(end, weight);
  }

  /** Adds paths that end here, in some of these ways. */
  endIn(ends: Distribution, weight: Fraction): void {
    this.#ends.addAll(ends, weight);
  }

  /** Adds paths that picked this server and address. */
  pick(server: StepServer, address: string, weight: Fraction): void {
    const visit = visitAt(server, address);
    const walk = walkAfter(visit);
    if (walk === undefined) this.end(this.#step.ends.afterVisit(visit, server.name, address), weight);
    else this.goOn(walk, weight);
  }

  /** Adds paths that go on along a walk. */
  goOn(walk: Walk, weight: Fraction): void {
    getOrMake(this.#walks, walk, (): Fraction[] => []).push(weight);
  }

  /** Puts all branches together; `distributionOf` tells where a walk ends. */
  merge(distributionOf: (walk: Walk) => Distribution): Merged {
    const onward = new Map([...this.#walks].map(([walk, weights]) => [walk, sum(weights)]));
    for (const [walk, weight] of onward) this.#ends.addAll(distributionOf(walk), weight);
    return { distribution: this.#ends.distribution, onward, ends: this.#ends.count };
  }
}

/** What the branches of one step come to. */
export interface Merged {
  readonly distribution: Distribution;
  /** The walks that go on from the step, each with the weight of all branches to it. */
  readonly onward: ReadonlyMap<Walk, Fraction>;
  /** How many ends were put together, equal ones counted each time. */
  readonly ends: number;
}

/** How much work, in steps, it was to fold a step that has so many picks. */
export function workOfFold({ distribution, ends, picks }: FoldedStep): number {
  const digits = digitsOf(distribution.whole);
  return 1 + workOf('end', picks + ends) + workOf('endDigit', ends * digits);
}

/** What was put together to fold a step. */
interface FoldedStep {
  readonly distribution: Distribution<unknown>;
  /** How many ends, equal ones counted each time. */
  readonly ends: number;
  readonly picks: number;
}
