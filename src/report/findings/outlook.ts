import { type End, isUnknown } from '../../evaluate/end.ts';
import type { Outcome } from '../../evaluate/evaluate.ts';
import { add, ONE, subtract, ZERO } from '../../evaluate/fraction.ts';
import type { Check } from './draft.ts';
import { endProof } from './end-proof.ts';
import { prospectsOf } from './prospects.ts';
import { causeOf, isUnproven } from './reached.ts';
import { asked, listed, named, percent, plain } from './words.ts';

/**
 * ANSWER_NOT_CERTAIN: in the resolver view the most probable answer is not the only thing that users
 * get. What is unknown does not count; nor does anything where not one reply came.
 */
export const answerNotCertain: Check = (evidence) => {
  const { plan, reached, evaluation } = evidence;
  if (reached.size === 0) return [];
  const { told, unknown, failed } = prospectsOf(evidence, evaluation.resolverOutcomes);
  const [main, ...others] = told;
  if (others.length === 0 && failed.numerator === 0n) return [];
  if (main === undefined && unknown.numerator !== 0n) return [];
  const mainEnds = new Set(main?.ends ?? []);
  const deviating = evaluation.resolverOutcomes.map(({ end }) => end).filter((end) => !mainEnds.has(end));
  const proof = deviating.flatMap((end) => endProof(evidence, end));
  const question = asked(plan.question);
  if (main === undefined) {
    return [{ message: `No resolver gets an answer to ${question}: see the other findings.`, proof }];
  }
  const parts = others.map(({ words, weight }) => `${words} with ${percent(weight)}`);
  if (failed.numerator !== 0n) parts.push(`nothing with ${percent(failed)}`);
  const message = `Users of ${question} get ${main.words} only with ${percent(main.weight)}, else ${listed(parts)}: make all servers agree and answer.`;
  return [{ message, proof }];
};

/**
 * FIRST_TRY_FAILS: this much of the path view is lost to picks that give nothing usable, after which
 * users wait for another try. Where nothing else is left nobody waits for it: other findings tell that.
 */
export const firstTryFails: Check = (evidence) => {
  const { plan, reached, evaluation } = evidence;
  const failing = evaluation.outcomes.filter(({ end }) => FAILS.has(end.kind) && !isUnproven(evidence, end));
  const lost = failing.reduce((sum, { weight }) => add(sum, weight), ZERO);
  const rest = subtract(ONE, lost);
  if (reached.size === 0 || lost.numerator === 0n || rest.numerator === 0n) return [];
  const culprits = new Set(failing.map(({ end }) => describe(end)));
  const message = `${percent(lost)} of first tries for ${asked(plan.question)} come to nothing, so that users wait: repair or remove ${listed([...culprits])}.`;
  return [{ message, proof: failing.flatMap(({ end }) => endProof(evidence, end)) }];
};

/** Whom a failing end is about. */
function describe({ server, zone, ...end }: End): string {
  if (server !== null) return named(server);
  return 'nameserver' in end ? plain(end.nameserver) : plain(zone);
}

const FAILS: ReadonlySet<string> = new Set([
  'malformed',
  'unreachable',
  'timeout',
  'error',
  'lame',
  'unresolvable-ns',
  'no-glue',
  'loop',
]);

/** On average, and at worst, how long a cold lookup may take before it is worth a word, in milliseconds. */
const SLOW_MEAN_MS = 1_000;
const SLOW_WORST_MS = 5_000;

/** COLD_LATENCY_HIGH: a lookup with an empty cache takes long. */
export const coldLatencyHigh: Check = ({ plan, reached, evaluation }) => {
  const { mean, worst } = evaluation.latency;
  if (reached.size === 0 || (mean <= SLOW_MEAN_MS && worst <= SLOW_WORST_MS)) return [];
  const message = `A cold lookup of ${asked(plan.question)} takes ${seconds(mean)} on average and ${seconds(worst)} at worst: repair slow and silent servers, and use fewer zones on the way.`;
  return [{ message, proof: [] }];
};

function seconds(ms: number): string {
  return `${Number((ms / 1_000).toFixed(1))} s`;
}

/** UNEXPLORED: limits and policy kept this much from being examined. */
export const unexplored: Check = ({ plan, evaluation }) => {
  const { outcomes, resolverOutcomes } = evaluation;
  const [view, cut] = outcomes.some(isCutOff)
    ? (['paths', outcomes.filter(isCutOff)] as const)
    : (['a resolver’s ways', resolverOutcomes.filter(isCutOff)] as const);
  if (cut.length === 0) return [];
  const share = cut.reduce((sum, { weight }) => add(sum, weight), ZERO);
  const reasons = [...new Set(cut.map(({ end }) => causeOf(end).kind))];
  const message = `${percent(share)} of ${view} for ${asked(plan.question)} were not examined (${listed(reasons)}): raise the limit to see the rest.`;
  return [{ message, proof: [] }];
};

function isCutOff({ end }: Outcome): boolean {
  return isUnknown(causeOf(end));
}
