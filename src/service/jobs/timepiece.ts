import type { Clock } from '../../exchange/clock.ts';

/**
 * Reads the time of day once and counts on from there, so that setting the host's clock neither changes how
 * long something took nor has it end before it began.
 */
export function timepiece(now: () => Date, clock: Clock): () => Date {
  const day = now().getTime() - clock.now();
  return () => new Date(day + clock.now());
}
