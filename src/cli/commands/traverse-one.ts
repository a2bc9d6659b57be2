import type { TraversalResult } from '../../document/result.ts';
import { exitStatus } from '../../reading/exit-status.ts';
import { replay, replayEvents } from '../../traverse.ts';
import type { Question } from '../../wire/question.ts';
import { type Format, type FormatFlags, formatOf } from '../flags/format-flags.ts';
import type { ManyFlags } from '../flags/many-flags.ts';
import type { QuestionFlags } from '../flags/question-words.ts';
import { type ServerFlags, serverOf } from '../flags/server-flag.ts';
import { type Asked, namesQuestion, questionOf } from '../flags/target.ts';
import type { TraversalFlags } from '../flags/traversal-flags.ts';
import { usageError } from '../process/command-error.ts';
import { EXIT, type ExitStatus } from '../process/exit-status.ts';
import { checkWritable, writeTextFile } from '../process/files.ts';
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

/** The options of `svc traverse`, as commander gives them. */
export interface TraverseFlags extends TraversalFlags, FormatFlags, ServerFlags, ManyFlags, QuestionFlags {
  readonly save?: string;
  readonly replay?: string;
}

/** A command line that asks for the traversal of one name. */
interface AskedOfTraverse extends Asked {
  readonly flags: TraverseFlags;
}

/** Traverses one name, or evaluates a saved result again, and prints the result. */
export async function traverseOne(asked: AskedOfTraverse, io: Io): Promise<ExitStatus> {
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

async function replaySaved(path: string, flags: TraverseFlags, io: Io): Promise<ExitStatus> {
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
  flags: TraverseFlags,
  io: Io,
): Promise<ExitStatus> {
  const format = formatOf(flags, io);
  const { signal, stop } = interruption(io);
  const progress = new Progress();
  const events = format.kind === 'jsonl' ? jsonWriter(io.stdout) : NO_EVENTS;
  const live = isForPeople(format, io) ? await showProgress(progress, flags, io) : NOT_LIVE;
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
  const isCutShort = signal.aborted && result.ending === 'cancelled';
  return isCutShort ? EXIT.interrupted : exitStatus(result);
}

/** Events on a terminal are a live view of their own. */
function isForPeople({ kind }: Format, { stdout }: Io): boolean {
  return kind !== 'none' && !(kind === 'jsonl' && stdout.isTTY === true);
}

/** Prints the result, saves it where that is asked for, and says what would have told more. */
async function tell(result: TraversalResult, format: Format, { save }: TraverseFlags, io: Io): Promise<void> {
  await writeResult(result, format, io);
  if (save !== undefined) await writeTextFile(save, prettyJson(result));
  if (format.kind === 'none') return;
  for (const line of closingWords(result)) io.stderr.write(`svc: ${line}\n`);
}
