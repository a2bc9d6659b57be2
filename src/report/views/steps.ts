/* Puts the steps of walks together for tables and pictures, with the shares of paths that pass them. */

import { type Question, questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { StepRow } from '../../document/steps.ts';
import { byFamily, grouped, listed } from '../../document/words/lists.ts';
import { type Fraction, sum } from '../../evaluate/fraction.ts';
import type { EffectOf } from './effects.ts';
import { type PickView, picksAt } from './picks.ts';
import { type Passed, type ResultIndex, referralsFrom } from './result-index.ts';

/** The views of the steps that walks pass. `effectOf` says what their ends mean to these walks. */
export function stepViews(
  passed: Passed,
  together: Together,
  index: ResultIndex,
  effectOf: EffectOf,
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
      picks: picksAt({ steps: same, share }, index, effectOf),
      remark: remarks.get(key) ?? '',
    };
  });
}

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

/** The picks of a view by server and address, each once: a view can have several steps with the same pick. */
export function picksInOrder(picks: readonly PickView[]): readonly PickView[] {
  const servers = grouped(picks, ({ name }) => name).map((own) =>
    [...own].sort((a, b) => byAddress(a.address, b.address)),
  );
  const alike = grouped(servers.flat(), ({ name, address, reply }) =>
    [name, address, reply.words].join('\n'),
  );
  return alike.map((same) => ({
    ...same[0],
    probability: () => sum(same.map(({ probability }) => probability())),
  }));
}

function byAddress(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return byFamily(a, b);
}
