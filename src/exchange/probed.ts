import type { Exchanged } from './exchanged.ts';
import type { Query } from './query.ts';

/** What a probe tries that exchanges do not: svc-model(7), COLD AND WARM. */
export type ProbeKind =
  | 'tcp'
  | 'no-edns'
  | 'edns-version'
  | 'edns-option'
  | 'recursion'
  | 'other-type'
  | 'ancestor'
  | 'own-name';

/** A question that is put to an address only to find out how its server behaves. */
export interface Probe extends Query {
  readonly probe: ProbeKind;
}

/** A probe and its outcome: evidence of findings alone. */
export interface Probed extends Exchanged {
  readonly probe: ProbeKind;
}

/** Carries a probe out. The contract of `Exchange` for the signal and for `leaving` holds here too. */
export type Probing = (probe: Probe, signal: AbortSignal, leaving?: () => void) => Promise<Probed>;

/** Whether it is a probe rather than an exchange. */
export function isProbed(one: Exchanged | Probed): one is Probed {
  return 'probe' in one;
}
