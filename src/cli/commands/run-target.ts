/* Runs the question or the job that a command line names, and gives the exit status. */

import type { Question } from '../../dns/message.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { RunAnswer } from '../../document/run-answer.ts';
import { Progress, type RunEvent } from '../../report/views/progress.ts';
import { type Asked, type WatchTarget, watchTarget } from '../flags/question.ts';
import { type ServerFlags, serverOf } from '../flags/server-flag.ts';
import { requestOptionsFromFlags, type TraversalFlags } from '../flags/traversal-flags.ts';
import { EXIT, type ExitStatus } from '../process/errors.ts';
import { interruption } from '../process/interruption.ts';
import type { ColourFlag, Io } from '../process/io.ts';
import { valueIn } from '../runner/failure.ts';
import { openRunner } from '../runner/open-runner.ts';
import { type Runner, type RunObserver, withRunner } from '../runner/runner.ts';
import { type EventWriter, NO_EVENTS } from '../view/event-output.ts';
import { NOT_LIVE } from '../view/live.ts';
import { showProgress } from '../view/summary-frame.ts';

/** Runs or follows what a command line names, until it ends or is stopped. Throws a `CommandError` if that fails. */
export async function runTarget(
  asked: AskedOfJob,
  interest: Interest,
  observer: RunObserver,
  io: Io,
): Promise<void> {
  const server = serverOf(asked.flags, io.env);
  const target = watchTarget(asked, server, Object.keys(requestOptionsFromFlags(asked.flags)));
  const answer = await answerFor(target, { ...asked, server, interest }, observer, io);
  const wasStopped = answer.kind === 'failed' && answer.failure.kind === 'stopped';
  if (!wasStopped) valueIn(answer, server);
}

/**
 * Traverses, shows the progress, and returns the result, and whether the user stopped the traversal. Throws a `CommandError`
 * if the traversal fails.
 */
export async function traverseShown(
  question: Question,
  open: () => Promise<Runner>,
  server: URL | undefined,
  { flags, io, events = NO_EVENTS, view = 'live' }: Shown,
): Promise<{ readonly result: TraversalResult; readonly isInterrupted: boolean }> {
  const { signal, stop } = interruption(io);
  const progress = new Progress();
  const live = view === 'live' ? showProgress(progress, flags, io) : NOT_LIVE;
  const isFollowed = events !== NO_EVENTS || live !== NOT_LIVE;
  const tell = (event: RunEvent) => {
    progress.note(event);
    events.write(event);
  };
  const finish = () => {
    live.stop();
    stop();
  };
  const run = async () =>
    await withRunner(await open(), (runner) =>
      runner.traverse(question, {
        signal,
        heardAll: finish,
        ...(isFollowed && { tell, room: events.room }),
      }),
    );
  const answer = await run().finally(() => {
    events.stop();
    finish();
  });
  const result = valueIn(answer, server);
  return { result, isInterrupted: signal.aborted && result.ending === 'cancelled' };
}

/** How a traversal is shown while it runs. */
interface Shown {
  readonly flags: ColourFlag;
  readonly io: Io;
  /** Where its events are written; absent: nowhere. */
  readonly events?: EventWriter;
  /** Absent: live on stderr, if that is a terminal. */
  readonly view?: 'live' | 'none';
}

/** A command line that names a job: one to be started, or one that a server has. */
export interface AskedOfJob extends Asked {
  readonly flags: Asked['flags'] & TraversalFlags & ServerFlags;
}

/** What is of interest: all that happens, or only the list of servers in the end. */
type Interest = 'events' | 'servers';

interface Place extends Pick<AskedOfJob, 'flags'> {
  readonly server: URL | undefined;
  readonly interest: Interest;
}

async function answerFor(
  target: WatchTarget,
  { flags, server, interest }: Place,
  observer: RunObserver,
  io: Io,
): Promise<RunAnswer<void>> {
  switch (target.kind) {
    case 'question': {
      const runner = await openRunner(server, flags, io);
      return await withRunner(runner, ({ identify }) => identify(target.question, observer));
    }
    case 'job': {
      const { awaitServers, watchJob } = await import('../remote/remote-runner.ts');
      const follow = interest === 'events' ? watchJob : awaitServers;
      return await follow(target.server, target.id, observer);
    }
  }
}

/** Lists what the demo has to show, one line each. */
export async function listShowcases(io: Io): Promise<ExitStatus> {
  const { showcases } = await import('../../lab/showcases.ts');
  const commands = showcases.map(({ name, type, option }) => [name, type, option].join(' ').trim());
  const width = Math.max(...commands.map(({ length }) => length));
  showcases.forEach(({ line }, at) => {
    io.stdout.write(`${commands[at]?.padEnd(width)}  ${line}\n`);
  });
  return EXIT.agreed;
}

/** Why a job does not tell all that it could; undefined for one that does. */
export function whyIncomplete({ complete, heard, replies }: Progress): string | undefined {
  switch (complete?.status) {
    // Only the list of servers was read.
    case undefined:
      return undefined;
    case 'cancelled':
      return 'the job was cancelled: the rest is unknown';
    case 'failed':
      return 'the job failed: its "error" at the server says why';
    case 'complete':
      if (complete.verdict?.status !== 'unknown') return undefined;
      if (complete.limits.length > 0) return 'a limit was reached: not everything was asked';
      if (heard > 0 && replies === 0) return 'no root server could be reached: is there a network?';
      return 'DNS is intercepted on the way: the name servers did not answer for themselves';
  }
}
