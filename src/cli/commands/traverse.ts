import { type Command, Option } from 'commander';
import { isJobId } from '../../client/job-id.ts';
import type { TraversalResult } from '../../document/result.ts';
import { replay, traverse } from '../../traverse.ts';
import type { Question } from '../../wire/question.ts';
import { addFormatFlags, type FormatFlags, formatOf } from '../flags/format.ts';
import { addManyFlags, type ManyFlags, manyNames } from '../flags/many-flags.ts';
import { readQuestion, readReverse } from '../flags/question-arguments.ts';
import { addServerFlag, type ServerFlags, serverOf } from '../flags/server-flag.ts';
import { addTraversalFlags, type TraversalFlags } from '../flags/traversal-flags.ts';
import type { Configure } from '../process/configure.ts';
import { EXIT, type ExitStatus, statusOf, usageError } from '../process/exit-status.ts';
import { writeTextFile } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import { openField } from '../runner/field.ts';
import { replayedEvents } from '../runner/replayed-events.ts';
import { requestBody } from '../runner/request-body.ts';
import { readSaved } from '../runner/saved.ts';
import { closingWords } from '../view/closing-words.ts';
import { json, jsonLine } from '../view/json.ts';
import { listShowcases } from '../view/showcases.ts';
import { type Watch, watchTraversal } from '../view/watch-traversal.ts';
import { writeResult } from '../view/write-result.ts';

interface Flags extends TraversalFlags, FormatFlags, ServerFlags, ManyFlags {
  readonly x?: string;
  readonly save?: string;
  readonly replay?: string;
}

/** `svc traverse NAME [TYPE]`. */
export const configureTraverse: Configure = (command, { io, exit }) => {
  command
    .argument('[name]', 'what to look up; internationalised names are accepted')
    .argument('[type]', 'the type of the records: A (default), AAAA, MX, ..., or TYPE65280')
    .option('-x <address>', 'look up the name behind an address, in place of NAME and TYPE');
  addTraversalFlags(command);
  const asking = command.options.map((option) => option.attributeName());
  addServerFlag(command);
  addFormatFlags(command);
  addFileFlags(command, asking);
  addManyFlags(command);
  command.addHelpText('after', AFTERWORD);
  command.action(async (name: string | undefined, type: string | undefined, flags: Flags) => {
    const format = command.getOptionValueSource('format') === 'default' ? undefined : flags.format;
    const file = manyNames(flags, name, format);
    const asked = { name, type, flags };
    exit(file === undefined ? await traverseCommand(asked, io) : await traverseAll(file, flags, io));
  });
};

const AFTERWORD = `
Exit status:
  0    every path ends in the same answer, or in the same NODATA or NXDOMAIN
  1    done, and found trouble: paths that fail, or answers that differ
  2    wrong usage
  3    could not be done: no network, too little time or too few queries, a file
  130  interrupted; what was known is printed

Examples:
  svc traverse --demo                    list what the demo has to show
  svc traverse www.mixed.example --demo
  svc traverse example.com MX
  svc traverse -x 192.0.2.1 --json
  svc traverse -f names.txt --resume results.jsonl
`;

/** `asking`: the options that a saved result brings along. */
function addFileFlags(command: Command, asking: string[]): void {
  command
    .optionsGroup('Files:')
    .option('--save <file>', 'write the whole result to a file, as JSON')
    .addOption(
      new Option('--replay <file>', 'evaluate a saved result again, without a network').conflicts(asking),
    );
}

async function traverseAll(file: string, flags: Flags, io: Io): Promise<ExitStatus> {
  const { traverseMany } = await import('../many/many.ts');
  return await traverseMany(file, flags, serverOf(flags, io.env), io);
}

interface Asked {
  readonly name: string | undefined;
  readonly type: string | undefined;
  readonly flags: Flags;
}

async function traverseCommand(asked: Asked, io: Io): Promise<ExitStatus> {
  const { name, flags } = asked;
  const named = name !== undefined || flags.x !== undefined;
  const server = serverOf(flags, io.env);
  if (flags.replay !== undefined) {
    if (named) throw usageError('--replay FILE says itself what was asked: leave NAME and TYPE out');
    return await replayed(flags.replay, flags, io);
  }
  if (flags.demo && !named) return await listShowcases(io);
  return await traversed(questionOf(asked), server, flags, io);
}

async function replayed(path: string, flags: Flags, io: Io): Promise<ExitStatus> {
  const saved = await readSaved(path);
  const result = replay(saved);
  if (flags.format === 'jsonl') {
    for (const event of replayedEvents(saved.recording, result)) io.stdout.write(jsonLine(event));
  }
  await tell(result, flags, io);
  return statusOf(result);
}

async function traversed(
  question: Question,
  server: URL | undefined,
  flags: Flags,
  io: Io,
): Promise<ExitStatus> {
  const watch = watchTraversal(formatOf(flags, io), io);
  const run = server === undefined ? runHere : await runAt(server);
  const result = await run(question, flags, watch, io).finally(watch.stop);
  if (watch.by() === 'lost-reader') return EXIT.notDone;
  await tell(result, flags, io);
  const interrupted = result.ending === 'cancelled' && watch.by() === 'signal';
  return interrupted ? EXIT.interrupted : statusOf(result);
}

type Run = (question: Question, flags: Flags, watch: Watch, io: Io) => Promise<TraversalResult>;

const runHere: Run = async (question, flags, { emit, signal }, io) => {
  const { options, hints, exchange, close } = await openField(flags, io);
  return await traverse({ question, options, hints }, { exchange, emit, signal }).finally(close);
};

async function runAt(server: URL): Promise<Run> {
  const { traverseAt } = await import('../runner/traverse-at.ts');
  return (question, flags, watch) => traverseAt(server, requestBody(question, flags), watch);
}

/** Prints the result, saves it where that is asked for, and says what would have told more. */
async function tell(result: TraversalResult, flags: Flags, io: Io): Promise<void> {
  await writeResult(result, formatOf(flags, io), io);
  if (flags.save !== undefined) await writeTextFile(flags.save, json(result));
  for (const line of closingWords(result)) io.stderr.write(`svc: ${line}\n`);
}

function questionOf({ name, type, flags }: Asked): Question {
  if (flags.x !== undefined) {
    if (name !== undefined) throw usageError('-x ADDRESS takes the place of NAME and TYPE: leave them out');
    return readReverse(flags.x);
  }
  if (name === undefined) throw usageError('NAME is missing: svc traverse www.example.com (or --demo)');
  if (isJobId(name)) {
    throw usageError(`${name} is a job's identifier: svc watch and svc servers take one, with --server URL`);
  }
  return readQuestion(name, type);
}
