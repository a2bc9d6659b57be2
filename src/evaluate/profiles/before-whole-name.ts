import { questionKey } from '../../dns/message.ts';
import { Collector, outcomesOf } from '../distribution.ts';
import { multiply, sum } from '../fraction.ts';
import type { Walk } from '../step.ts';
import { mainSteps } from '../step-order.ts';
import type { InTime } from './in-time.ts';

/**
 * What users get from a resolver that validates. Lookups of `given` that end at a minimised question end there all the same;
 * all other lookups end as in `proven`, whose lookups all reach the whole name. `start`: the walk without minimised questions.
 */
export function endingBeforeWholeName(given: InTime, proven: InTime, start: Walk): InTime {
  const whole = new Set([...mainSteps(start)].map(({ question }) => questionKey(question)));
  const before = given.outcomes.filter(({ end }) => !whole.has(questionKey(end.question)));
  if (before.length === 0) return proven;
  const { numerator, denominator } = sum(before.map(({ probability }) => probability));
  if (numerator === denominator) return { outcomes: before };
  const others = { numerator: denominator - numerator, denominator };
  const collector = new Collector();
  for (const { end, probability } of before) collector.add(end, probability);
  for (const { end, probability } of proven.outcomes) collector.add(end, multiply(probability, others));
  return { outcomes: outcomesOf(collector.distribution) };
}
