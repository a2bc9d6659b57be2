import type { ApiAnswer } from '../../client/failure.ts';
import { type ServerFlags, serverOf } from '../flags/server-flag.ts';
import { type Asked, type WatchTarget, watchTarget } from '../flags/target.ts';
import type { TraversalFlags } from '../flags/traversal-flags.ts';
import { requestOptions } from '../flags/traversal-flags.ts';
import type { Io } from '../process/io.ts';
import { valueIn } from '../runner/complaint.ts';
import type { RunObserver } from '../runner/observer.ts';
import { openRunner } from '../runner/open-runner.ts';
import { withRunner } from '../runner/runner.ts';

/** A command line that names a job: one to be started, or one that a server has. */
export interface AskedOfJob extends Asked {
  readonly flags: Asked['flags'] & TraversalFlags & ServerFlags;
}

/** What is of interest: all that happens, or only the list of servers in the end. */
type Interest = 'events' | 'servers';

/** Runs or follows what a command line names, until it ends or is stopped. Throws a `CommandError` if that fails. */
export async function runTarget(
  asked: AskedOfJob,
  interest: Interest,
  observer: RunObserver,
  io: Io,
): Promise<void> {
  const server = serverOf(asked.flags, io.env);
  const target = watchTarget(asked, server, Object.keys(requestOptions(asked.flags)));
  const answer = await answerFor(target, { ...asked, server, interest }, observer, io);
  const wasStopped = answer.kind === 'failed' && answer.failure.kind === 'stopped';
  if (!wasStopped) valueIn(answer, server);
}

interface Place extends Pick<AskedOfJob, 'flags'> {
  readonly server: URL | undefined;
  readonly interest: Interest;
}

async function answerFor(
  target: WatchTarget,
  { flags, server, interest }: Place,
  observer: RunObserver,
  io: Io,
): Promise<ApiAnswer<void>> {
  switch (target.kind) {
    case 'question': {
      const runner = await openRunner(server, flags, io);
      return await withRunner(runner, ({ identify }) => identify(target.question, observer));
    }
    case 'job': {
      const { awaitServers, watchJob } = await import('../runner/remote.ts');
      const follow = interest === 'events' ? watchJob : awaitServers;
      return await follow(target.server, target.id, observer);
    }
  }
}
