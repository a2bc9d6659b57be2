import type { Command } from 'commander';
import type { TraversalResult } from '../../document/result.ts';
import { exitStatus } from '../../reading/exit-status.ts';
import { replay, replayEvents } from '../../traverse.ts';
import type { Question } from '../../wire/question.ts';
import { fileOption } from '../flags/file-option.ts';
import { addFormatFlags, type Format, type FormatFlags, formatOf } from '../flags/format-flags.ts';
import { addManyFlags, fileOfNames, type ManyFlags } from '../flags/many-flags.ts';
import { addQuestionArguments, type QuestionFlags, readQuestionWords } from '../flags/question-words.ts';
import { addServerFlag, type ServerFlags, serverOf } from '../flags/server-flag.ts';
import { type Asked, namesQuestion, questionOf } from '../flags/target.ts';
import { addTraversalFlags, type TraversalFlags } from '../flags/traversal-flags.ts';
import { usageError } from '../process/command-error.ts';
import type { Configure } from '../process/configure.ts';
import { EXIT, type ExitStatus } from '../process/exit-status.ts';
import { checkWritable, writeTextFile } from '../process/files.ts';
import { addAfterword } from '../process/help.ts';
import { interruption } from '../process/interruption.ts';
import type { Io } from '../process/io.ts';
import { jsonLine, prettyJson } from '../process/json.ts';
import { valueIn } from '../runner/complaint.ts';
import { openRunner } from '../runner/open-runner.ts';
import { withRunner } from '../runner/runner.ts';
import { readSaved } from '../runner/saved.ts';
import { closingWords } from '../view/closing-words.ts';
import { jsonWriter, NO_EVENTS } from '../view/event-writer.ts';
import { NOT_LIVE } from '../view/live.ts';
import { Progress } from '../view/progress.ts';
import { showProgress } from '../view/show-progress.ts';
import { listShowcases } from '../view/showcases.ts';
import { writeResult } from '../view/write-result.ts';

interface Flags extends TraversalFlags, FormatFlags, ServerFlags, ManyFlags, QuestionFlags {
  readonly save?: string;
  readonly replay?: string;
}

/** `svc traverse NAME [TYPE]`. */
export const configureTraverse: Configure = (command, { io, exit }) => {
  addQuestionArguments(command, 'what to look up; internationalised names are accepted');
  addTraversalFlags(command);
  const asking = command.options.map((option) => option.attributeName());
  addServerFlag(command);
  command.hook('preAction', () => {
    if (command.args.includes(DIG_SHORT)) command.setOptionValueWithSource('short', true, 'cli');
  });
  addFormatFlags(command);
  addFileFlags(command, asking);
  addManyFlags(command);
  addAfterword(command, AFTERWORD);
  command.action(async (_name, _type, flags: Flags) => {
    const words = command.args.filter((word) => word !== DIG_SHORT);
    const format = command.getOptionValueSource('format') === 'default' ? undefined : flags.format;
    const file = fileOfNames({ flags, words, format });
    exit(
      file === undefined
        ? await traverseOne({ words: readQuestionWords(words), flags }, io)
        : await traverseAll(file, flags, io),
    );
  });
};

/** dig's spelling of --short. */
const DIG_SHORT = '+short';

const AFTERWORD = {
  exitStatus: [
    ['0', 'every path ends in the same answer, NODATA or NXDOMAIN, and no finding is an error or worse'],
    [
      '1',
      'done, and found trouble: paths that fail, answers that differ, a finding that is an error or worse',
    ],
    ['2', 'wrong usage'],
    [
      '3',
      'could not be done, or not to the end: no network, DNS intercepted on the way, a limit reached, a file',
    ],
    ['130', 'interrupted; what was known is printed'],
  ],
  examples: [
    ['svc traverse --demo', 'list the names that the demo has'],
    ['svc traverse www.mixed.example --demo'],
    ['svc traverse example.com MX'],
    ['svc traverse -x 192.0.2.1 --json'],
    ['svc traverse -f names.txt --resume results.jsonl'],
  ],
} as const;

/** `asking`: the options that a saved result brings with it. */
function addFileFlags(command: Command, asking: string[]): void {
  command
    .optionsGroup('Files:')
    .addOption(fileOption('--save <file>', 'write the whole result to a file, as JSON'))
    .addOption(
      fileOption('--replay <file>', 'evaluate a saved result again (-: stdin), without a network').conflicts(
        asking,
      ),
    );
}

async function traverseAll(path: string, flags: Flags, io: Io): Promise<ExitStatus> {
  const { traverseMany } = await import('../many/traverse-many.ts');
  return await traverseMany({ path, flags, server: serverOf(flags, io.env) }, io);
}

interface AskedOfTraverse extends Asked {
  readonly flags: Flags;
}

async function traverseOne(asked: AskedOfTraverse, io: Io): Promise<ExitStatus> {
  const { flags } = asked;
  const server = serverOf(flags, io.env);
  if (flags.save !== undefined) await checkWritable(flags.save);
  if (flags.replay !== undefined) {
    if (namesQuestion(asked))
      throw usageError('--replay FILE names the question itself: leave out NAME and TYPE');
    return await replaySaved(flags.replay, flags, io);
  }
  if (flags.demo && !namesQuestion(asked)) return await listShowcases(io);
  return await traverseLive(questionOf(asked), server, flags, io);
}

async function replaySaved(path: string, flags: Flags, io: Io): Promise<ExitStatus> {
  const format = formatOf(flags, io);
  const saved = await readSaved(path, io.stdin);
  const result = replay(saved);
  if (format.kind === 'jsonl') {
    for (const event of replayEvents(saved, result)) io.stdout.write(jsonLine(event));
  }
  await tell(result, format, flags, io);
  return exitStatus(result);
}

async function traverseLive(
  question: Question,
  server: URL | undefined,
  flags: Flags,
  io: Io,
): Promise<ExitStatus> {
  const format = formatOf(flags, io);
  const { signal, stop } = interruption(io);
  const progress = new Progress();
  const events = format.kind === 'jsonl' ? jsonWriter(io.stdout) : NO_EVENTS;
  const live = isForPeople(format, io) ? await showProgress(progress, flags.color, io) : NOT_LIVE;
  const run = async () =>
    await withRunner(await openRunner(server, flags, io), (runner) =>
      runner.traverse(question, {
        signal,
        tell: (event) => {
          progress.note(event);
          events.write(event);
        },
      }),
    );
  const answer = await run().finally(() => {
    live.stop();
    events.stop();
    stop();
  });
  const result = valueIn(answer, server);
  await tell(result, format, flags, io);
  return result.ending === 'cancelled' ? EXIT.interrupted : exitStatus(result);
}

/** Events on a terminal are a live view of their own. */
function isForPeople({ kind }: Format, { stdout }: Io): boolean {
  return kind !== 'none' && !(kind === 'jsonl' && stdout.isTTY === true);
}

/** Prints the result, saves it where that is asked for, and says what would have told more. */
async function tell(result: TraversalResult, format: Format, { save }: Flags, io: Io): Promise<void> {
  await writeResult(result, format, io);
  if (save !== undefined) await writeTextFile(save, prettyJson(result));
  if (format.kind === 'none') return;
  for (const line of closingWords(result)) io.stderr.write(`svc: ${line}\n`);
}
