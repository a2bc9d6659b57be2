import { CommanderError } from 'commander';
import { usageError } from '../process/command-error.ts';
import { EXIT, type ExitStatus } from '../process/exit-status.ts';
import type { Io } from '../process/io.ts';
import { createProgram, loadedSubcommands, wholeProgram } from './program.ts';
import { SUBCOMMANDS } from './subcommands.ts';

/** Parses the command line and runs the subcommand it names. Throws a `CommandError` for wrong usage. */
export async function parse(argv: readonly string[], io: Io): Promise<ExitStatus> {
  if (argv[0] === COMPLETE) {
    const { completions } = await import('../commands/completion.ts');
    io.stdout.write(await completions(await wholeProgram(io), argv.slice(1)));
    return EXIT.agreed;
  }
  const named = SUBCOMMANDS.filter(({ name }) => argv.includes(name));
  let status: ExitStatus = EXIT.agreed;
  const program = createProgram(io, await loadedSubcommands(named), (ended) => {
    status = ended;
  });
  if (argv.length === 0) throw usageError('no command given: write svc traverse NAME, or svc help');
  try {
    await program.parseAsync(argv.join(' ') === 'help help' ? ['help'] : argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version were asked for and printed.
    if (error.exitCode !== 0) throw usageError(oneLine(error, argv));
  }
  return status;
}

/** The hidden subcommand that the scripts of `svc completion` call. */
const COMPLETE = '__complete';

function oneLine(error: CommanderError, argv: readonly string[]): string {
  if (error.code === 'commander.help') return `unknown command '${argv.slice(1).join(' ')}' (see svc help)`;
  const message = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  const named = SUBCOMMANDS.find(({ name }) => name === argv[0]);
  const help = named === undefined ? 'svc help' : `svc help ${named.name}`;
  return `${message} (see ${help})`;
}
