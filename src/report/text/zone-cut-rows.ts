import { compare, ONE } from '../../evaluate/fraction.ts';
import type { Judge } from '../../reading/bearing.ts';
import { grouped } from '../../reading/grouped.ts';
import type { ResultIndex } from '../../reading/result-index.ts';
import { byQuestion, type StepView, stepViews } from '../../reading/steps/step-views.ts';
import { mainWalk } from '../../reading/walk.ts';
import type { Wording } from '../../reading/wording.ts';
import { percentage } from '../../reading/words/percent.ts';
import { questionKey } from '../../wire/question.ts';
import type { Rows } from '../table/table.ts';
import { stepViewRows } from './step-rows.ts';

/** The zone cuts from the root down, with their servers and what each did; one section for each alias. */
export function zoneCutRows(index: ResultIndex, judge: Judge, wording: Wording): Rows {
  const views = stepViews(mainWalk(index), byQuestion, index, judge);
  return grouped(views, ({ question }) => questionKey(question)).flatMap((part, at) => {
    const { name, type } = part[0].question;
    const title: Rows = at === 0 ? [] : [[], [{ text: `then ${name} ${type}`, style: 'strong' }], []];
    return [...title, ...part.flatMap((view) => stepViewRows(view, remarkOn(view), wording))];
  });
}

/** Which delegation this is if there are several, and how many paths come here if not all do. */
export function remarkOn({ remark, probability }: StepView): string {
  const passing = probability();
  const share = compare(passing, ONE) < 0 ? `on ${percentage(passing)} of paths` : '';
  return [remark, share].filter((words) => words !== '').join(', ');
}
