/* The errors that end a command, and its exit statuses. */

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

/** What the program's exit status means: svc(1), EXIT STATUS. */
export const EXIT = { agreed: 0, trouble: 1, usage: 2, notDone: 3, interrupted: 130 } as const;

/** One of the exit statuses. */
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** The words for a system error, without codes and paths; throws anything else. */
export function reason(error: unknown): string {
  if (!(error instanceof Error) || !('errno' in error) || typeof error.errno !== 'number') throw error;
  const [code = '', words = error.message] = getSystemErrorMap().get(error.errno) ?? [];
  return BETTER_WORDS[code] ?? words;
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

/** Where the system's own words say less than they could. */
const BETTER_WORDS: Readonly<Record<string, string>> = { EISDIR: 'is a directory' };

/**
 * Parts of node:util. To import that module is enough to make Node 24 warn on the standard error output
 * when NO_COLOR and FORCE_COLOR are both set; which of them counts is for us to decide, and decided.
 */
export const { getSystemErrorMap, inspect } = process.getBuiltinModule('node:util');
