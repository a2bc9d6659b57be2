import type { Finding, Severity } from '../document/result.ts';
import type { Exchanged } from '../explore/recording.ts';
import type { Name } from '../wire/name.ts';
import type { Evidence } from './evidence.ts';

/** A finding as its check sees it: without what the catalogue says of its code. */
export interface Draft {
  readonly zone?: Name;
  readonly server?: NonNullable<Finding['server']>;
  /** One plain sentence: what is wrong and what to do. */
  readonly message: string;
  readonly proof: readonly Exchanged[];
  /** Where this case is another than the code's usual severity. */
  readonly severity?: Severity;
}

/** Looks for one thing that can be wrong. Pure; says nothing where the evidence is not enough. */
export type Check = (evidence: Evidence) => readonly Draft[];
