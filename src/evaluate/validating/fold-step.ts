import { getOrMake } from '../../base/memo.ts';
import type { Work } from '../../base/work.ts';
import { certainly, type Distribution } from '../distribution.ts';
import { multiply } from '../fraction.ts';
import type { ResolverView } from '../resolver-view.ts';
import {
  type AddressOutcomes,
  type LearningStage,
  type LessonStage,
  type Step,
  type UsedReply,
  type ValidatedStep,
  type Walk,
  walkAfter,
} from '../step.ts';
import { Branches, workOfFold } from '../views/branches.ts';
import { commonCause } from './common-cause.ts';
import { type BogusPolicy, type DrawnServers, drawServers } from './draw-servers.ts';
import {
  BEGINNING,
  type FailedWait,
  type PathsAtStep,
  type PathsLeaving,
  passedOn,
  type StepWait,
  withFailedWaits,
  withLesson,
} from './paths-at-step.ts';
import { noteVerdicts, Verdicts } from './verdicts.ts';

/**
 * Where the walks of one reading of the validating view end, and what it made of the exchanges at each step. Void once
 * folding took more work than there may be.
 */
export class ValidatingFold {
  readonly #with: FoldTools;
  readonly #folds = new Map<Step, Fold>();

  constructor(folding: FoldTools) {
    this.#with = folding;
  }

  readonly distribution = (walk: Walk): Distribution => {
    return walk.kind === 'cut' ? certainly(walk.end) : this.#folded(walk.step).distribution;
  };

  /** The walks that some path goes on with. */
  readonly onward = (step: ValidatedWalkStep): Iterable<Walk> => this.#folded(step).onward;

  readonly verdicts = (step: ValidatedWalkStep): Verdicts => this.#folded(step).verdicts;

  readonly legs = (step: ValidatedWalkStep): readonly PathsLeaving[] => this.#folded(step).legs;

  #folded(step: Step): Fold {
    const fold = this.#folds.get(step);
    if (fold === undefined) throw new Error('a step was not folded before those that lead to it');
    return fold;
  }

  /** Folds a step, after all that it leads to. */
  fold(step: ValidatedWalkStep): void {
    const { work } = this.#with;
    if (work.exceeded) return;
    const folding: Folding = {
      step,
      branches: new Branches(step),
      verdicts: new Verdicts(),
      legs: [],
      picks: 0,
    };
    this.#learn(step.validated.learning, BEGINNING, folding);
    const { branches, verdicts, legs, picks } = folding;
    const { distribution, onward, ends } = branches.merge(this.distribution);
    this.#folds.set(step, { distribution, onward: onward.keys(), verdicts, legs });
    work.spend(workOfFold({ distribution, ends, picks }));
  }

  #learn(learning: LearningStage, way: PathsAtStep, folding: Folding): void {
    if (this.#with.work.exceeded) return;
    switch (learning.kind) {
      case 'keys': {
        const drawn = this.#draw(learning.heard, way, folding);
        this.#endThere(drawn, way, folding);
        for (const [next, picks] of byGood(drawn))
          this.#learn(next, { ...passedOn(way, picks), keys: picks }, folding);
        return;
      }
      case 'lesson':
        this.#learnBesides(learning, way, folding);
        return;
      case 'reply':
        this.#take(learning.heard, way, folding);
        return;
    }
  }

  #learnBesides({ want, heard, failed, stopped }: LessonStage, way: PathsAtStep, folding: Folding): void {
    const drawn = this.#draw(heard, way, folding);
    for (const [next, picks] of byGood(drawn)) this.#learn(next, withLesson(way, picks), folding);
    const failing = this.#servfails(drawn, folding);
    const ended = failed === undefined ? [...drawn.ends, ...failing] : drawn.ends;
    const stops = withFailedWaits(way.stops, want, ended);
    this.#learnNothing(stopped, { ...withLesson(way, ended), stops }, folding);
    if (failed !== undefined) this.#learnNothing(failed, withLesson(way, failing), folding);
  }

  #learnNothing(next: LearningStage, way: PathsAtStep, folding: Folding): void {
    if (way.weight.numerator > 0n) this.#learn(next, way, folding);
  }

  /** The first usable reply counts. */
  #take(heard: AddressOutcomes<UsedReply>, way: PathsAtStep, folding: Folding): void {
    const drawn = this.#draw(heard, way, folding);
    this.#endThere(drawn, way, folding);
    const { branches, legs } = folding;
    for (const picked of drawn.goods) {
      const { server, address, good } = picked;
      const weight = multiply(way.weight, picked.weight);
      const walk = walkAfter(good.visit);
      if (walk !== undefined) branches.goOn(walk, weight);
      else branches.end(good.ends.afterVisit(good.visit, server.name, address), weight);
      legs.push({ ...way, weight, reply: picked, walk });
    }
  }

  /** Adds the paths that come to nothing else than an end here. */
  #endThere<Good>(drawn: DrawnServers<Good>, way: PathsAtStep, folding: Folding): void {
    for (const stop of [...drawn.ends, ...this.#servfails(drawn, folding)]) {
      const weight = multiply(way.weight, stop.weight);
      folding.branches.end(stop.end, weight);
      folding.legs.push({ ...way, weight, reply: stop, walk: undefined });
    }
  }

  #draw<Good>(heard: AddressOutcomes<Good>, { stops }: PathsAtStep, folding: Folding): DrawnServers<Good> {
    const { onBogus, lookups, work } = this.#with;
    const { step } = folding;
    const drawn = drawServers(step, heard, { onBogus, lookups, work });
    folding.picks += step.servers.length + drawn.goods.length;
    noteVerdicts(heard, stops, folding.verdicts);
    const stopped = drawn.stopped.flatMap((picked) =>
      (stops.get(picked.by) ?? []).map((stop) => ({
        ...picked,
        end: stop.end,
        weight: multiply(picked.weight, stop.weight),
      })),
    );
    return { ...drawn, ends: [...drawn.ends, ...stopped] };
  }

  /** The ends of those who come to a reply that does not verify, or to no usable one. */
  #servfails<Good>({ heard, failed, none }: DrawnServers<Good>, { step }: Folding): readonly FailedWait[] {
    const { servfail } = step.validated;
    const ends = failed.map((picked) => ({ ...picked, end: servfail(picked.failure) }));
    if (none.numerator === 0n) return ends;
    const cause = commonCause(step, heard, this.#with.lookups);
    return [...ends, { end: servfail(cause), weight: none, heard }];
  }
}

/** A step of the validating view. */
export type ValidatedWalkStep = Step & { readonly validated: ValidatedStep };

/** How steps of the validating view are folded. */
interface FoldTools {
  readonly onBogus: BogusPolicy;
  /** Where lookups end, which are not validated. */
  readonly lookups: ResolverView;
  readonly work: Work;
}

interface Fold {
  readonly distribution: Distribution;
  readonly onward: Iterable<Walk>;
  readonly verdicts: Verdicts;
  readonly legs: readonly PathsLeaving[];
}

/** One step that is being folded. */
interface Folding {
  readonly step: ValidatedWalkStep;
  readonly branches: Branches;
  readonly verdicts: Verdicts;
  readonly legs: PathsLeaving[];
  picks: number;
}

/** Servers that teach the same are one way to go on. */
function byGood<Good>({ goods }: DrawnServers<Good>): ReadonlyMap<Good, readonly StepWait[]> {
  const picks = new Map<Good, StepWait[]>();
  for (const picked of goods) getOrMake(picks, picked.good, (): StepWait[] => []).push(picked);
  return picks;
}
