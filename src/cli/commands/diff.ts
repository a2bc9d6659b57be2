import { Argument } from 'commander';
import { jsonText } from '../../base/json.ts';
import { questionKey } from '../../dns/message.ts';
import { isGloballyReachable } from '../../dns/special-purpose.ts';
import type { Saved } from '../../document/read-result.ts';
import type { TraversalResult } from '../../document/result.ts';
import { asked } from '../../document/words/names.ts';
import { changesText } from '../../report/changes-text.ts';
import type { FormatIn } from '../../report/formats.ts';
import { changesBetween, notComparedIn } from '../../report/views/changes.ts';
import { exitStatus } from '../../report/views/conclusion.ts';
import { nothingHeard } from '../../report/views/findings.ts';
import { RESULT_STATUS } from '../../report/views/status.ts';
import { replay, withoutViews } from '../../traversal/node-replay.ts';
import { addPrintFlags, printedJson } from '../flags/format-flags.ts';
import { addServerFlag, type ServerFlags, serverOf } from '../flags/server-flag.ts';
import { CommandError, EXIT, type ExitStatus, notDone, usageError } from '../process/errors.ts';
import { STDIN } from '../process/files.ts';
import { addHelpSections, type Configure, SHARED_HEADINGS } from '../process/help.ts';
import { type ColourFlag, type Io, textLook } from '../process/io.ts';
import { readSaved } from '../runner/input-files.ts';
import { openRunnerLike } from '../runner/open-runner.ts';
import { traverseShown } from './run-target.ts';

/** `svc diff OLD [NEW]`. */
export const configureDiff: Configure = (command, { io, exit }) => {
  command
    .addArgument(savedArgument('<old>', 'a saved result (-: stdin)'))
    .addArgument(savedArgument('[new]', 'another one; without it, the question of OLD is traversed now'))
    .optionsGroup(SHARED_HEADINGS.asking)
    .option('--demo', 'ask the built-in simulated internet: needed if OLD is of the demo');
  addServerFlag(command);
  addPrintFlags(command, 'diff', 'leave nothing out');
  addHelpSections(command, AFTERWORD);
  command.action(async (old: string, later: string | undefined, flags: DiffFlags) => {
    exit(await diff(old, later, flags, io));
  });
};

/** The options of `svc diff`, as commander gives them. */
interface DiffFlags extends ServerFlags, ColourFlag {
  readonly format: FormatIn<'diff'>;
  readonly demo?: true;
  readonly verbose?: true;
}

function savedArgument(name: string, meaning: string): Argument {
  const argument = new Argument(name, meaning);
  return argument.argParser((path: string) => {
    if (path === '')
      throw usageError(`${argument.name().toUpperCase()} is empty: write the name of a saved result`);
    // Commander takes them for negative numbers.
    if (/^-\d+$/.test(path)) throw usageError(`svc diff has no option ${path}: see svc help diff`);
    return path;
  });
}

const AFTERWORD = {
  examples: ['svc diff yesterday.json', 'svc diff yesterday.json today.json --json'],
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
  return printChanges(before, after, flags, io);
}

function printChanges(
  before: TraversalResult,
  after: TraversalResult,
  flags: DiffFlags,
  { stdout, stderr, env }: Io,
): ExitStatus {
  const notCompared = notComparedIn(before, after);
  const views = new Set(notCompared.flatMap(({ view, only }) => (only === undefined ? [view] : [])));
  const changes = changesBetween(
    withoutViews(before, views),
    withoutViews(after, views),
    undefined,
    notCompared,
  );
  const look = textLook(flags, { stdout, env });
  const texts: Readonly<Record<FormatIn<'diff'>, () => string>> = {
    text: () => changesText(changes, [before, after], look),
    json: () => jsonText(changes, printedJson(stdout)),
  };
  stdout.write(texts[flags.format]());
  if (changes.same) return EXIT.agreed;
  const unsure = [before, after].some((result) => exitStatus(result) === RESULT_STATUS.unknown);
  if (unsure)
    stderr.write(
      'svc: one of the results is incomplete: they may differ only in questions that were not asked\n',
    );
  return unsure ? EXIT.notDone : EXIT.trouble;
}

/**
 * Traverses the question of a saved result now, in the same way, here or at a server. Throws a `CommandError`
 * if that is interrupted, or hears nothing.
 */
async function traverseLike(
  saved: Saved,
  server: URL | undefined,
  flags: ColourFlag & { readonly demo?: true },
  io: Io,
): Promise<TraversalResult> {
  const { question } = saved.recording.scope;
  const open = () => openRunnerLike(saved, server, flags);
  const { result, isInterrupted } = await traverseShown(question, open, server, { flags, io });
  if (isInterrupted) throw new CommandError(EXIT.interrupted, 'interrupted: there is nothing to compare');
  if (result.ending === 'cancelled')
    throw notDone('the job was cancelled at the service: there is nothing to compare');
  if (nothingHeard(result)) throw notDone(`no server replied: ${whyNone(saved, server, flags)}`);
  return result;
}

/** Why no server may have replied, and what to do about it. */
function whyNone(
  { recording: { scope } }: Saved,
  server: URL | undefined,
  { demo }: { readonly demo?: true },
): string {
  if (demo) return 'OLD is not of the demo, leave out --demo';
  const roots = scope.hints.nameservers.flatMap(({ glue }) => glue);
  return server !== undefined || roots.some(isGloballyReachable)
    ? 'is there a network?'
    : 'the root servers of OLD are not on the internet; if it is of the demo, add --demo';
}
