import type { SummaryRow } from '../../document/ends.ts';
import { limitsMet } from '../../document/limits-met.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { LimitKind } from '../../evaluate/end.ts';

/** What the program's exit status means: svc(1), EXIT STATUS. */
export const EXIT = { agreed: 0, trouble: 1, usage: 2, notDone: 3, interrupted: 130 } as const;

/** One of the exit statuses. */
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** Why a command ends before its work is done: one line for people, and the exit status. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly status: ExitStatus;

  constructor(status: ExitStatus, message: string) {
    super(message);
    this.status = status;
  }
}

/** The caller's mistake; the message says how to put it right. */
export function usageError(message: string): CommandError {
  return new CommandError(EXIT.usage, message);
}

/** It could not be done, through no fault of the command line. */
export function notDone(message: string): CommandError {
  return new CommandError(EXIT.notDone, message);
}

/** The exit status for a result: whether all paths agree, some do not, or too little is known to say. */
export function statusOf(result: TraversalResult): ExitStatus {
  const isUnknown = result.ending === 'cancelled' || nothingHeard(result) || isCutShort(limitsMet(result));
  return isUnknown ? EXIT.notDone : agreement(result.summary);
}

/** The exit status for ends that are all known. */
export function agreement([only, ...others]: readonly SummaryRow[]): ExitStatus {
  return only !== undefined && others.length === 0 && AGREED.has(only.kind) ? EXIT.agreed : EXIT.trouble;
}

/** Whether one of these limits left too little known. (The depth limit is a property of the name.) */
export function isCutShort(limits: readonly LimitKind[]): boolean {
  return limits.some((kind) => kind !== 'depth-limit');
}

/** Whether questions were sent and not one reply came: no network, rather than trouble in the DNS. */
export function nothingHeard({ exchanges }: TraversalResult): boolean {
  return (
    exchanges.length > 0 &&
    exchanges.every(({ failure }) => failure === 'unreachable' || failure === 'timeout')
  );
}

const AGREED: ReadonlySet<string> = new Set(['answer', 'nodata', 'nxdomain']);
