import { answerData } from '../document/summary.ts';
import type { Outcome } from '../evaluate/distribution.ts';
import { type End, isUnknown } from '../evaluate/end.ts';
import { compare, type Fraction, sum } from '../evaluate/fraction.ts';
import { grouped } from '../reading/grouped.ts';
import { asked, dataText } from '../reading/words/names.ts';
import type { Name } from '../wire/name.ts';
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
interface Prospect {
  readonly end: End;
  readonly probability: Fraction;
  readonly outcomes: readonly Outcome[];
}

/** Sorts the outcomes of the cold resolver view. */
export function prospectsOf({
  evaluation,
  openZones,
}: Pick<Evidence, 'evaluation' | 'openZones'>): Prospects {
  return sortedOut(evaluation.resolverOutcomes, openZones);
}

/** Sorts outcomes. Into an open zone some way was not tried: a resolver may find a usable server there. */
export function sortedOut(outcomes: readonly Outcome[], openZones: ReadonlySet<Name>): Prospects {
  const told: Outcome[] = [];
  const unknown: Outcome[] = [];
  const failed: Outcome[] = [];
  for (const outcome of outcomes) {
    const { end } = outcome;
    if (isTold(end)) told.push(outcome);
    else if (isUnknown(end) || openZones.has(end.zone)) unknown.push(outcome);
    else failed.push(outcome);
  }
  const contents = grouped(told, ({ end }) => toldKey(end));
  return { told: contents.map(toldBy).sort(byProbability), unknown, failed };
}

/** The text that is equal for ends that tell users the same. */
export function toldKey(end: End): string {
  return [end.kind, ...answerData(end)].join('\n');
}

/** "192.0.2.1", "NXDOMAIN", "NODATA for www.example A" */
export function toldWords({ end }: Pick<Prospect, 'end'>): string {
  if (end.kind === 'answer') return dataText(answerData(end));
  return end.kind === 'nxdomain' ? 'NXDOMAIN' : `NODATA for ${asked(end.question)}`;
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
