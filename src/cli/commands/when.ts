import { Option } from 'commander';
import { jsonText } from '../../base/json.ts';
import { type Question, questionKey } from '../../dns/message.ts';
import { isJobId } from '../../document/api/jobs.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { Times } from '../../document/when.ts';
import { asked } from '../../document/words/names.ts';
import type { FormatIn } from '../../report/formats.ts';
import { isIntercepted, nothingHeard } from '../../report/views/findings.ts';
import { curveSvg } from '../../report/when/curve-svg.ts';
import { leadTimesOf, timesOfChange } from '../../report/when/times.ts';
import { timesText } from '../../report/when/times-text.ts';
import { replay } from '../../traversal/node-replay.ts';
import { readTime } from '../flags/dnssec-flags.ts';
import { addPrintFlags, printedJson } from '../flags/format-flags.ts';
import { fileOption } from '../flags/limit-option.ts';
import {
  addQuestionArguments,
  namesQuestion,
  type QuestionFlags,
  questionOf,
  readQuestionWords,
} from '../flags/question.ts';
import { addServerFlag, type ServerFlags, serverOf } from '../flags/server-flag.ts';
import { addTraversalFlags, type TraversalFlags } from '../flags/traversal-flags.ts';
import { addPlanFlags, type PlanFlags } from '../flags/what-if-flags.ts';
import { CommandError, EXIT, notDone, usageError } from '../process/errors.ts';
import { nameOf } from '../process/files.ts';
import { addHelpSections, type Configure } from '../process/help.ts';
import { type ColourFlag, type Io, textLook } from '../process/io.ts';
import { readSaved } from '../runner/input-files.ts';
import { openRunner } from '../runner/open-runner.ts';
import { listShowcases, traverseShown } from './run-target.ts';

/** `svc when NAME`. */
export const configureWhen: Configure = (command, { io, exit }) => {
  addQuestionArguments(command, 'what to look up');
  addTraversalFlags(command);
  addServerFlag(command);
  command.optionsGroup('The change:');
  command
    .addOption(fileOption('--since <file>', 'compare with this result, saved before the change (-: stdin)'))
    .addOption(
      new Option(
        '--changed-at <time>',
        'the time of the change, such as 2026-12-24T18:00Z (default: now)',
      ).argParser((text: string) => readTime(text, '--changed-at')),
    );
  addPlanFlags(command);
  addPrintFlags(command, 'when', 'leave nothing out');
  command.option('--explain', 'show the TTLs that add up to each time, and their servers');
  addHelpSections(command, AFTERWORD);
  command.action(async (_name, _type, flags: Flags) => {
    const words = readQuestionWords(command.args);
    if (words.name !== undefined && isJobId(words.name))
      throw usageError(`${words.name} is a job: write NAME, or get /api/traverse/ID/when`);
    if (flags.demo && !namesQuestion({ words, flags })) return exit(await listShowcases(io));
    const question = questionOf({ command: 'when', words, flags });
    checkFlags(flags);
    print(await timesFor(question, flags, io), flags, io);
    exit(EXIT.agreed);
  });
};

interface Flags extends TraversalFlags, ServerFlags, QuestionFlags, PlanFlags, ColourFlag {
  readonly format: FormatIn<'when'>;
  readonly explain?: true;
  readonly since?: string;
  /** ISO 8601, UTC. */
  readonly changedAt?: string;
  readonly verbose?: true;
}

const AFTERWORD = {
  examples: ['svc when www.example.com', 'svc when www.example.com --since before.json'],
} as const;

function isPlan({ delegate, zone, ds }: PlanFlags): boolean {
  return (delegate ?? zone ?? ds) !== undefined;
}

/** Throws a `CommandError` for options that exclude each other, and for a change in the future without a plan. */
function checkFlags(flags: Flags): void {
  const { format, explain, since, changedAt } = flags;
  if (explain && format !== 'text')
    throw usageError(`--explain goes with text, not with ${format}: leave out one of them`);
  if (isPlan(flags)) return;
  if (since === undefined && changedAt !== undefined)
    throw usageError('--changed-at needs a change: add --since FILE, a result saved before the change');
  if (since === undefined && format === 'svg')
    throw usageError('svg draws the curve of a change: add --since FILE, or --delegate, --zone or --ds');
  if (changedAt !== undefined && Date.parse(changedAt) > Date.now())
    throw usageError(
      `--changed-at ${changedAt} is in the future: write the time of the change, or plan the change with --delegate, --zone or --ds`,
    );
}

async function timesFor(question: Question, flags: Flags, io: Io): Promise<Times> {
  const { since, changedAt } = flags;
  const before = since === undefined ? undefined : await savedBefore(since, question, flags, io);
  if (before === undefined && !isPlan(flags)) {
    const result = await traversed(question, flags, io);
    if (result.views.resolver.outcomes.every(({ kind }) => kind === 'servfail'))
      throw notDone(`no server answers ${asked(question)}: there is no TTL to compute times from`);
    return leadTimesOf(result);
  }
  const { delegate: _, zone: __, ds: ___, ...today } = flags;
  const first = before ?? (await traversed(question, today, io));
  const after = await traversed(question, flags, io);
  return timesOfChange(first, after, new Date(changedAt ?? Date.now()));
}

/** Reads the result saved before the change. Throws a `CommandError` if it is for another question, or later than the change. */
async function savedBefore(
  path: string,
  question: Question,
  { changedAt }: Flags,
  { stdin }: Io,
): Promise<TraversalResult> {
  const result = replay(await readSaved(path, stdin));
  const { query, startedAt } = result;
  if (questionKey(query) !== questionKey(question))
    throw usageError(
      `${nameOf(path)} is a result for ${asked(query)}: write svc when ${asked(query)} --since ${path}`,
    );
  if (changedAt !== undefined && Date.parse(changedAt) < Date.parse(startedAt))
    throw usageError(
      `--changed-at ${changedAt} is before the traversal in ${nameOf(path)} (${startedAt}): write a later time, or a result from before the change`,
    );
  return result;
}

/** Traverses and shows the progress. Throws a `CommandError` if the traversal is interrupted, or if no server replied. */
async function traversed(question: Question, flags: Flags, io: Io): Promise<TraversalResult> {
  const server = serverOf(flags, io.env);
  const open = () => openRunner(server, flags, io);
  const { result, isInterrupted } = await traverseShown(question, open, server, { flags, io });
  if (isInterrupted) throw new CommandError(EXIT.interrupted, 'interrupted: the times are unknown');
  if (nothingHeard(result)) throw notDone('no server replied: is there a network?');
  if (isIntercepted(result))
    throw notDone(
      'DNS is intercepted on the way: the name servers did not answer for themselves, so the times are unknown',
    );
  return result;
}

function print(times: Times, flags: Flags, { stdout, env }: Io): void {
  const look = {
    ...textLook(flags, { stdout, env }),
    sums: flags.explain ? 'shown' : 'hidden',
    ...(flags.since !== undefined && isPlan(flags) && { baseline: nameOf(flags.since) }),
    now: new Date(),
  } as const;
  const texts: Readonly<Record<FormatIn<'when'>, () => string>> = {
    text: () => timesText(times, look),
    json: () => jsonText(times, printedJson(stdout)),
    svg: () => curveSvg(times, look.now),
  };
  stdout.write(texts[flags.format]());
}
