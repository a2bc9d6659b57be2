/*
 * The program `svc`. `main` runs a command line: it loads `program.ts`, in which commander finds the subcommand, and this
 * loads its file in `commands/`. `flags/` has the options: those of a traversal follow from the table in document/options.ts.
 * A command reads files (`runner/input-files.ts`), opens a runner (`runner/`: on this host, or at a service by way of
 * `remote/`, the client of svc-api(5)), follows its events (`view/`) and prints the result (`view/write-result.ts`).
 * `many/` has runs over lists of names and the watching of one name. Whatever ends a command early is a `CommandError`
 * (`process/errors.ts`): one line on stderr and an exit status. Streams, signals, the environment and the families of
 * this host are an `Io` (`process/io.ts`), so tests run `main` within their own process. No other room knows commander.
 */
import { VERSION } from '../base/version.ts';
import { printable } from '../document/words/shortened.ts';
import { CommandError, EXIT, type ExitStatus, inspect, reason } from './process/errors.ts';
import { type Io, type OutputStream, processIo } from './process/io.ts';

/** Runs the command line (without the program's own name) and resolves with the exit status. */
export async function main(argv: readonly string[], io: Io = processIo): Promise<number> {
  const trouble: unknown[] = [];
  for (const stream of [io.stdout, io.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // Whoever read the other end of a pipe has seen enough.
      if (error.code !== 'EPIPE') trouble.push(error);
    });
  }
  const status = await run(argv, io);
  await Promise.all([written(io.stdout), written(io.stderr)]);
  if (trouble.length === 0) return status;
  io.stderr.write(`svc: cannot write: ${reason(trouble[0])}\n`);
  return EXIT.notDone;
}

async function run(argv: readonly string[], io: Io): Promise<ExitStatus> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    const status = reportFailure(error, io);
    if (!isForNagios(argv)) return status;
    // A monitor reads stdout, and has a status of its own for whatever could not be checked.
    const { nagiosUnknown } = await import('../report/nagios.ts');
    io.stdout.write(nagiosUnknown(error instanceof CommandError ? error.message : 'svc failed'));
    return EXIT.notDone;
  }
}

/** Whether a command line asks for that format, even if it is wrong otherwise. */
function isForNagios(argv: readonly string[]): boolean {
  const [option, format] = ['--format', 'nagios'];
  return argv.some(
    (word, at) => word === `${option}=${format}` || (word === format && argv[at - 1] === option),
  );
}

function reportFailure(error: unknown, io: Io): ExitStatus {
  if (error instanceof CommandError) {
    io.stderr.write(`svc: ${printable(error.message)}\n`);
    return error.status;
  }
  if (isOutOfDescriptors(error)) {
    io.stderr.write('svc: too many open files: raise the limit (ulimit -n)\n');
    return EXIT.notDone;
  }
  // A bug has no status of its own; 1 would pass for trouble in the DNS.
  io.stderr.write(`svc: this is a bug in svc, please report it:\n${inspect(error)}\n`);
  return EXIT.notDone;
}

/** With fewer than Node itself needs to load a file, or where the limit is not known. */
function isOutOfDescriptors(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EMFILE';
}

/** Whatever people try that is no other command. */
const VERSION_WORDS: readonly (string | undefined)[] = ['--version', '-v', '-V', 'version'];

async function dispatch(argv: readonly string[], io: Io): Promise<ExitStatus> {
  if (argv.length === 1 && VERSION_WORDS.includes(argv[0])) {
    // Loads nothing that only other commands need.
    io.stdout.write(`${VERSION}\n`);
    return EXIT.agreed;
  }
  const { parse } = await import('./program.ts');
  return await parse(argv, io);
}

/** Resolves when everything written so far has gone out, or never will. */
function written(stream: OutputStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}
