import type { TraversalResult } from '../report/result.ts';

/** What the program's exit status means (command line contract, section 4). */
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
  const ends = [...result.outcomes, ...result.resolver.outcomes];
  if (result.ending === 'cancelled' || nothingHeard(result) || ends.some(isCutOff)) return EXIT.notDone;
  const [only, ...others] = result.summary;
  return only !== undefined && others.length === 0 && AGREED.has(only.kind) ? EXIT.agreed : EXIT.trouble;
}

/** Whether questions were sent and not one reply came: no network, rather than trouble in the DNS. */
export function nothingHeard({ exchanges }: TraversalResult): boolean {
  return (
    exchanges.length > 0 &&
    exchanges.every(({ failure }) => failure === 'unreachable' || failure === 'timeout')
  );
}

type Outcome = TraversalResult['outcomes'][number];

const AGREED: ReadonlySet<string> = new Set(['answer', 'nodata', 'nxdomain']);
const CUT_OFF: ReadonlySet<string> = new Set(['time-limit', 'query-limit', 'work-limit']);

/** Whether a path ends, or got no further, because a limit said so. (The depth limit is a property of the name.) */
function isCutOff(end: Outcome): boolean {
  return CUT_OFF.has(end.kind) || ('cause' in end && end.cause !== undefined && CUT_OFF.has(end.cause.kind));
}
