import { answerData } from '../document/summary.ts';
import { type End, isUnknown } from '../evaluate/end.ts';
import type { Outcome } from '../evaluate/evaluate.ts';
import { compare, type Fraction, sum } from '../evaluate/fraction.ts';
import { grouped } from '../reading/grouped.ts';
import type { Evidence } from './evidence.ts';

/** What comes of the question in the resolver view, in parts that sum to 1. */
export interface Prospects {
  /** Answers by their data, NODATA and NXDOMAIN: what a user can be told. Most probable first. */
  readonly told: readonly Prospect[];
  /** Cut off by a limit, or in a family that this host does not reach. */
  readonly unknown: readonly Outcome[];
  /** Everything else. */
  readonly failed: readonly Outcome[];
}

/** Something that users are told, its exact probability, and its outcomes, represented by the end of the first. */
export interface Prospect {
  readonly end: End;
  readonly probability: Fraction;
  readonly outcomes: readonly Outcome[];
}

/** Sorts the outcomes of the resolver view. */
export function prospectsOf({ evaluation, openZones }: Evidence): Prospects {
  const told: Outcome[] = [];
  const unknown: Outcome[] = [];
  const failed: Outcome[] = [];
  for (const outcome of evaluation.resolverOutcomes) {
    const { end } = outcome;
    if (isTold(end)) told.push(outcome);
    // If some way into a zone was not tried, a resolver may find a usable server there.
    else if (isUnknown(end) || openZones.has(end.zone)) unknown.push(outcome);
    else failed.push(outcome);
  }
  const contents = grouped(told, ({ end }) => [end.kind, ...answerData(end)].join('\n'));
  return { told: contents.map(toldBy).sort(byProbability), unknown, failed };
}

/** The exact probability of all of them together. */
export function total(outcomes: readonly Outcome[]): Fraction {
  return sum(outcomes.map(({ probability }) => probability));
}

function isTold({ kind }: End): boolean {
  return kind === 'answer' || kind === 'nodata' || kind === 'nxdomain';
}

function toldBy(outcomes: readonly [Outcome, ...Outcome[]]): Prospect {
  return { end: outcomes[0].end, probability: total(outcomes), outcomes };
}

/** Most probable first; of equals, an answer. */
function byProbability(a: Prospect, b: Prospect): number {
  return (
    compare(b.probability, a.probability) || Number(b.end.kind === 'answer') - Number(a.end.kind === 'answer')
  );
}
