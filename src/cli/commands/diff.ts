import { Argument, type Command } from 'commander';
import type { TraversalResult } from '../../document/result.ts';
import { replay } from '../../provable.ts';
import { changesBetween } from '../../reading/changes/result-changes.ts';
import { exitStatus, RESULT_STATUS } from '../../reading/exit-status.ts';
import { asked } from '../../reading/words/names.ts';
import type { FormatIn } from '../../report/formats.ts';
import { changesText } from '../../report/render/changes-text.ts';
import { jsonText } from '../../shape/safe-json.ts';
import { questionKey } from '../../wire/question.ts';
import { addLookFlags, formatOption } from '../flags/format-flags.ts';
import { addJsonFlag, addPrettyFlag, type PrettyFlag, printedJson } from '../flags/json-flags.ts';
import { addServerFlag, type ServerFlags, serverOf } from '../flags/server-flag.ts';
import { type ColourFlag, colourFor } from '../process/colour.ts';
import { usageError } from '../process/command-error.ts';
import type { Configure } from '../process/configure.ts';
import { EXIT, type ExitStatus } from '../process/exit-status.ts';
import { STDIN } from '../process/files.ts';
import { addAfterword } from '../process/help.ts';
import { type Io, lineWidth } from '../process/io.ts';
import { readSaved } from '../runner/saved.ts';
import { traverseLike } from './traverse-like.ts';

/** The options of `svc diff`, as commander gives them. */
interface DiffFlags extends ServerFlags, ColourFlag, PrettyFlag {
  readonly format: FormatIn<'diff'>;
  readonly demo?: true;
  readonly verbose?: true;
}

/** `svc diff OLD [NEW]`. */
export const configureDiff: Configure = (command, { io, exit }) => {
  command
    .addArgument(savedArgument('<old>', 'a saved result (-: stdin)'))
    .addArgument(savedArgument('[new]', 'another one; without it, the question of OLD is traversed now'))
    .optionsGroup('How to ask:')
    .option('--demo', 'ask the built-in simulated internet: needed if OLD is of the demo');
  addServerFlag(command);
  addPrintFlags(command);
  addAfterword(command, AFTERWORD);
  command.action(async (old: string, later: string | undefined, flags: DiffFlags) => {
    exit(await diff(old, later, flags, io));
  });
};

function savedArgument(name: string, meaning: string): Argument {
  const argument = new Argument(name, meaning);
  return argument.argParser((path: string) => {
    if (path === '')
      throw usageError(`${argument.name().toUpperCase()} is empty: write the name of a saved result`);
    // Commander takes them for negative numbers.
    if (/^-\d+$/.test(path)) throw usageError(`unknown option '${path}' (see svc help diff)`);
    return path;
  });
}

function addPrintFlags(command: Command): void {
  command.optionsGroup('What to print:').addOption(formatOption('diff'));
  addJsonFlag(command, 'json');
  addPrettyFlag(command);
  addLookFlags(command, 'leave nothing out');
}

const AFTERWORD = {
  exitStatus: [
    ['0', 'the results are the same'],
    ['1', 'something changed'],
    ['2', 'wrong usage, or results for different questions'],
    ['3', 'failed: a file that is no result, no network, or a limit that may be all that differs'],
    ['130', 'interrupted'],
  ],
  examples: [
    ['svc traverse www.example.com --save yesterday.json'],
    ['svc diff yesterday.json'],
    ['svc diff yesterday.json today.json --json'],
  ],
} as const;

async function diff(old: string, later: string | undefined, flags: DiffFlags, io: Io): Promise<ExitStatus> {
  if (old === STDIN && later === STDIN)
    throw usageError('OLD and NEW are both stdin: one of them must be a file');
  const server = later === undefined ? serverOf(flags, io.env) : undefined;
  if (later !== undefined && (flags.demo || flags.server))
    throw usageError('NEW needs no network: leave out NEW, or --demo and --server');
  const saved = await readSaved(old, io.stdin);
  const before = replay(saved);
  const after =
    later === undefined
      ? await traverseLike(saved, server, flags, io)
      : replay(await readSaved(later, io.stdin));
  if (questionKey(before.query) !== questionKey(after.query))
    throw usageError(
      `the results are for different questions: ${asked(before.query)} and ${asked(after.query)}`,
    );
  return tell(before, after, flags, io);
}

function tell(
  before: TraversalResult,
  after: TraversalResult,
  flags: DiffFlags,
  { stdout, stderr, env }: Io,
): ExitStatus {
  const changes = changesBetween(before, after);
  const look = {
    colour: colourFor(flags, stdout, env),
    detail: flags.verbose ? 'full' : 'terse',
    width: lineWidth(stdout),
  } as const;
  const texts: Readonly<Record<FormatIn<'diff'>, () => string>> = {
    text: () => changesText(changes, [before, after], look),
    json: () => jsonText(changes, printedJson(flags, stdout)),
  };
  stdout.write(texts[flags.format]());
  if (changes.same) return EXIT.agreed;
  const unsure = [before, after].some((result) => exitStatus(result) === RESULT_STATUS.unknown);
  if (unsure)
    stderr.write('svc: one of the results is not complete: what was not asked may be all that differs\n');
  return unsure ? EXIT.notDone : EXIT.trouble;
}
