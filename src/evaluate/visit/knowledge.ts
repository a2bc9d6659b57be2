/*
 * What a validating resolver knows at a step before it asks the step's question: the zone's keys, and whatever else it must
 * learn there, each from the first server of a draw of its own that is of use for that. svc-model(7), VALIDATING.
 */

import { getOrMake } from '../../base/memo.ts';
import { proofNeedKey } from '../../explore/proof-knowledge.ts';
import type { End } from '../end.ts';
import { type Fraction, multiply, ONE, sum } from '../fraction.ts';
import type {
  AddressOutcomes,
  LearningStage,
  LessonStage,
  ReplyStage,
  Step,
  TimedOutcome,
  ValidatedWalkStep,
} from '../step.ts';
import { stateOf } from '../step.ts';
import { commonCause } from '../validating/common-cause.ts';
import { type AddressOfZone, type DrawTools, draw } from './draw.ts';

/** Knowledge that a resolver has with this probability. */
interface Knowledge {
  readonly weight: Fraction;
  readonly stage: ReplyStage;
  readonly stops: Stops;
}

/** By the keys of needs: how resolvers end whose reply waits for something that could not be learnt. */
type Stops = ReadonlyMap<string, readonly Ended[]>;

interface Ended {
  readonly end: End;
  readonly weight: Fraction;
}

/** All that resolvers may know at a step, and where those end that learn no keys. The weights sum to 1. */
export function learnAt(
  step: ValidatedWalkStep,
  tools: DrawTools,
): { readonly known: readonly Knowledge[]; readonly ends: readonly Ended[] } {
  const known: Knowledge[] = [];
  const ends: Ended[] = [];
  const ahead: Learning[] = [{ weight: ONE, stage: step.validated.learning, stops: new Map() }];
  // Iterating over a list also visits what is added on the way.
  for (const { weight, stage, stops } of ahead) {
    if (tools.work.exceeded) break;
    if (stage.kind === 'reply') {
      known.push({ weight, stage, stops });
      continue;
    }
    const { goods, limits, none } = drawn(step, stage, stops, tools);
    for (const [next, chance] of goods) ahead.push({ weight: multiply(weight, chance), stage: next, stops });
    const failing = none.numerator === 0n ? [] : [{ end: failureAt(step, stage.heard, tools), weight: none }];
    if (stage.kind === 'keys')
      ends.push(...[...limits, ...failing].map((one) => ({ ...one, weight: multiply(weight, one.weight) })));
    else ahead.push(...withoutLesson(stage, { limits, failing, weight, stops }));
  }
  return { known, ends };
}

interface Learning {
  readonly weight: Fraction;
  readonly stage: LearningStage;
  readonly stops: Stops;
}

/** Where no reply taught the lesson: what waits for it ends, or goes on without it. */
function withoutLesson(
  { want, failed, stopped }: LessonStage,
  {
    limits,
    failing,
    weight,
    stops,
  }: Omit<Learning, 'stage'> & { readonly limits: readonly Ended[]; readonly failing: readonly Ended[] },
): readonly Learning[] {
  const total = (some: readonly Ended[]) => sum(some.map((one) => one.weight));
  const ended = failed === undefined ? [...limits, ...failing] : limits;
  const next: Learning[] = [];
  const part = total(ended);
  if (part.numerator > 0n) {
    const shares = ended.map((one) => ({
      ...one,
      weight: {
        numerator: one.weight.numerator * part.denominator,
        denominator: one.weight.denominator * part.numerator,
      },
    }));
    next.push({
      weight: multiply(weight, part),
      stage: stopped,
      stops: new Map([...stops, [proofNeedKey(want), shares]]),
    });
  }
  const rest = total(failing);
  if (failed !== undefined && rest.numerator > 0n)
    next.push({ weight: multiply(weight, rest), stage: failed, stops });
  return next;
}

function drawn(
  step: Step,
  stage: Exclude<LearningStage, ReplyStage>,
  stops: Stops,
  tools: DrawTools,
): {
  readonly goods: ReadonlyMap<LearningStage, Fraction>;
  readonly limits: readonly Ended[];
  readonly none: Fraction;
} {
  const { picked, none } = draw(step, (one) => endsSearch(outcomeAt(step, one, stage.heard)), tools);
  const goods = new Map<LearningStage, Fraction[]>();
  const limits: Ended[] = [];
  for (const { one, weight } of picked) {
    const outcome = outcomeAt(step, one, stage.heard);
    // Servers that teach the same are one way to go on.
    if (outcome?.kind === 'good') getOrMake(goods, outcome.good, (): Fraction[] => []).push(weight);
    else if (outcome?.kind === 'stopped')
      for (const stop of stops.get(outcome.by) ?? [])
        limits.push({ end: stop.end, weight: multiply(weight, stop.weight) });
    else limits.push({ end: limitAt(step, one, outcome), weight });
  }
  return { goods: new Map([...goods].map(([next, weights]) => [next, sum(weights)])), limits, none };
}

/** What an address brings; undefined: a limit ended the lookup of its name. */
export function outcomeAt<Good>(
  step: Step,
  { server: index, address }: AddressOfZone,
  heard: AddressOutcomes<Good>,
): TimedOutcome<Good> | undefined {
  const server = step.servers[index];
  if (server === undefined || address === undefined) return undefined;
  return heard[stateOf(step, server)].get(address);
}

/** Whether a resolver asks no further server once it has this. Unknown, not broken: limits do. */
export function endsSearch(outcome: TimedOutcome<unknown> | undefined): boolean {
  switch (outcome?.kind) {
    case 'good':
    case 'limited':
    case 'stopped':
    case undefined:
      return true;
    case 'bogus':
    case 'unused':
      return false;
  }
}

/** The limit that a resolver came to. */
export function limitAt(
  step: Step,
  { server: index, limited }: AddressOfZone,
  outcome: TimedOutcome<unknown> | undefined,
): End {
  const server = step.servers[index];
  if (outcome?.kind === 'limited' && server !== undefined) return outcome.end(server);
  if (limited === undefined) throw new Error('only limits end a search without a reply');
  return limited;
}

/** The end of those who came to nothing of use, with what most addresses show. */
export function failureAt(
  step: ValidatedWalkStep,
  { up, down }: AddressOutcomes<unknown>,
  { lookups }: DrawTools,
): End {
  return step.validated.servfail(commonCause(step, [...up.values(), ...down.values()], lookups));
}
