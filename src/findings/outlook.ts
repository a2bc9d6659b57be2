import { answerData } from '../document/summary.ts';
import { causeOf, type End, isUnknown } from '../evaluate/end.ts';
import type { Outcome } from '../evaluate/evaluate.ts';
import { compare, type Fraction, sum } from '../evaluate/fraction.ts';
import type { Exchanged } from '../exchanged.ts';
import { listed } from '../reading/listed.ts';
import { asked, named, plain, quoted } from '../reading/names.ts';
import { percent } from '../reading/percent.ts';
import type { Check } from './check.ts';
import type { Evidence } from './evidence.ts';
import { endProof, isUnproven } from './proof.ts';
import { overFamilies } from './words.ts';

/**
 * ANSWER_NOT_CERTAIN: in the resolver view the most probable answer is not the only thing that users
 * get. What is unknown does not count; nor does anything where not one reply came.
 */
export const answerNotCertain: Check = (evidence) => {
  const { scope, reached } = evidence;
  const { told, unknown, failed } = prospectsOf(evidence);
  const [main, ...others] = told;
  if (reached.size === 0 || (others.length === 0 && failed.length === 0)) return [];
  const question = `${asked(scope.question)}${overFamilies(scope)}`;
  if (main === undefined) {
    if (unknown.length > 0) return [];
    return [
      {
        message: `No resolver gets an answer to ${question}: see the other findings.`,
        proof: proofOf(evidence, failed),
      },
    ];
  }
  const parts = others.map(({ words, weight }) => `${words} with ${percent(weight)}`);
  if (failed.length > 0) parts.push(`nothing with ${percent(total(failed))}`);
  if (unknown.length > 0) parts.push(`something that was not examined with ${percent(total(unknown))}`);
  const message = `Users of ${question} get ${main.words} only with ${percent(main.weight)}, else ${listed(parts)}: make all servers agree and answer.`;
  return [{ message, proof: proofOf(evidence, [...others.flatMap(({ outcomes }) => outcomes), ...failed]) }];
};

/**
 * FIRST_TRY_FAILS: this much of the path view is lost to picks that give nothing usable, after which
 * users wait for another try. Where nothing else is left nobody waits for it: other findings tell that.
 */
export const firstTryFails: Check = (evidence) => {
  const { scope, reached, evaluation } = evidence;
  const failing = evaluation.outcomes.filter(({ end }) => FAILS.has(end.kind) && !isUnproven(evidence, end));
  if (reached.size === 0 || failing.length === 0 || failing.length === evaluation.outcomes.length) return [];
  const culprits = new Set(failing.map(({ end }) => describe(end)));
  const message = `${percent(total(failing))} of first tries for ${asked(scope.question)}${overFamilies(scope)} come to nothing, so that users wait: repair or remove ${listed([...culprits])}.`;
  return [{ message, proof: proofOf(evidence, failing) }];
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

/** COLD_LATENCY_HIGH: a lookup with an empty cache takes long. What this host cannot reach does not count. */
export const coldLatencyHigh: Check = ({ scope, openZones, evaluation }) => {
  const { mean, worst } = evaluation.latency;
  if (openZones.size > 0 || (mean <= SLOW_MEAN_MS && worst <= SLOW_WORST_MS)) return [];
  const message = `A cold lookup of ${asked(scope.question)} takes ${seconds(mean)} on average and ${seconds(worst)} at worst: repair slow and silent servers, and use fewer zones on the way.`;
  return [{ message, proof: [] }];
};

function seconds(ms: number): string {
  return `${Number((ms / 1_000).toFixed(1))} s`;
}

/** UNEXPLORED: limits and policy kept this much from being examined. */
export const unexplored: Check = ({ scope, evaluation }) => {
  const { outcomes, resolverOutcomes } = evaluation;
  const [view, cut] = outcomes.some(isCutOff)
    ? (['paths', outcomes.filter(isCutOff)] as const)
    : (['ways of resolvers', resolverOutcomes.filter(isCutOff)] as const);
  if (cut.length === 0) return [];
  const reasons = [...new Set(cut.map(({ end }) => causeOf(end).kind))];
  const message = `${percent(total(cut))} of ${view} for ${asked(scope.question)} were not examined (${listed(reasons)}): ${adviceFor(reasons)} to see the rest.`;
  return [{ message, proof: [] }];
};

function adviceFor(reasons: readonly End['kind'][]): string {
  return reasons.every((kind) => kind === 'blocked')
    ? 'allow special-purpose addresses'
    : 'raise the limit, or let it run to its end';
}

function isCutOff({ end }: Outcome): boolean {
  return isUnknown(causeOf(end));
}

function proofOf(evidence: Evidence, outcomes: readonly Outcome[]): readonly Exchanged[] {
  return outcomes.flatMap(({ end }) => endProof(evidence, end));
}

/** What becomes of the question in the resolver view, in parts that sum to 1. */
interface Prospects {
  /** Answers by their data, NODATA and NXDOMAIN: what a user can be told. Most probable first. */
  readonly told: readonly Told[];
  /** Cut off by a limit, or behind a family that this host does not reach. */
  readonly unknown: readonly Outcome[];
  /** Everything else. */
  readonly failed: readonly Outcome[];
}

/** What a lookup can come to, in words, with its weight and the outcomes that it stands for. */
interface Told {
  /** "192.0.2.1", "NXDOMAIN", "NODATA for www.example A" */
  readonly words: string;
  readonly weight: Fraction;
  readonly outcomes: readonly Outcome[];
}

/** Sorts the outcomes of the resolver view. */
function prospectsOf({ evaluation, openZones }: Evidence): Prospects {
  const told = new Map<string, Outcome[]>();
  const unknown: Outcome[] = [];
  const failed: Outcome[] = [];
  for (const outcome of evaluation.resolverOutcomes) {
    const { end } = outcome;
    if (isTold(end)) {
      const key = [end.kind, ...answerData(end)].join('\n');
      const known = told.get(key);
      if (known === undefined) told.set(key, [outcome]);
      else known.push(outcome);
      // Where not all ways into a zone were tried, some resolver may find a usable server.
    } else if (isUnknown(end) || openZones.has(end.zone)) unknown.push(outcome);
    else failed.push(outcome);
  }
  return { told: [...told.values()].flatMap(toldBy).sort(byWeight), unknown, failed };
}

/** The exact probability of all of them together. */
function total(outcomes: readonly Outcome[]): Fraction {
  return sum(outcomes.map(({ probability }) => probability));
}

function isTold({ kind }: End): boolean {
  return kind === 'answer' || kind === 'nodata' || kind === 'nxdomain';
}

function toldBy(outcomes: readonly Outcome[]): readonly Told[] {
  const [first] = outcomes;
  return first === undefined ? [] : [{ words: wordsOf(first.end), weight: total(outcomes), outcomes }];
}

function byWeight(a: Told, b: Told): number {
  return compare(b.weight, a.weight);
}

function wordsOf(end: End): string {
  if (end.kind === 'answer') return quoted(answerData(end));
  return end.kind === 'nxdomain' ? 'NXDOMAIN' : `NODATA for ${asked(end.question)}`;
}
