import type { Chain } from '../../explore/chain.ts';
import type { StepRole } from '../../explore/warm.ts';
import type { Question } from '../../wire/question.ts';
import type { Context, Footprint } from './footprint.ts';

/** A step, and how a path comes to it. */
export interface Approach {
  readonly chain: Chain;
  readonly question: Question;
  readonly role: StepRole;
  readonly context: Context;
}

/** A step that is being unfolded; its footprint grows with what is looked at. */
export interface Opening extends Approach {
  readonly footprint: Footprint;
}

/** Whether a lookup is pending; the footprint keeps that this was looked at. */
export function isPending(bit: bigint, { context, footprint }: Opening): boolean {
  if ((context.pending & bit) === 0n) {
    footprint.pendingClear |= bit;
    return false;
  }
  footprint.pendingSet |= bit;
  return true;
}

/** The same for a name that may have been asked earlier on this walk. */
export function wasWalked(bit: bigint, { context, footprint }: Opening): boolean {
  if ((context.walked & bit) === 0n) {
    footprint.walkedClear |= bit;
    return false;
  }
  footprint.walkedSet |= bit;
  return true;
}
