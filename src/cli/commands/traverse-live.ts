import type { Question } from '../../dns/message.ts';
import { Progress, type RunEvent } from '../../traversal/progress.ts';
import { type Format, type FormatFlags, formatOf } from '../flags/format-flags.ts';
import type { ResolverFlags } from '../flags/names.ts';
import type { TraversalFlags } from '../flags/traversal-flags.ts';
import type { WhatIfFlags } from '../flags/what-if-flags.ts';
import { EXIT, type ExitStatus } from '../process/errors.ts';
import { interruption } from '../process/interruption.ts';
import type { Io } from '../process/io.ts';
import { valueIn } from '../runner/complaint.ts';
import { evaluatingFor } from '../runner/evaluating.ts';
import { openRunner } from '../runner/open-runner.ts';
import { withRunner } from '../runner/runner.ts';
import { NOT_LIVE } from '../view/live.ts';
import { jsonWriter, NO_EVENTS, showProgress } from '../view/progress-output.ts';
import { printResult, statusOf } from '../view/write-result.ts';

/** Traverses one name, here or at a server, showing how far it is, and prints the result. */
export async function traverseLive(
  question: Question,
  server: URL | undefined,
  flags: TraversalFlags & ResolverFlags & FormatFlags & WhatIfFlags & { readonly save?: string },
  io: Io,
): Promise<ExitStatus> {
  const format = formatOf(flags, io);
  const evaluate = await evaluatingFor(flags);
  const { signal, stop } = interruption(io);
  const progress = new Progress();
  const isOfEvents = format.made.kind === 'events';
  const events = isOfEvents ? jsonWriter(io.stdout) : NO_EVENTS;
  const live = isShownLive(format, io) ? await showProgress(progress, flags, io) : NOT_LIVE;
  const isFollowed = isOfEvents || live !== NOT_LIVE;
  const tell = (event: RunEvent) => {
    progress.note(event);
    events.write(event);
  };
  const finish = () => {
    live.stop();
    stop();
  };
  const run = async () =>
    await withRunner(await openRunner(server, flags, io, evaluate), (runner) =>
      runner.traverse(question, {
        signal,
        heardAll: finish,
        ...(isFollowed && { tell, isWatched: () => true }),
      }),
    );
  const answer = await run().finally(() => {
    events.stop();
    finish();
  });
  const result = valueIn(answer, server);
  await printResult(result, format, flags, io);
  const isCutShort = signal.aborted && result.ending === 'cancelled';
  return isCutShort && format.made.kind !== 'check' ? EXIT.interrupted : await statusOf(result, format);
}

/** Events on a terminal are a live view of their own. */
function isShownLive({ made }: Format, { stdout }: Io): boolean {
  return made.kind !== 'nothing' && !(made.kind === 'events' && stdout.isTTY === true);
}
