import { workOf } from '../../base/work.ts';
import { Collector, certainly, type Distribution } from '../distribution.ts';
import { digitsOf } from '../fraction.ts';
import type { Step, Walk } from '../step.ts';
import { workOfFold } from '../views/branches.ts';
import { type TimedEnd, TimedEnds } from './timed-ends.ts';
import type { VisitTools } from './zone-servers.ts';
import { visitZone } from './zone-visit.ts';

/**
 * Where users of a product end, and when: svc-model(7), PROFILES. It picks, believes, retries and gives up as its profile
 * says. Once folding took more work than there may be, every distribution is void.
 */
export class ProfileView {
  readonly #tools: VisitTools;
  readonly #ends = new TimedEnds();
  readonly #distributions = new Map<Step, Distribution<TimedEnd>>();

  constructor(tools: VisitTools) {
    this.#tools = tools;
  }

  distribution(walk: Walk): Distribution<TimedEnd> {
    if (walk.kind === 'cut') return certainly(this.#ends.at(walk.end, 0));
    const distribution = this.#distributions.get(walk.step);
    if (distribution === undefined) throw new Error('a step was not folded before those that lead to it');
    return distribution;
  }

  /** Folds a step of the main walk with which a resolver comes to a zone, after all that it leads to. */
  fold(step: Step): void {
    const { work } = this.#tools;
    if (work.exceeded) return;
    const departures = visitZone(step, this.#tools);
    if (work.exceeded) return;
    const collector = new Collector<TimedEnd>();
    for (const { to, after } of departures) {
      const reached = this.distribution(to);
      const digits = digitsOf(reached.whole);
      // Each moment of the departure makes each end a later one.
      const later = after.size * reached.portions.size;
      if (work.spend(workOf('momentDigit', later * digits)) === 'exceeded') return;
      for (const [spent, weight] of after) collector.addAll(this.#ends.later(reached, spent), weight);
    }
    const { distribution } = collector;
    this.#distributions.set(step, distribution);
    work.spend(workOfFold({ distribution, ends: collector.count, picks: step.servers.length }));
  }
}
