import { wantKey } from '../../explore/validating/want.ts';
import type { Work } from '../../explore/work.ts';
import { type Pausable, Pauses } from '../../pausable.ts';
import { Branches } from '../branches.ts';
import { certainly, type Distribution } from '../distribution.ts';
import type { End } from '../end.ts';
import { workOfFold } from '../fold-work.ts';
import { add, divide, type Fraction, lowestTerms, multiply, ONE, sum, ZERO } from '../fraction.ts';
import type { ResolverView } from '../resolver-view.ts';
import type { HeardBy, JudgedStep, Learning, LessonDrawn, Step, TakenReply, Walk } from '../step.ts';
import { walkAfter } from '../visit.ts';
import { commonCause } from './common-cause.ts';
import { type DrawnServers, drawing } from './drawing.ts';
import type { ExchangeVerdict } from './exchange-verdict.ts';
import type { Reading } from './reading.ts';
import { Verdicts } from './verdicts.ts';

/** A step of the validating view. */
export type StepJudged = Step & { readonly judged: JudgedStep };

/** Where the walks of one reading of the validating view end, and what it made of the exchanges at each step. */
export interface JudgedView {
  readonly distribution: (walk: Walk) => Distribution;
  /** The walks that some path goes on with. */
  readonly onward: (step: StepJudged) => Iterable<Walk>;
  readonly verdicts: (step: StepJudged) => Verdicts;
}

/** What a reading is folded with. */
export interface JudgedFolding {
  readonly reading: Reading;
  /** Where lookups end, which are not validated. */
  readonly lookups: ResolverView;
  readonly work: Work;
}

/** Folds steps, each after all that it leads to. Void once that took more work than there may be. */
export function* judgedViewOf(steps: readonly StepJudged[], folding: JudgedFolding): Pausable<JudgedView> {
  const folds = new JudgedFolds(folding);
  const pauses = new Pauses();
  for (const step of steps) {
    if (folding.work.exceeded) break;
    const spent = yield* folds.fold(step);
    folding.work.spend(spent);
    if (pauses.due(spent)) yield;
  }
  return folds;
}

interface Fold {
  readonly distribution: Distribution;
  readonly onward: Iterable<Walk>;
  readonly verdicts: Verdicts;
}

/** By the key of what is wanted: the ends of those who wait for it in vain, each with its part of them. */
type Stops = ReadonlyMap<string, readonly Stop[]>;

interface Stop {
  readonly end: End;
  readonly weight: Fraction;
}

/** One step that is being folded. */
interface Folding {
  readonly step: StepJudged;
  readonly branches: Branches;
  readonly verdicts: Verdicts;
  picks: number;
}

class JudgedFolds implements JudgedView {
  readonly #with: JudgedFolding;
  readonly #folds = new Map<Step, Fold>();

  constructor(folding: JudgedFolding) {
    this.#with = folding;
  }

  readonly distribution = (walk: Walk): Distribution => {
    return walk.kind === 'cut' ? certainly(walk.end) : this.#folded(walk.step).distribution;
  };

  readonly onward = (step: StepJudged): Iterable<Walk> => this.#folded(step).onward;

  readonly verdicts = (step: StepJudged): Verdicts => this.#folded(step).verdicts;

