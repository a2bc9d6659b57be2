import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../base/clock.ts';
import { jsonLine, LINE_JSON } from '../../base/json.ts';
import type { Question } from '../../dns/message.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { RunAnswer } from '../../document/run-answer.ts';
import { asked as questionWords } from '../../document/words/names.ts';
import { printable } from '../../document/words/shortened.ts';
import { changesText } from '../../report/changes-text.ts';
import { changeLine } from '../../report/views/changes.ts';
import { briefDuration } from '../flags/limit-option.ts';
import type { AgainFlags } from '../flags/many-flags.ts';
import type { TraversalFlags } from '../flags/traversal-flags.ts';
import { CommandError, EXIT, type ExitStatus, hasCode, notDone, reason } from '../process/errors.ts';
import { writeTextFile } from '../process/files.ts';
import { type ColourFlag, colourFor, type Io, lineWidth, marksFor, whenUnread } from '../process/io.ts';
import { failureError } from '../runner/failure.ts';
import { openRunner } from '../runner/open-runner.ts';
import { withRunner } from '../runner/runner.ts';
import { wholeResultJson } from '../view/write-result.ts';
import { runShellCommand } from './shell-command.ts';
import { type Obstacle, type Round, traverseRepeatedly } from './traverse-repeatedly.ts';

/**
 * Traverses a name again and again, here or at a server, and prints what changed, until it is interrupted or
 * nobody reads any more.
 */
export async function watchAgain(
  question: Question,
  server: URL | undefined,
  flags: TraversalFlags & RoundFlags,
  io: Io,
): Promise<ExitStatus> {
  if (flags.keep !== undefined) await checkFolder(flags.keep);
  const stopping = new AbortController();
  const end = () => stopping.abort();
  const forgets = [io.onSignal(end), whenUnread(io.stdout, end)];
  const { signal } = stopping;
  const around = { question: questionWords(question), server, clock: systemClock, signal, io };
  const rounds = async () =>
    await withRunner(await openRunner(server, flags, io), (runner) =>
      traverseRepeatedly({
        traverse: async () => unlessRefused(await runner.traverse(question, { signal }), server),
        tell: roundPrinter(flags, around),
        everyMs: flags.everyMs,
        clock: systemClock,
        signal,
      }),
    );
  await rounds().finally(() => {
    for (const forget of forgets) forget();
  });
  return EXIT.interrupted;
}

/** An answer of a run that may be repeated. Throws a `CommandError` if a service would refuse the next one, too. */
export function unlessRefused<T>(answer: RunAnswer<T>, server: URL | undefined): RunAnswer<T> {
  if (answer.kind === 'failed' && answer.failure.kind === 'refused')
    throw failureError(answer.failure, server);
  return answer;
}

/** The options that say what is told, as commander gives them. */
export interface RoundFlags extends AgainFlags, ColourFlag {
  readonly everyMs: number;
  readonly format: 'text' | 'jsonl';
  readonly verbose?: true;
}

type Outputs = Pick<Io, 'stdout' | 'stderr' | 'env'>;

interface Around {
  /** In words. */
  readonly question: string;
  readonly server: URL | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly io: Outputs;
}

type Changed = Extract<Round, { kind: 'changed' }>;

/** Prints, saves and passes on what there is to tell of a name that is traversed again and again. */
export function roundPrinter(flags: RoundFlags, around: Around): (round: Round) => Promise<void> {
  const { question, server, io } = around;
  const say = (text: string) => io.stderr.write(`svc: ${printable(text)}\n`);
  const every = `every ${briefDuration(flags.everyMs)}`;
  const keep = async (result: TraversalResult) => {
    if (flags.keep !== undefined) await keepResult(flags.keep, result).catch(notFatal(say));
  };
  return async (round) => {
    switch (round.kind) {
      case 'first':
        say(`${question}: ${round.result.verdict.text}; looking again ${every}`);
        return await keep(round.result);
      case 'changed':
        io.stdout.write(changeText(round, flags, io));
        await keep(round.after);
        return await passOn(round, flags, around, say);
      case 'lost':
        say(`${obstacleWords(round.obstacle, server)}; trying again ${every}`);
        return;
      case 'back':
        say('back again');
        return;
    }
  };
}

function changeText(round: Changed, flags: RoundFlags, { stdout, env }: Outputs): string {
  const { changes, before, after } = round;
  if (flags.format === 'jsonl') return changeJson(round);
  if (!flags.verbose) return `${after.finishedAt}  ${printable(changeLine(changes, before, after))}\n`;
  const colour = colourFor(flags, stdout, env);
  const look = { colour, marks: marksFor(env), detail: 'full', width: lineWidth({ stdout, env }) } as const;
  return `${changesText(changes, [before, after], look)}\n`;
}

function changeJson({ changes, after }: Changed): string {
  return jsonLine({ at: after.finishedAt, ...changes });
}

async function passOn(
  round: Changed,
  { onChange }: RoundFlags,
  { clock, signal, io }: Around,
  say: (text: string) => void,
): Promise<void> {
  if (onChange === undefined) return;
  const write = (chunk: Buffer) => void io.stderr.write(chunk);
  const end = await runShellCommand(onChange, changeJson(round), { write, clock, signal });
  if (end.kind === 'failed') say(`--on-change ${onChange}: ${end.why}`);
}

/** What may well work the next time, such as a full disk. */
function notFatal(say: (text: string) => void): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof CommandError)) throw error;
    say(error.message);
  };
}

/** Why nothing can be said of the name, in a line. `server`: the service that was called, if any. */
export function obstacleWords(obstacle: Obstacle, server: URL | undefined): string {
  switch (obstacle.kind) {
    case 'silence':
      return 'no server replied: the network may be down';
    case 'interception':
      return 'DNS is intercepted on the way: the name servers did not answer for themselves';
    case 'cancelled':
      return 'the job was cancelled at the service';
    case 'failure':
      return failureError(obstacle.failure, server).message;
  }
}

/** Checks that results can be saved in a folder. Throws a `CommandError` if not. */
async function checkFolder(folder: string): Promise<void> {
  try {
    // The slash keeps out whatever is no directory.
    await access(`${folder}/`, constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = hasCode(error, 'ENOENT') ? 'there is no such directory; make it first' : reason(error);
    throw notDone(`cannot keep results in ${folder}: ${why}`);
  }
}

/** Saves a result in a folder, under its question and its time. Throws a `CommandError` if that fails. */
async function keepResult(folder: string, result: TraversalResult): Promise<void> {
  const time = result.finishedAt.replaceAll(':', '');
  const path = join(folder, `${stemOf(result.query)}.${time}.json`);
  await writeTextFile(path, wholeResultJson(result, LINE_JSON));
}

/** Files have shorter names than domains can have. */
const LONGEST = 200;

/** "www.example.com.A". Whatever else a name holds than host names do, a file has no use for. */
function stemOf({ name, type }: Question): string {
  const plain = name.slice(0, LONGEST).replace(/[^a-z0-9._-]/g, '_');
  return plain === '.' ? `root.${type}` : `${plain}${type}`;
}
