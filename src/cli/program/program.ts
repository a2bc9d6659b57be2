import { Command } from 'commander';
import { VERSION } from '../../version.ts';
import type { Configure } from '../process/configure.ts';
import type { ExitStatus } from '../process/exit-status.ts';
import { HELP_FORMAT } from '../process/help.ts';
import { columnsOf, type Io } from '../process/io.ts';
import { SUBCOMMANDS, type Subcommand } from './subcommands.ts';

/**
 * A fresh program. Subcommands that `loaded` does not hold are there by name only, which is enough to
 * list them. Its parsing throws commander's `CommanderError` instead of exiting.
 */
export function createProgram(
  io: Io,
  loaded: ReadonlyMap<string, Configure>,
  exit: (status: ExitStatus) => void,
): Command {
  const around = { io, exit };
  const program = new Command('svc')
    .description('Says where every path through the DNS to a name ends, with exact probabilities.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // Errors are printed by whoever catches them.
      writeErr: () => {},
      getOutHelpWidth: () => columnsOf(io.stdout),
      getOutHasColors: () => false,
    })
    .configureHelp(HELP_FORMAT);
  for (const { name, summary } of SUBCOMMANDS) {
    const command = program.command(name).summary(summary).description(summary);
    loaded.get(name)?.(command, around);
  }
  return program;
}

/** A program with every subcommand loaded, for what describes it. */
export async function wholeProgram(io: Io): Promise<Command> {
  return createProgram(io, await loadedSubcommands(SUBCOMMANDS), () => {});
}

/** Loads subcommands, by name. */
export async function loadedSubcommands(
  subcommands: readonly Subcommand[],
): Promise<ReadonlyMap<string, Configure>> {
  return new Map(await Promise.all(subcommands.map(async ({ name, load }) => [name, await load()] as const)));
}
