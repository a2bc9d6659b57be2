import type { Work } from '../base/work.ts';
import type { Name } from '../dns/name.ts';
import type { Behaviour } from '../explore/profiles/profile.ts';
import { ABSTRACT } from './behaviours.ts';
import { certainly, type Distribution } from './distribution.ts';
import type { Step, Walk } from './step.ts';
import { mainSteps } from './step-order.ts';
import { type Arrival, Arrivals } from './visit/arrivals.ts';
import type { DrawTools } from './visit/draw.ts';
import { Fold, type Moments, TIMELESS } from './visit/fold.ts';
import type { ZoneProof } from './visit/proof.ts';
import { visiting } from './visit/visiting.ts';

/** Where the abstract resolver ends at the steps of an unfolding: svc-model(7), RESOLVER VIEW. All lookups are its. */
export class ResolverView {
  readonly #arrivals = new Arrivals(ABSTRACT);
  readonly #fold: Fold<Parameters<typeof TIMELESS.at>[0]>;

  /** Once folding took more work than there may be, every distribution is void. */
  constructor(work: Work) {
    const tools = {
      behaviour: ABSTRACT,
      arrivals: this.#arrivals,
      lookups: (walk: Walk) => this.distribution(walk),
      work,
    } as const;
    this.#fold = new Fold(TIMELESS, visiting(tools), work);
  }

  /** Where a resolver's walks end, and with what probability. */
  readonly distribution = (walk: Walk): Distribution =>
    walk.kind === 'cut' ? certainly(walk.end) : this.#fold.at(this.#arrivals.at(walk.step));

  /** Folds a step, after all that it leads to. */
  fold(step: Step): void {
    this.#fold.fold(this.#arrivals.at(step));
  }
}

/** The addresses that name servers of several zones on a walk have. */
function sharedAddresses(start: Walk): ReadonlySet<string> {
  const zones = new Map<string, Name>();
  const shared = new Set<string>();
  for (const { delegation, visits } of mainSteps(start))
    for (const address of visits.keys()) {
      const zone = zones.get(address);
      if (zone !== undefined && zone !== delegation.zone) shared.add(address);
      zones.set(address, delegation.zone);
    }
  return shared;
}

/** The zones that a resolver with some behaviour can come to on a main walk, whose lookups are those of `ResolverView`. */
export class ResolverWalk {
  /** Each after all that it may lead to. */
  readonly arrivals: readonly Arrival[];
  readonly #start: Walk;
  readonly #first: Arrival | undefined;
  readonly #tools: Parameters<typeof visiting>[0];

  /** `proof`: where the walk begins on which replies are proven; absent: nothing is validated. */
  constructor(behaviour: Behaviour, start: Walk, tools: DrawTools, proof?: ZoneProof) {
    const arrivals = new Arrivals(behaviour, sharedAddresses(start));
    this.#start = start;
    this.#tools = { ...tools, behaviour, arrivals };
    this.#first = start.kind === 'cut' ? undefined : arrivals.at(start.step, proof);
    this.arrivals = this.#first === undefined ? [] : arrivals.below(this.#first);
  }

  /** Where the resolver ends; undefined where that is more work than there may be. */
  folded<E>(moments: Moments<E>): FoldedWalk<E> | undefined {
    const { work } = this.#tools;
    const fold = new Fold<E>(moments, visiting(this.#tools), work);
    for (const arrival of this.arrivals) fold.fold(arrival);
    if (work.exceeded) return undefined;
    const met = () => {
      const met = new Set<Arrival>(this.#first === undefined ? [] : [this.#first]);
      // Iterating over a set also visits what is added on the way.
      for (const arrival of met) for (const next of fold.onward(arrival)) met.add(next);
      return met;
    };
    return { distribution: fold.from(this.#start, this.#first), met };
  }
}

/** Where a resolver ends, and the arrivals that it comes to in some order of servers. */
interface FoldedWalk<E> {
  readonly distribution: Distribution<E>;
  readonly met: () => ReadonlySet<Arrival>;
}
