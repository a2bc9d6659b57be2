import type { Name } from '../../wire/name.ts';
import { grouped } from '../grouped.ts';
import type { ResultIndex } from '../result-index.ts';
import { passedByAll } from '../walk.ts';
import { type LookupView, lookupsIn } from './lookup-views.ts';
import { byDelegation, type StepView, stepViews } from './step-views.ts';

/** The lookups of one name server, whatever the type of address. */
export interface NameLookup {
  readonly name: Name;
  readonly views: readonly [LookupView, ...LookupView[]];
  readonly steps: readonly StepView[];
  /** Only the picks that neither lead on nor end well. */
  readonly trouble: readonly StepView[];
}

/** The lookups in a result by the names that are looked up. */
export function nameLookups(index: ResultIndex): readonly NameLookup[] {
  return grouped(lookupsIn(index), ({ question }) => question.name).map((own) => nameLookup(own, index));
}

function nameLookup(views: NameLookup['views'], index: ResultIndex): NameLookup {
  const [{ question, judge }] = views;
  const passed = passedByAll(views.map((view) => view.passed));
  const steps = stepViews(passed, byDelegation, index, judge);
  const trouble = steps
    .map((step) => ({ ...step, picks: step.picks.filter(isTrouble) }))
    .filter(({ picks }) => picks.length > 0);
  return { name: question.name, views, steps, trouble };
}

function isTrouble({ account: { bearing } }: StepView['picks'][number]): boolean {
  return bearing === 'fails' || bearing === 'unknown';
}
