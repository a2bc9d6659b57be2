import { type Question, questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { TraversalResult } from '../../document/result.ts';
import { grouped } from '../../document/words/lists.ts';
import { percentage, shortFraction } from '../../document/words/quantities.ts';
import { verdictWords } from '../../document/words/security-words.ts';
import { passedOnCells, remarkOn } from '../../report/text/step-rows.ts';
import { type Effect, type EffectOf, MARKS } from '../../report/views/effects.ts';
import { nameLookups } from '../../report/views/lookups.ts';
import { effectOfReply, type PickView, replyWords, tookWords } from '../../report/views/picks.ts';
import { mainWalk, type ResultIndex, resultIndex } from '../../report/views/result-index.ts';
import { byQuestion, picksInOrder, type StepView, stepViews } from '../../report/views/steps.ts';
import type { Wording } from '../../report/views/wording.ts';

/** The zone cuts of the main walk: one way for the name asked for, and one for each alias. */
export function delegationViews(
  result: TraversalResult,
  effectOf: EffectOf,
  wording: Wording,
): readonly DelegationView[] {
  const index = resultIndex(result);
  const views = stepViews(mainWalk(index), byQuestion, index, effectOf);
  return grouped(views, ({ question }) => questionKey(question)).map((own) => ({
    question: own[0].question,
    zones: own.map((view) => zoneView({ view, remark: remarkOn(view), shares: 'of-paths' }, wording)),
  }));
}

/** The zone cuts that lead to one name, from the root down. */
interface DelegationView {
  readonly question: Question;
  readonly zones: readonly ZoneView[];
}

/** A zone cut, with its servers and what each did. */
export interface ZoneView {
  readonly key: string;
  readonly zone: Name;
  readonly remark: string;
  /** In a line, if all servers passed the question on alike; else empty. */
  readonly brief: string;
  readonly servers: readonly ServerView[];
}

/** A name server of a zone. */
export interface ServerView {
  readonly name: Name;
  readonly picks: readonly DeedView[];
}

/** The behaviour of a name server at one of its addresses. */
export interface DeedView {
  readonly key: string;
  /** Empty where the server has none. */
  readonly address: string;
  readonly took: string;
  readonly mark: string;
  readonly words: string;
  /** What validating makes of the reply, with the reason: a tooltip. */
  readonly verdict?: string;
  readonly effect: Effect;
  /** The share of paths that come here; absent in lookups, which a path can make several times. */
  readonly percent?: string;
  readonly fraction?: string;
  /** Identifier of the exchange, if there was one. */
  readonly exchange?: string;
}

/** A name server whose addresses had to be looked up, and what happened on the way. */
export interface LookupOfName {
  readonly name: Name;
  readonly addresses: readonly string[];
  readonly hasTrouble: boolean;
  /** Made only where they are shown: there can be hundreds of lookups. */
  readonly zones: () => readonly ZoneView[];
}

/** The lookups of name servers without glue, those with trouble first. */
export function lookupsOfNames(result: TraversalResult, wording: Wording): readonly LookupOfName[] {
  const index: ResultIndex = resultIndex(result);
  return nameLookups(index)
    .map(({ name, views, steps, trouble }) => ({
      name,
      addresses: views.flatMap(({ addresses }) => addresses),
      hasTrouble: trouble.length > 0,
      zones: () => steps.map((view) => zoneView({ view, remark: view.remark, shares: 'none' }, wording)),
    }))
    .sort((a, b) => Number(b.hasTrouble) - Number(a.hasTrouble));
}

/** A zone cut to be shown. */
interface Cut {
  readonly view: StepView;
  readonly remark: string;
  readonly shares: 'of-paths' | 'none';
}

function zoneView(cut: Cut, wording: Wording): ZoneView {
  const { view, remark } = cut;
  const picks = picksInOrder(view.picks);
  return {
    key: view.key,
    zone: view.zone,
    remark,
    brief: passedOnCells(view, wording)
      .map(({ text }) => text.trim())
      .filter((text) => text !== '')
      .join(', '),
    servers: grouped(picks, ({ name }) => name).map((own) => ({
      name: own[0].name,
      picks: own.map((pick) => deedOf(pick, cut, wording)),
    })),
  };
}

function deedOf(pick: PickView, { view, shares }: Cut, { shorten }: Wording): DeedView {
  const { name, address = '', exchange, reply, probability } = pick;
  const effect = effectOfReply(reply);
  const verdict = verdictWords(reply.security, view.zone);
  return {
    key: [name, address, reply.words].join('\n'),
    address,
    took: tookWords(pick),
    mark: MARKS[effect],
    words: replyWords(reply, shorten),
    effect,
    ...(verdict && { verdict }),
    ...(shares === 'of-paths'
      ? { percent: percentage(probability()), fraction: shortFraction(probability()) }
      : {}),
    ...(exchange === undefined ? {} : { exchange: exchange.id }),
  };
}