  #folded(step: Step): Fold {
    const fold = this.#folds.get(step);
    if (fold === undefined) throw new Error('a step was not folded before those that lead to it');
    return fold;
  }

  /** Folds a step. Returns the work that it took, the chances of its servers apart. */
  *fold(step: StepJudged): Pausable<number> {
    const folding: Folding = { step, branches: new Branches(step), verdicts: new Verdicts(), picks: 0 };
    yield* this.#learn(step.judged.learning, ONE, new Map(), folding);
    const { branches, verdicts, picks } = folding;
    const merged = branches.merge(this.distribution);
    this.#folds.set(step, { distribution: merged.distribution, onward: merged.onward.keys(), verdicts });
    return workOfFold({ ...merged, picks });
  }

  *#learn(learning: Learning, weight: Fraction, stops: Stops, folding: Folding): Pausable<void> {
    if (this.#with.work.exceeded) return;
    switch (learning.kind) {
      case 'keys': {
        const drawn = yield* this.#draw(learning.heard, stops, folding);
        for (const stop of [...drawn.ends, ...this.#servfails(drawn, folding)])
          folding.branches.end(stop.end, multiply(weight, stop.weight));
        for (const [next, share] of byGood(drawn))
          yield* this.#learn(next, lowestTerms(multiply(weight, share)), stops, folding);
        return;
      }
      case 'lesson':
        yield* this.#learnBesides(learning, weight, stops, folding);
        return;
      case 'reply':
        yield* this.#take(learning.heard, weight, stops, folding);
        return;
    }
  }

  *#learnBesides(
    { want, heard, failed, stopped }: LessonDrawn,
    weight: Fraction,
    stops: Stops,
    folding: Folding,
  ): Pausable<void> {
    const drawn = yield* this.#draw(heard, stops, folding);
    for (const [next, share] of byGood(drawn))
      yield* this.#learn(next, lowestTerms(multiply(weight, share)), stops, folding);
    const failing = this.#servfails(drawn, folding);
    const ended = failed === undefined ? [...drawn.ends, ...failing] : drawn.ends;
    yield* this.#learnNothing(stopped, weight, withStops(stops, want, ended), total(ended), folding);
    if (failed !== undefined) yield* this.#learnNothing(failed, weight, stops, total(failing), folding);
  }

  *#learnNothing(
    next: Learning,
    weight: Fraction,
    stops: Stops,
    share: Fraction,
    folding: Folding,
  ): Pausable<void> {
    if (share.numerator > 0n) yield* this.#learn(next, multiply(weight, share), stops, folding);
  }

  /** The first usable reply counts. */
  *#take(heard: HeardBy<TakenReply>, weight: Fraction, stops: Stops, folding: Folding): Pausable<void> {
    const drawn = yield* this.#draw(heard, stops, folding);
    const { branches } = folding;
    for (const stop of [...drawn.ends, ...this.#servfails(drawn, folding)])
      branches.end(stop.end, multiply(weight, stop.weight));
    for (const { server, address, good, weight: share } of drawn.goods) {
      const { visit, ends } = good;
      const walk = walkAfter(visit);
      if (walk !== undefined) branches.goOn(walk, multiply(weight, share));
      else branches.end(ends.afterVisit(visit, server.name, address), multiply(weight, share));
    }
  }

  *#draw<Good>(heard: HeardBy<Good>, stops: Stops, folding: Folding): Pausable<DrawnServers<Good>> {
    const { lookups, reading, work } = this.#with;
    const { step } = folding;
    const drawn = yield* drawing(step, heard, { reading, lookups, work });
    folding.picks += step.servers.length + drawn.goods.length;
    noteVerdicts(heard, stops, folding.verdicts);
    const stopped = drawn.stopped.flatMap(({ by, weight }) =>
      (stops.get(by) ?? []).map((stop) => ({ end: stop.end, weight: multiply(weight, stop.weight) })),
    );
    return { ...drawn, ends: [...drawn.ends, ...stopped] };
  }

  /** The ends of those who come to a reply that does not verify, or to no usable one. */
  #servfails<Good>({ heard, failed, none }: DrawnServers<Good>, { step }: Folding): readonly Stop[] {
    const { servfail } = step.judged;
    const ends = failed.map(({ failure, weight }) => ({ end: servfail(failure), weight }));
    if (none.numerator === 0n) return ends;
    const cause = commonCause(step, heard, this.#with.lookups);
    return [...ends, { end: servfail(cause), weight: none }];
  }
}

function withStops(stops: Stops, want: LessonDrawn['want'], ended: readonly Stop[]): Stops {
  const all = total(ended);
  if (all.numerator === 0n) return stops;
  const each = ended.map(({ end, weight }) => ({ end, weight: divide(weight, all) }));
  return new Map([...stops, [wantKey(want), each]]);
}

function total(stops: readonly Stop[]): Fraction {
  return sum(stops.map(({ weight }) => weight));
}

/** Servers that teach the same are one way to go on. */
function byGood<Good>({ goods }: DrawnServers<Good>): ReadonlyMap<Good, Fraction> {
  const shares = new Map<Good, Fraction>();
  for (const { good, weight } of goods) shares.set(good, add(shares.get(good) ?? ZERO, weight));
  return shares;
}

function noteVerdicts<Good>({ up, down }: HeardBy<Good>, stops: Stops, verdicts: Verdicts): void {
  for (const hearing of [...up.values(), ...down.values()]) {
    switch (hearing.kind) {
      case 'good':
      case 'bogus':
        verdicts.note(hearing.about.exchange, hearing.about.verdict);
        break;
      case 'stopped':
        for (const { end } of stops.get(hearing.by) ?? []) verdicts.note(hearing.exchange, verdictBy(end));
        break;
      case 'unused':
      case 'limited':
        break;
    }
  }
}

/** What is made of a reply that has such an end because of what it waits for. */
function verdictBy(end: End): ExchangeVerdict {
  if (end.kind !== 'servfail') return { status: 'unknown' };
  const { cause } = end;
  return { status: 'bogus', reason: cause?.kind === 'bogus' ? cause.reason : 'no-proof' };
}
