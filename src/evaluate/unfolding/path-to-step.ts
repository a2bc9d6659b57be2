import { getOrMake } from '../../base/memo.ts';
import type { Pausable } from '../../base/pausable.ts';
import { workOf } from '../../base/work.ts';
import type { Question } from '../../dns/message.ts';
import type { Records } from '../../dns/record.ts';
import type { Chain } from '../../explore/delegation.ts';
import type { StepRole } from '../../explore/main-walks.ts';
import type { Visit } from '../step.ts';
import type { Context, Footprint } from './footprint.ts';
import type { Variant } from './variants.ts';

/** A step, and how a path comes to it. */
export interface PathToStep {
  readonly chain: Chain;
  readonly question: Question;
  readonly role: StepRole;
  readonly context: Context;
}

/** A step that is being unfolded; its footprint grows with what is looked at. */
export interface StepInProgress extends PathToStep {
  readonly footprint: Footprint;
}

/** Whether a lookup is pending; the footprint keeps that this was looked at. */
export function isPending(bit: bigint, { context, footprint }: StepInProgress): boolean {
  if ((context.pending & bit) === 0n) {
    footprint.pendingClear |= bit;
    return false;
  }
  footprint.pendingSet |= bit;
  return true;
}

/** The same for a name that may have been asked earlier on this walk. */
export function wasWalked(bit: bigint, { context, footprint }: StepInProgress): boolean {
  if ((context.walked & bit) === 0n) {
    footprint.walkedClear |= bit;
    return false;
  }
  footprint.walkedSet |= bit;
  return true;
}

/** Unfolds steps: what unfolding one of them asks for those that it leads to. */
export interface Unfolder {
  /** "Having come through these delegations, ask this": at once what is known, for most steps are met on many ways. */
  step(approach: PathToStep): Variant | Pausable<Variant>;
  /** Takes note of work. */
  spend(steps: number): void;
  /** Whether that was more than there may be: what is returned is void then. */
  readonly isTooMuch: boolean;
}

/** Whether a step is known already, rather than still to be unfolded. */
export function isKnown(begun: Variant | Pausable<Variant>): begun is Variant {
  return 'walk' in begun;
}

/** How much work, in steps, it is to keep the answer that a path ends in after a visit; 0 for no answer. */
export function answerWork(visit: Visit): number {
  return workOf('answerCharacter', answerLength(visit));
}

/** How long the answer is that a path ends in after a visit, in characters of JSON, about; 0 for no answer. */
function answerLength(visit: Visit): number {
  if (visit.kind !== 'asked' || visit.meaning.kind !== 'answer') return 0;
  const { records } = visit.meaning;
  return getOrMake(known, records, () => lengthOf(records));
}

/** Paths meet the same answer in many places. */
const known = new WeakMap<Records, number>();

/** Characters around the texts of a record. */
const AROUND = 45;

function lengthOf(records: Records): number {
  let length = 0;
  for (const { name, type, data } of records) length += name.length + type.length + data.length + AROUND;
  return length;
}
