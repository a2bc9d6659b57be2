import { EXIT, type ExitStatus } from './exit-status.ts';

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
