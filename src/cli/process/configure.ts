import type { Command } from 'commander';
import type { ExitStatus } from './exit-status.ts';
import type { Io } from './io.ts';

/** What a subcommand works with. */
interface Around {
  readonly io: Io;
  /** Sets the exit status of the program. */
  readonly exit: (status: ExitStatus) => void;
}

/**
 * Gives a subcommand its arguments, options and action. The action ends with `exit(status)`, or
 * throws a `CommandError` (`usageError`, `notDone`), which becomes one line on stderr.
 */
export type Configure = (command: Command, around: Around) => void;
