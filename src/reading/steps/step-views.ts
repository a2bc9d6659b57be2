import type { StepRow } from '../../document/steps.ts';
import { type Fraction, sum } from '../../evaluate/fraction.ts';
import type { Name } from '../../wire/name.ts';
import { type Question, questionKey } from '../../wire/question.ts';
import type { Judge } from '../bearing.ts';
import { grouped } from '../grouped.ts';
import { referralsFrom } from '../referrals.ts';
import type { ResultIndex } from '../result-index.ts';
import type { Passed } from '../walk.ts';
import { listed } from '../words/listed.ts';
import { type PickView, picksAt } from './pick-views.ts';

/** The steps of one delegation put together, however many ways led there. */
export interface StepView {
  /** Unique in its walks. */
  readonly key: string;
  readonly question: Question;
  readonly zone: Name;
  /** The share of walks that pass here. */
  readonly probability: () => Fraction;
  /** Their probabilities add up to that of the view. */
  readonly picks: readonly PickView[];
  /** "as delegated by ns1.example.", where other servers delegate the zone differently; else empty. */
  readonly remark: string;
}

/** Says which steps belong together: equal texts for steps of one view. */
type Together = (step: StepRow) => string;

/** Puts steps of one delegation and question together. */
export const byQuestion: Together = ({ question, delegation }) => `${questionKey(question)} ${delegation}`;

/** Puts steps of one delegation together, whatever their question. */
export const byDelegation: Together = ({ delegation }) => delegation;

/** The views of the steps that walks pass. `judge` says what their ends mean to these walks. */
export function stepViews(
  passed: Passed,
  together: Together,
  index: ResultIndex,
  judge: Judge,
): readonly StepView[] {
  const { share } = passed;
  const views = grouped(passed.steps, together);
  const remarks = delegationRemarks(views, together, index);
  return views.map((same) => {
    const key = together(same[0]);
    return {
      key,
      question: same[0].question,
      zone: same[0].zone,
      probability: () => sum(same.map(share)),
      picks: picksAt({ steps: same, share }, index, judge),
      remark: remarks.get(key) ?? '',
    };
  });
}

/** The number of delegating servers that a remark names. */
const NAMED = 3;

function delegationRemarks(
  views: readonly (readonly [StepRow, ...StepRow[]])[],
  together: Together,
  index: ResultIndex,
): ReadonlyMap<string, string> {
  const firsts = views.map(([first]) => first);
  // Views of one zone that differ only in their delegation.
  const rivals = grouped(firsts, (step) => `${step.zone} ${together({ ...step, delegation: '' })}`);
  const disputed = rivals.filter(({ length }) => length > 1).flatMap((steps) => steps.map(together));
  if (disputed.length === 0) return new Map();
  const referrals = grouped(referralsFrom(views.flat(), index), ({ to }) => together(to));
  const servers = new Map(
    referrals.map((own) => [together(own[0].to), new Set(own.map(({ nameserver }) => nameserver))]),
  );
  return new Map(
    disputed.flatMap((key) => {
      const names = [...(servers.get(key) ?? [])];
      return names.length === 0 ? [] : [[key, `as delegated by ${listed(names, NAMED)}`] as const];
    }),
  );
}
