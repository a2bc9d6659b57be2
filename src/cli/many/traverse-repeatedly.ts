import { onAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { RunAnswer, RunFailure } from '../../document/run-answer.ts';
import { changesBetween, type ResultChanges } from '../../report/views/changes.ts';
import { isIntercepted, nothingHeard } from '../../report/views/findings.ts';
import { type KnownRotation, NOTHING_REMEMBERED, remembering } from '../../report/views/rotation-changes.ts';

/**
 * Traverses until it is stopped, and tells what changed since the last time that anything was heard. So a
 * network that goes away and comes back is no change.
 */
export async function traverseRepeatedly({ everyMs, ...rounds }: RepeatedRounds): Promise<void> {
  let last: TraversalResult | undefined;
  let rotation = NOTHING_REMEMBERED;
  const next = async (seen: TraversalResult | Obstacle, began: number) => {
    if (!('kind' in seen)) {
      const before = rotation.known;
      rotation = remembering(rotation, seen);
      const round = roundOf(last, seen, { before, after: rotation.known });
      if (round !== undefined) await rounds.tell(round);
      last = seen;
    }
    return began + everyMs;
  };
  await eachRound({ ...rounds, next });
}

interface RepeatedRounds extends Rounds {
  /** Milliseconds from the start of a round to that of the next. */
  readonly everyMs: number;
}

/** Traverses until it is stopped, or nothing is to follow, and tells when nothing is heard any more, and when that is over. */
export async function eachRound({ traverse, tell, next, clock, signal }: RoundsAndNext): Promise<void> {
  let contact: 'kept' | 'lost' = 'kept';
  while (!signal.aborted) {
    const began = clock.now();
    const answer = await traverse();
    if (signal.aborted) return;
    const seen = seenIn(answer);
    if ('kind' in seen) {
      if (contact === 'kept') await tell({ kind: 'lost', obstacle: seen });
      contact = 'lost';
    } else {
      if (contact === 'lost') await tell({ kind: 'back' });
      contact = 'kept';
    }
    const at = await next(seen, began);
    if (at === undefined) return;
    await passed(at - clock.now(), clock, signal);
  }
}

interface RoundsAndNext extends Rounds<Contact> {
  /** When the round begins that follows one which saw this and began then; undefined: none does. Times are those of the clock. */
  readonly next: (seen: TraversalResult | Obstacle, began: number) => Promise<number | undefined>;
}

/** What there is to tell of a name that is traversed again and again. */
export type Round =
  | { readonly kind: 'first'; readonly result: TraversalResult }
  | {
      readonly kind: 'changed';
      readonly changes: ResultChanges;
      readonly before: TraversalResult;
      readonly after: TraversalResult;
    }
  | Contact;

/** Whether anything can be said of the name for now. Each is told once. */
export type Contact = { readonly kind: 'lost'; readonly obstacle: Obstacle } | { readonly kind: 'back' };

/** Why a traversal tells nothing of the name. */
export type Obstacle =
  | { readonly kind: 'silence' | 'interception' | 'cancelled' }
  | { readonly kind: 'failure'; readonly failure: RunFailure };

/** What goes on again and again. */
export interface Rounds<Told = Round> {
  readonly traverse: () => Promise<RunAnswer<TraversalResult>>;
  /** Is awaited before the next round. */
  readonly tell: (told: Told) => Promise<void>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

function seenIn(answer: RunAnswer<TraversalResult>): TraversalResult | Obstacle {
  if (answer.kind === 'failed') {
    const { failure } = answer;
    // Not by the user, so the service was told to stop.
    return failure.kind === 'stopped' ? { kind: 'cancelled' } : { kind: 'failure', failure };
  }
  const { value } = answer;
  if (value.ending === 'cancelled') return { kind: 'cancelled' };
  if (nothingHeard(value)) return { kind: 'silence' };
  return isIntercepted(value) ? { kind: 'interception' } : value;
}

function roundOf(
  before: TraversalResult | undefined,
  after: TraversalResult,
  remembered: { readonly before: KnownRotation; readonly after: KnownRotation },
): Round | undefined {
  if (before === undefined) return { kind: 'first', result: after };
  const changes = changesBetween(before, after, remembered);
  return changes.same ? undefined : { kind: 'changed', changes, before, after };
}

function passed(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const forget = onAbort(signal, () => {
      cancel();
      resolve();
    });
    const cancel = clock.after(ms, () => {
      forget();
      resolve();
    });
  });
}
