import { systemClock } from '../../exchange/clock.ts';
import { asked as questionWords } from '../../reading/words/names.ts';
import type { Question } from '../../wire/question.ts';
import type { TraversalFlags } from '../flags/traversal-flags.ts';
import { EXIT, type ExitStatus } from '../process/exit-status.ts';
import { type Io, whenUnread } from '../process/io.ts';
import { complaint } from '../runner/complaint.ts';
import { openRunner } from '../runner/open-runner.ts';
import { withRunner } from '../runner/runner.ts';
import { checkFolder } from './kept-results.ts';
import { goRounds } from './rounds.ts';
import { type RoundFlags, roundPrinter } from './tell-round.ts';

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
      goRounds({
        traverse: async () => {
          const answer = await runner.traverse(question, { signal });
          // It would refuse the next time, too.
          if (answer.kind === 'failed' && answer.failure.kind === 'refused')
            throw complaint(answer.failure, server);
          return answer;
        },
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
