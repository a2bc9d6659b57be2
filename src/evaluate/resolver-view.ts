import type { Work } from '../base/work.ts';
import { ABSTRACT } from './behaviours.ts';
import { certainly, type Distribution } from './distribution.ts';
import type { Step, Walk } from './step.ts';
import { Arrivals } from './visit/arrivals.ts';
import { Fold, TIMELESS } from './visit/fold.ts';
import { visiting } from './visit/visiting.ts';

/** Where the abstract resolver ends at the steps of an unfolding: svc-model(7), RESOLVER VIEW. All lookups are its. */
export class ResolverView {
  readonly #arrivals = new Arrivals(ABSTRACT.ownSet);
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
