import type { Saved } from '../../document/read-result.ts';
import type { TraversalResult } from '../../document/result.ts';
import { Progress } from '../../progress/progress.ts';
import { nothingHeard } from '../../reading/exit-status.ts';
import { isGloballyReachable } from '../../wire/special-purpose.ts';
import type { ColourFlag } from '../process/colour.ts';
import { CommandError, notDone } from '../process/command-error.ts';
import { EXIT } from '../process/exit-status.ts';
import { interruption } from '../process/interruption.ts';
import type { Io } from '../process/io.ts';
import { valueIn } from '../runner/complaint.ts';
import { openRunnerLike } from '../runner/open-runner.ts';
import { withRunner } from '../runner/runner.ts';
import { showProgress } from '../view/show-progress.ts';

/**
 * Traverses the question of a saved result now, in the same way, here or at a server. Throws a `CommandError`
 * if that is interrupted, or hears nothing.
 */
export async function traverseLike(
  saved: Saved,
  server: URL | undefined,
  flags: ColourFlag & { readonly demo?: true },
  io: Io,
): Promise<TraversalResult> {
  const { signal, stop } = interruption(io);
  const progress = new Progress();
  const live = await showProgress(progress, flags, io);
  const finish = () => {
    live.stop();
    stop();
  };
  const tell = progress.note.bind(progress);
  const run = async () =>
    await withRunner(await openRunnerLike(saved, server, flags), (runner) =>
      runner.traverse(saved.recording.scope.question, { signal, heardAll: finish, tell }),
    );
  const result = valueIn(await run().finally(finish), server);
  if (signal.aborted && result.ending === 'cancelled')
    throw new CommandError(EXIT.interrupted, 'interrupted: there is nothing to compare');
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
