import type { Hearing } from '../step.ts';

/**
 * How a resolver that demands proof goes on from a reply that it could use but that does not verify: to another server,
 * or to an error. svc-model(7), VALIDATING.
 */
export type Reading = 'tries-on' | 'first-try';

/** Whether a resolver asks no further server once it has this. */
export function isTaken<Good>({ kind }: Hearing<Good>, reading: Reading): boolean {
  switch (kind) {
    case 'good':
    // Unknown, not broken.
    case 'limited':
    case 'stopped':
      return true;
    case 'bogus':
      return reading === 'first-try';
    case 'unused':
      return false;
  }
}
