import type { Scope } from '../explore/recording.ts';

/** " over IPv4" where that is the only family examined, so that a sentence says no more than is known. */
export function overFamilies({ families }: Scope): string {
  const [only] = families;
  return only === undefined || families.length > 1 ? '' : ` over IPv${only}`;
}
