import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { jsonText } from '../../base/json.ts';
import { LIMITS } from '../../base/limits.ts';
import type { Question } from '../../dns/message.ts';
import { isJobId } from '../../document/api/jobs.ts';
import { briefResult } from '../../document/views.ts';
import type { FormatIn } from '../../report/formats.ts';
import { addPrintFlags, printedJson } from '../flags/format-flags.ts';
import { type LimitFlags, limitOption } from '../flags/limit-option.ts';
import {
  addQuestionArguments,
  namesQuestion,
  type QuestionFlags,
  questionOf,
  readQuestionWords,
} from '../flags/question.ts';
import { addServerFlag, type ServerFlags, serverOf } from '../flags/server-flag.ts';
import { addExpectFlags, addTraversalFlags, type TraversalFlags } from '../flags/traversal-flags.ts';
import { type Standing, waitUntilExpected } from '../many/waiting.ts';
import { unlessRefused } from '../many/watch-again.ts';
import { EXIT, type ExitStatus, usageError } from '../process/errors.ts';
import { addHelpSections, type Configure } from '../process/help.ts';
import { interruption } from '../process/interruption.ts';
import type { ColourFlag, Io } from '../process/io.ts';
import { openRunner } from '../runner/open-runner.ts';
import { withRunner } from '../runner/runner.ts';
import { showWaiting } from '../view/wait-view.ts';
import { listShowcases } from './run-target.ts';

/** `svc wait NAME --expect ITEM`. */
export const configureWait: Configure = (command, { io, exit }) => {
  addQuestionArguments(command, 'what to look up');
  addTraversalFlags(command);
  addExpectFlags(command);
  addServerFlag(command);
  addWaitFlags(command);
  addPrintFlags(command, 'wait', 'print a line for each traversal, not only for changes');
  addHelpSections(command, AFTERWORD);
  command.action(async (_name, _type, flags: Flags) => {
    const asked = { command: 'wait', words: readQuestionWords(command.args), flags } as const;
    if (asked.words.name !== undefined && isJobId(asked.words.name))
      throw usageError(`${asked.words.name} is a job, which runs once: write NAME`);
    if (flags.demo && !namesQuestion(asked)) return exit(await listShowcases(io));
    const question = questionOf(asked);
    checkWish(flags);
    exit(await wait(question, flags, io));
  });
};

interface Flags
  extends TraversalFlags,
    ServerFlags,
    QuestionFlags,
    ColourFlag,
    Pick<LimitFlags, 'waitEveryMs' | 'waitForMs'> {
  readonly format: FormatIn<'wait'>;
  readonly everyServer?: true;
  readonly caches?: true;
  readonly verbose?: true;
}

function addWaitFlags(command: Command): void {
  command
    .optionsGroup('How long to wait:')
    .option('--every-server', 'wait until every path ends in an expected answer, not only users get one')
    .option('--caches', 'then wait until no resolver can hold an old copy, by the TTLs seen')
    .addOption(limitOption('waitEveryMs', '2s at first, at most 1m later'))
    .addOption(limitOption('waitForMs'));
}

const AFTERWORD = {
  examples: [
    'svc wait www.example.com --expect 192.0.2.80 --caches --for 2h',
    'svc wait old.example.com --expect nxdomain --every-server',
  ],
} as const;

/** Throws a `CommandError` for what can never come true. */
function checkWish({ expect, caches, views }: Flags): void {
  if (expect === undefined)
    throw usageError('--expect ITEM is missing: write what users shall get, such as --expect 192.0.2.1');
  if (caches && views?.includes('warm') === false)
    throw usageError("--caches counts the zones' own NS records: leave out --quick, or add warm to --views");
}

async function wait(question: Question, flags: Flags, io: Io): Promise<ExitStatus> {
  const server = serverOf(flags, io.env);
  const wish = {
    who: flags.everyServer ? 'servers' : 'users',
    caches: flags.caches ?? false,
    everyMs: flags.waitEveryMs,
    forMs: flags.waitForMs ?? LIMITS.waitForMs.default,
    clock: systemClock,
  } as const;
  const runner = await openRunner(server, flags, io);
  const { signal, stop } = interruption(io);
  const view = showWaiting({ ...wish, question, server, startedAt: new Date(), flags }, io);
  const traverse = async () =>
    unlessRefused(await view.during((observer) => runner.traverse(question, observer), signal), server);
  const waiting = withRunner(runner, () => waitUntilExpected({ ...wish, traverse, tell: view.tell, signal }));
  const standing = await waiting.finally(() => {
    view.stop();
    stop();
  });
  if (flags.format === 'json' && standing.kind !== 'unheard')
    io.stdout.write(jsonText(briefResult(standing.result), printedJson(io.stdout)));
  if (signal.aborted) return EXIT.interrupted;
  view.end(standing);
  return STATUS[standing.kind];
}

const STATUS: Readonly<Record<Standing['kind'], ExitStatus>> = {
  expected: EXIT.agreed,
  unexpected: EXIT.trouble,
  held: EXIT.trouble,
  unknown: EXIT.notDone,
  unheard: EXIT.notDone,
};
