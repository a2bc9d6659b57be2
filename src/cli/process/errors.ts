/* The errors that end a command, and its exit statuses. */

import { systemWords } from '../../base/system-errors.ts';

/** Why a command ends before its work is done: one line for people, and the exit status. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly status: ExitStatus;
  /** The place in a file that it is about, which the message names as well; absent: it is about none. */
  readonly place?: ErrorPlace;

  constructor(status: ExitStatus, message: string, place?: ErrorPlace) {
    super(message);
    this.status = status;
    if (place !== undefined) this.place = place;
  }
}

/** A place in a file: line and column are counted from 1. */
interface ErrorPlace {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** The caller's mistake; the message says how to put it right. */
export function usageError(message: string): CommandError {
  return new CommandError(EXIT.usage, message);
}

/** It could not be done, through no fault of the command line. */
export function notDone(message: string, place?: ErrorPlace): CommandError {
  return new CommandError(EXIT.notDone, message, place);
}

/** What the program's exit status means: svc(1), EXIT STATUS. */
export const EXIT = { agreed: 0, trouble: 1, usage: 2, notDone: 3, interrupted: 130 } as const;

/** One of the exit statuses. */
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** The words for a system error, without codes and paths; throws anything else. */
export function reason(error: unknown): string {
  const words = systemWords(error);
  if (words === undefined) throw error;
  return words;
}

/** Whether an error has this code of the system or of Node. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Makes a promise's error of this code undefined; throws any other. */
export function unless(code: string): (error: unknown) => undefined {
  return (error) => {
    if (!hasCode(error, code)) throw error;
  };
}

/**
 * Parts of node:util. To import that module is enough to make Node 24 warn on the standard error output
 * when NO_COLOR and FORCE_COLOR are both set; which of them counts is for us to decide, and decided.
 */
export const { inspect } = process.getBuiltinModule('node:util');
