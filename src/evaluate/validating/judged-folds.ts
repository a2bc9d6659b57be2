import type { Work } from '../../explore/work.ts';
import { getOrMake } from '../../get-or-make.ts';
import { Branches } from '../branches.ts';
import { certainly, type Distribution } from '../distribution.ts';
import { workOfFold } from '../fold-work.ts';
import { multiply } from '../fraction.ts';
import type { ResolverView } from '../resolver-view.ts';
import type { HeardBy, JudgedStep, Learning, LessonDrawn, Step, TakenReply, Walk } from '../step.ts';
import { most } from '../times.ts';
import { walkAfter } from '../visit.ts';
import { commonCause } from './common-cause.ts';
import { type DrawnServers, drawing } from './drawing.ts';
import type { Leg, Timed } from './leg.ts';
import { noteVerdicts } from './note-verdicts.ts';
import type { Reading } from './reading.ts';
import { Verdicts } from './verdicts.ts';
import { BEGINNING, type JudgedWay, passedOn, type Stop, withLesson, withStops } from './way.ts';

/** A step of the validating view. */
export type StepJudged = Step & { readonly validated: JudgedStep };

/** What a reading is folded with. */
interface JudgedFolding {
  readonly reading: Reading;
  /** Where lookups end, which are not validated. */
  readonly lookups: ResolverView;
  readonly work: Work;
}

interface Fold {
  readonly distribution: Distribution;
  readonly onward: Iterable<Walk>;
  readonly verdicts: Verdicts;
  readonly legs: readonly Leg[];
}

/** One step that is being folded. */
interface Folding {
  readonly step: StepJudged;
  readonly branches: Branches;
  readonly verdicts: Verdicts;
  readonly legs: Leg[];
  picks: number;
}

/**
 * Where the walks of one reading of the validating view end, and what it made of the exchanges at each step. Void once
 * folding took more work than there may be.
 */
export class JudgedView {
  readonly #with: JudgedFolding;
  readonly #folds = new Map<Step, Fold>();

  constructor(folding: JudgedFolding) {
    this.#with = folding;
  }

  readonly distribution = (walk: Walk): Distribution => {
    return walk.kind === 'cut' ? certainly(walk.end) : this.#folded(walk.step).distribution;
  };

  /** The walks that some path goes on with. */
  readonly onward = (step: StepJudged): Iterable<Walk> => this.#folded(step).onward;

  readonly verdicts = (step: StepJudged): Verdicts => this.#folded(step).verdicts;

  readonly legs = (step: StepJudged): readonly Leg[] => this.#folded(step).legs;

  #folded(step: Step): Fold {
    const fold = this.#folds.get(step);
    if (fold === undefined) throw new Error('a step was not folded before those that lead to it');
    return fold;
  }

  /** Folds a step, after all that it leads to. */
  fold(step: StepJudged): void {
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
    work.spend(workOfFold({ distribution, onward, ends, picks }));
  }

  #learn(learning: Learning, way: JudgedWay, folding: Folding): void {
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

  #learnBesides({ want, heard, failed, stopped }: LessonDrawn, way: JudgedWay, folding: Folding): void {
    const drawn = this.#draw(heard, way, folding);
    for (const [next, picks] of byGood(drawn)) this.#learn(next, withLesson(way, picks), folding);
    const failing = this.#servfails(drawn, folding);
    const ended = failed === undefined ? [...drawn.ends, ...failing] : drawn.ends;
    const stops = withStops(way.stops, want, ended);
    this.#learnNothing(stopped, { ...withLesson(way, ended), stops }, folding);
    if (failed !== undefined) this.#learnNothing(failed, withLesson(way, failing), folding);
  }

  #learnNothing(next: Learning, way: JudgedWay, folding: Folding): void {
    if (way.weight.numerator > 0n) this.#learn(next, way, folding);
  }

  /** The first usable reply counts. */
  #take(heard: HeardBy<TakenReply>, way: JudgedWay, folding: Folding): void {
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
  #endThere<Good>(drawn: DrawnServers<Good>, way: JudgedWay, folding: Folding): void {
    for (const stop of [...drawn.ends, ...this.#servfails(drawn, folding)]) {
      const weight = multiply(way.weight, stop.weight);
      folding.branches.end(stop.end, weight);
      folding.legs.push({ ...way, weight, reply: stop, walk: undefined });
    }
  }

  #draw<Good>(heard: HeardBy<Good>, { stops }: JudgedWay, folding: Folding): DrawnServers<Good> {
    const { lookups, reading, work } = this.#with;
    const { step } = folding;
    const drawn = drawing(step, heard, { reading, lookups, work });
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
  #servfails<Good>({ heard, failed, none }: DrawnServers<Good>, { step }: Folding): readonly Stop[] {
    const { servfail } = step.validated;
    const ends = failed.map((picked) => ({ ...picked, end: servfail(picked.failure) }));
    if (none.numerator === 0n) return ends;
    const cause = commonCause(step, heard, this.#with.lookups);
    return [...ends, { end: servfail(cause), weight: none, elapsedMs: longest(heard) }];
  }
}

/** Servers that teach the same are one way to go on. */
function byGood<Good>({ goods }: DrawnServers<Good>): ReadonlyMap<Good, readonly Timed[]> {
  const picks = new Map<Good, Timed[]>();
  for (const picked of goods) getOrMake(picks, picked.good, (): Timed[] => []).push(picked);
  return picks;
}

/** Who asks every server in vain has waited for the slowest at least. */
function longest<Good>({ up, down }: HeardBy<Good>): number {
  return most([0, ...[...up.values(), ...down.values()].map(({ elapsedMs }) => elapsedMs)]);
}
