import type { Fault } from './faults.ts';
import { chanceAt, type Received } from './received.ts';

/** How many milliseconds after the query the faults let the message go out; `index` is its number among the messages that reply. */
export function delayMs(faults: readonly Fault[], received: Received, index: number): number {
  return faults.reduce((sum, fault) => sum + delayBy(fault, received, index), 0);
}

function delayBy(fault: Fault, received: Received, index: number): number {
  if (fault.kind === 'latency') return fault.ms;
  if (fault.kind !== 'jitter' && fault.kind !== 'reorders') return 0;
  const chance = chanceAt(received, `${fault.seed ?? 0} ${fault.kind} ${index}`);
  if (fault.kind === 'jitter') return fault.ms * chance;
  return chance < fault.ratio ? fault.ms : 0;
}
