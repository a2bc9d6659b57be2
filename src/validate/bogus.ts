import { BOGUS_REASONS, type BogusReason } from './bogus-reason.ts';

/** The verdict that something is not proven. */
export interface Bogus {
  readonly kind: 'bogus';
  readonly reason: BogusReason;
}

export function bogus(reason: BogusReason): Bogus {
  return { kind: 'bogus', reason };
}

/** Of several signatures' failures the one that came furthest; without any there is no signature. */
export function furthest(reasons: readonly BogusReason[]): BogusReason {
  const at = Math.max(0, ...reasons.map((reason) => BOGUS_REASONS.indexOf(reason)));
  return BOGUS_REASONS[at] ?? 'no-signature';
}
