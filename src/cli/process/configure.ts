import type { Command } from 'commander';
import type { ExitStatus } from './exit-status.ts';
import type { Io } from './io.ts';

/** What a subcommand is given to work with. */
export interface Around {
  readonly io: Io;
  /** Says with which status the program ends. */
  readonly exit: (status: ExitStatus) => void;
  /** The whole program, with every subcommand loaded: for those that tell of it. */
  readonly wholeProgram: () => Promise<Command>;
}

/**
 * Gives a subcommand its arguments, options and action. The action ends with `exit(status)`, or
 * throws a `CommandError` (`usageError`, `notDone`), which becomes one line on stderr.
 */
export type Configure = (command: Command, around: Around) => void;
