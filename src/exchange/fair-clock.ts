import type { Clock } from './clock.ts';
import type { Beats } from './heartbeat.ts';

/** How often it is looked whether time has passed while something waits for that. */
const ROUND_MS = 10;

/** No more of the time between two rounds counts: whoever takes longer was held up. */
const MOST_MS = 30;

/**
 * A clock for asking servers that run in this process: it stands still while this thread is held up, or the one that
 * has the servers, whose `beats` are these. So a busy machine makes none of them look slow or silent: before a time-out
 * everybody has had many turns. Exact only while something is due.
 */
export function createFairClock(beats?: Beats): Clock {
  let counted = 0;
  let countedAt = performance.now();
  let heard = 0;
  let rounds: NodeJS.Timeout | undefined;
  const due = new Map<() => void, number>();

  const now = () => counted + Math.min(performance.now() - countedAt, MOST_MS);
  const count = () => {
    counted = now();
    countedAt = performance.now();
  };
  const hasBeaten = () => {
    if (beats === undefined) return true;
    const before = heard;
    heard = Atomics.load(beats, 0);
    return heard !== before;
  };
  const round = () => {
    if (!hasBeaten()) return;
    count();
    for (const [run, at] of due) if (at <= counted) run();
  };
  const forget = (run: () => void) => {
    due.delete(run);
    if (due.size > 0) return;
    clearInterval(rounds);
    rounds = undefined;
  };

  return {
    now,
    after: (ms, run) => {
      if (rounds === undefined) {
        count();
        rounds = setInterval(round, ROUND_MS);
      }
      let immediate: NodeJS.Immediate | undefined;
      const soon = () => {
        forget(soon);
        // As with the clock of the machine, what has come in meanwhile goes first.
        immediate = setImmediate(run);
      };
      due.set(soon, now() + ms);
      return () => {
        forget(soon);
        clearImmediate(immediate);
      };
    },
  };
}
