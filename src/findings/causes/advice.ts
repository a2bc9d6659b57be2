import { HEADINGS } from '../catalogue.ts';
import type { Traced } from './causes.ts';

/**
 * What to do about a finding. A consequence refers to its cause where it would only repeat what that says,
 * and where it says what things come to: what mends that is the cause's to know, such as that a dead
 * address is somebody else's.
 */
export function adviceFor({ finding: { code, advice }, cause }: Traced): string {
  if (cause === undefined) return advice;
  return advice === cause.advice || code in HEADINGS.OUTLOOK ? `See ${cause.code}` : advice;
}
