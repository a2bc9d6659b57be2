import type { Prove } from './denial.ts';
import type { Signer } from './signer.ts';

/** What a server of a signed zone signs and proves with. */
export interface ZoneSecurity {
  readonly signer: Signer;
  readonly prove: Prove;
}
