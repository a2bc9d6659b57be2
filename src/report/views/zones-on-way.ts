/* The zones on the way to the answer, and what each of their servers replied there. */

import { questionKey } from '../../dns/message.ts';
import { answerData } from '../../document/ends.ts';
import type { UnjudgedResult, ZoneRow } from '../../document/result.ts';
import { compare, divide, fractionText, ONE } from '../../evaluate/fraction.ts';
import { comparisonOf } from './effects.ts';
import { effectOfReply, type PickView, tookAt } from './picks.ts';
import { mainWalk, resultIndex } from './result-index.ts';
import { byQuestion, picksInOrder, type StepView, stepViews } from './steps.ts';

/** The zones of the main walk, from the root down, each with the addresses of its servers; then those of each alias. */
export function zonesOnWay(result: UnjudgedResult): readonly ZoneRow[] {
  const index = resultIndex(result);
  const { effectOf } = comparisonOf(result.views.resolver.outcomes);
  const asked = questionKey(result.query);
  return stepViews(mainWalk(index), byQuestion, index, effectOf).map((step): ZoneRow => {
    const { zone, question, remark } = step;
    const share = step.probability();
    return {
      zone,
      ...(questionKey(question) !== asked && { question }),
      ...(remark !== '' && { remark }),
      ...(compare(share, ONE) < 0 && { share: fractionText(share) }),
      servers: picksInOrder(step.picks).map((pick) => serverRow(pick, step)),
    };
  });
}

function serverRow(pick: PickView, step: StepView): ZoneRow['servers'][number] {
  const { name, address, class: reply, exchange, basis, reply: said, probability } = pick;
  const answer = said.end === undefined ? [] : answerData(said.end);
  const elapsedMs = tookAt(pick);
  const { rttMs, tries: { length: tries } = [] } = exchange ?? {};
  const effect = effectOfReply(said);
  const notes = said.notes.filter((note) => note !== said.security?.status);
  return {
    name,
    ...(address && { address }),
    ...(rttMs !== undefined && { rttMs }),
    ...(elapsedMs !== undefined && tries > 1 && { elapsedMs }),
    ...(reply && { reply }),
    ...((exchange?.planned || basis === 'plan') && { planned: true as const }),
    ...(answer.length > 0 && { answer }),
    ...(said.words !== answer.join(', ') && { text: said.words }),
    ...(notes.length > 0 && { notes }),
    ...(effect !== 'leads-on' && effect !== 'ends-well' && { effect }),
    ...(said.security && { security: said.security.status }),
    share: fractionText(divide(probability(), step.probability())),
  };
}
