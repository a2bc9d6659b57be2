import type { TraversalEvent } from '../document/events.ts';
import type { Saved } from '../document/read-result.ts';
import type { SpecialExchange } from '../exchange/ask.ts';
import type { Pace } from '../exchange/pace.ts';
import { probing } from '../exchange/probe.ts';
import type { Query } from '../exchange/query.ts';
import { shareExchanges, shareProbes } from '../exchange/shared.ts';
import type { Delegation } from '../explore/delegation.ts';
import { KnownReferrals } from '../explore/sharing/known-referrals.ts';
import { type ReferralHome, shareReferrals } from '../explore/sharing/shared-referrals.ts';
import type { TraversalOptions } from '../options.ts';
import type { Pausable } from '../pausable.ts';
import { replaying } from '../replay.ts';
import { recordTraversal } from '../traverse.ts';
import { type Question, questionKey } from '../wire/question.ts';
import type { Failed } from './evaluation.ts';
import { type LineForm, type ResultLine, resultLine } from './result-line.ts';

/** What all lines of a run over many names have in common. It is copied to each worker. */
export interface LineRun {
  readonly options: TraversalOptions;
  readonly form: LineForm;
  /** Whether somebody looks at how far names are. */
  readonly audience: 'some' | 'none';
  /** The pace of each thread, where threads need not wait for each other; absent: the main thread gives turns. */
  readonly ownPace?: Pace;
  /** The most replies that a thread keeps for other names. */
  readonly maxKept: number;
}

/** How far the traversal of a name is. */
export type LineProgress = Extract<TraversalEvent, { readonly event: 'progress' }>;

/** A name of the list, with its line. */
export interface LineOrder {
  readonly question: Question;
  readonly line: number;
}

/** Traverses a name; what that brings is the work of making its line. Once `signal` is aborted it is that of what was known. */
type LineWork = (
  order: LineOrder,
  tell: (progress: LineProgress) => void,
  signal: AbortSignal,
) => Promise<Pausable<ResultLine | Failed>>;

/**
 * Traverses many names over one exchange, which they share where that is sound. `elsewhere` knows the referrals
 * that they share with others.
 */
export function createLineWork(
  run: LineRun,
  hints: Delegation,
  exchange: SpecialExchange,
  elsewhere: ReferralHome,
): LineWork {
  const { options, form, audience, maxKept } = run;
  const sharing = { maxAgeMs: options.maxTimeMs, maxKept };
  const inWork = new Set<string>();
  const keeps = ({ question }: Query) => !inWork.has(questionKey(question));
  const same = shareExchanges(exchange, { ...sharing, keeps });
  const shared = options.shareReferrals
    ? shareReferrals(same, new KnownReferrals(MOST_CUTS, elsewhere))
    : same;
  const probes = shareProbes(probing(exchange), sharing);
  return async ({ question, line }, tell, signal) => {
    const around = { exchange: shared, probing: probes, signal, ...toldTo(audience, tell) };
    // Another name seldom has the same question, so its replies are not kept.
    const key = questionKey(question);
    inWork.add(key);
    const recorded = recordTraversal({ question, options, hints }, around);
    const { recording, circumstances } = await recorded.finally(() => inWork.delete(key));
    return lineOf({ recording, circumstances }, line, form);
  };
}

/** The cuts of zones other than the root that a thread remembers; the main thread has more. */
const MOST_CUTS = 50;

function* lineOf(saved: Saved, line: number, form: LineForm): Pausable<ResultLine | Failed> {
  return yield* resultLine(yield* replaying(saved), line, form);
}

/** Nothing is told to nobody: that would only take time. */
function toldTo(audience: LineRun['audience'], tell: (progress: LineProgress) => void) {
  if (audience === 'none') return {};
  return {
    emit: (event: TraversalEvent) => {
      if (event.event === 'progress') tell(event);
    },
  };
}
