/* Runs functions when a signal is aborted, and pauses until then at the most. */

/**
 * Calls `run` once when the signal is aborted, or soon if that has happened; the function it returns prevents that. A
 * signal gets one listener however many wait for it: thousands share a traversal's, and an EventTarget walks
 * through all its listeners to add one.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  if (signal.aborted) return soon(run);
  const runs = waiting.get(signal) ?? listen(signal);
  runs.add(run);
  return () => {
    runs.delete(run);
  };
}

const waiting = new WeakMap<AbortSignal, Set<() => void>>();

function listen(signal: AbortSignal): Set<() => void> {
  const runs = new Set<() => void>();
  waiting.set(signal, runs);
  const runAll = () => {
    for (const run of runs) {
      runs.delete(run);
      run();
    }
  };
  signal.addEventListener('abort', runAll, { once: true });
  return runs;
}

/** Not at once: `run` may use what this returns. */
function soon(run: () => void): () => void {
  let isWanted = true;
  queueMicrotask(() => {
    if (isWanted) run();
  });
  return () => {
    isWanted = false;
  };
}

/** Resolves after a while, or as soon as the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      forget();
      resolve();
    }, ms);
    const forget = onAbort(signal, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
