/**
 * Sends everything the same number of milliseconds after it was handed over, with one timer for all of it. Without a delay
 * it goes out at once.
 */
export function createOutbox(delayMs: number): (send: () => void) => void {
  if (delayMs === 0) return (send) => send();
  const waiting: { readonly dueMs: number; readonly send: () => void }[] = [];
  let sent = 0;
  const flush = () => {
    for (let next = waiting[sent]; next !== undefined; next = waiting[sent]) {
      const leftMs = next.dueMs - performance.now();
      if (leftMs > 0) return void setTimeout(flush, Math.ceil(leftMs));
      sent += 1;
      next.send();
    }
    waiting.length = 0;
    sent = 0;
  };
  return (send) => {
    waiting.push({ dueMs: performance.now() + delayMs, send });
    if (waiting.length === 1) setTimeout(flush, delayMs);
  };
}
