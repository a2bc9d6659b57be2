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
    const isPassedByAll = compare(share, ONE) === 0;
    return {
      zone,
      ...(questionKey(question) !== asked && { question }),
      ...(remark !== '' && { remark }),
      ...(!isPassedByAll && { share: fractionText(share) }),
      servers: picksInOrder(step.picks).map((pick) => {
        const part = pick.probability();
        return {
          ...serverRow(pick, step, result),
          share: fractionText(isPassedByAll ? part : divide(part, share)),
        };
      }),
    };
  });
}

function serverRow(
  pick: PickView,
  step: StepView,
  result: UnjudgedResult,
): Omit<ZoneRow['servers'][number], 'share'> {
  const { name, address, class: reply, exchange, basis, reply: said } = pick;
  const answer = said.end === undefined ? [] : answerData(said.end);
  const elapsedMs = tookAt(pick);
  const { rttMs, tries: { length: tries } = [] } = exchange ?? {};
  const effect = effectOfReply(said);
  const text = turnsText(pick, step, result) ?? said.words;
  const notes = said.notes.filter((note) => note !== said.security?.status);
  return {
    name,
    ...(address && { address }),
    ...(rttMs !== undefined && { rttMs }),
    ...(elapsedMs !== undefined && tries > 1 && { elapsedMs }),
    ...(reply && { reply }),
    ...((exchange?.planned || basis === 'plan') && { planned: true as const }),
    ...(answer.length > 0 && { answer }),
    ...(text !== answer.join(', ') && { text }),
    ...(notes.length > 0 && { notes }),
    ...(effect !== 'leads-on' && effect !== 'ends-well' && { effect }),
    ...(said.security && { security: said.security.status }),
  };
}

/** "192.0.2.1 (5 of 8 replies), NXDOMAIN (3)": what the machines of an address gave; undefined if it gave one thing. */
function turnsText(
  { address }: PickView,
  { zone, question }: StepView,
  { views }: UnjudgedResult,
): string | undefined {
  const turns = views['first-tries'].outcomes.flatMap((end) => {
    const isHere =
      end.server?.address === address &&
      end.zone === zone &&
      questionKey(end.question) === questionKey(question);
    return isHere && 'seen' in end && end.seen !== undefined && end.seen.by === undefined
      ? [{ ...end.seen, end }]
      : [];
  });
  if (turns.length < 2) return undefined;
  const words = turns.map(({ end, replies, of }, at) => {
    const said = end.kind === 'answer' ? answerData(end).join(', ') : end.kind.toUpperCase();
    return `${said} (${replies}${at === 0 ? ` of ${of} replies` : ''})`;
  });
  return words.join(', ');
}
