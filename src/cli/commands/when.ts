import { jsonText } from '../../base/json.ts';
import type { Question } from '../../dns/message.ts';
import { isJobId } from '../../document/api/jobs.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { Times } from '../../document/when.ts';
import type { FormatIn } from '../../report/formats.ts';
import { nothingHeard } from '../../report/views/conclusion.ts';
import { leadTimesOf } from '../../report/when/times.ts';
import { timesText } from '../../report/when/times-text.ts';
import { Progress } from '../../traversal/progress.ts';
import { addPrintFlags, type PrettyFlag, printedJson } from '../flags/format-flags.ts';
import {
  addQuestionArguments,
  type QuestionFlags,
  questionOf,
  readQuestionWords,
} from '../flags/question.ts';
import { addServerFlag, type ServerFlags, serverOf } from '../flags/server-flag.ts';
import { addTraversalFlags, type TraversalFlags } from '../flags/traversal-flags.ts';
import { CommandError, EXIT, type ExitStatus, notDone, usageError } from '../process/errors.ts';
import { addHelpSections, type Configure } from '../process/help.ts';
import { interruption } from '../process/interruption.ts';
import { type ColourFlag, colourFor, type Io, lineWidth, marksFor } from '../process/io.ts';
import { valueIn } from '../runner/failure.ts';
import { openRunner } from '../runner/open-runner.ts';
import { withRunner } from '../runner/runner.ts';
import { showProgress } from '../view/summary-frame.ts';

/** `svc when NAME`. */
export const configureWhen: Configure = (command, { io, exit }) => {
  addQuestionArguments(command, 'what to look up');
  addTraversalFlags(command);
  addServerFlag(command);
  addPrintFlags(command, 'when', 'leave nothing out');
  command.option('--explain', 'show the sum of each time: which TTL, from which server');
  addHelpSections(command, AFTERWORD);
  command.action(async (_name, _type, flags: Flags) => {
    const asked = { command: 'when', words: readQuestionWords(command.args), flags } as const;
    if (asked.words.name !== undefined && isJobId(asked.words.name))
      throw usageError(`${asked.words.name} is a job: write NAME, or get /api/traverse/ID/when`);
    if (flags.explain && flags.format !== 'text')
      throw usageError(`--explain goes with text, not with ${flags.format}, which has the sums anyway`);
    exit(await when(questionOf(asked), flags, io));
  });
};

interface Flags extends TraversalFlags, ServerFlags, QuestionFlags, PrettyFlag, ColourFlag {
  readonly format: FormatIn<'when'>;
  readonly explain?: true;
  readonly verbose?: true;
}

const AFTERWORD = {
  exitStatus: [
    ['0', 'the times are printed'],
    ['2', 'wrong usage'],
    ['3', 'failed: no network, no service, or no server that answers'],
    ['130', 'interrupted'],
  ],
  examples: [
    ['svc when www.example.com', 'how long each kind of change would take'],
    ['svc when www.example.com --check --explain', 'and why, with the negative TTL'],
    ['svc when www.mixed.example --demo'],
  ],
} as const;

async function when(question: Question, flags: Flags, io: Io): Promise<ExitStatus> {
  const result = await traversed(question, flags, io);
  print(leadTimesOf(result), flags, io);
  return EXIT.agreed;
}

/** Traverses, showing how far it is. Throws a `CommandError` if that is interrupted, or hears nothing. */
async function traversed(question: Question, flags: Flags, io: Io): Promise<TraversalResult> {
  const server = serverOf(flags, io.env);
  const { signal, stop } = interruption(io);
  const progress = new Progress();
  const live = showProgress(progress, flags, io);
  const finish = () => {
    live.stop();
    stop();
  };
  const run = async () =>
    await withRunner(await openRunner(server, flags, io), (runner) =>
      runner.traverse(question, { signal, heardAll: finish, tell: progress.note.bind(progress) }),
    );
  const result = valueIn(await run().finally(finish), server);
  if (signal.aborted && result.ending === 'cancelled')
    throw new CommandError(EXIT.interrupted, 'interrupted: the times are unknown');
  if (nothingHeard(result)) throw notDone('no server replied: is there a network?');
  return result;
}

function print(times: Times, flags: Flags, { stdout, env }: Io): void {
  const look = {
    colour: colourFor(flags, stdout, env),
    marks: marksFor(env),
    detail: flags.verbose ? 'full' : 'terse',
    width: lineWidth({ stdout, env }),
    sums: flags.explain ? 'shown' : 'hidden',
    now: new Date(),
  } as const;
  const texts: Readonly<Record<FormatIn<'when'>, () => string>> = {
    text: () => timesText(times, look),
    json: () => jsonText(times, printedJson(flags, stdout)),
  };
  stdout.write(texts[flags.format]());
}
