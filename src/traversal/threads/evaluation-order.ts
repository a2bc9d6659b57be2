/* Orders to evaluate a recording in a thread that owns no socket. */

import { serialize } from 'node:v8';
import type { Failed, JobError } from '../../document/api/jobs.ts';
import type { Saved } from '../../document/read-result.ts';
import type { LineForm } from '../../report/result-line.ts';
import type { AllNames } from '../servers-met.ts';
import { ComputePool, type ComputeSettings } from './compute.ts';
import type { Made } from './evaluation.ts';

/** What to make of a recording. */
export type Making =
  /** The end of a traversal, as a job keeps it. */
  | {
      readonly kind: 'end';
      /** All names of servers that have more than the result shows. */
      readonly many: ReadonlyMap<string, AllNames>;
      /** How many packets were sent. */
      readonly packets: number;
    }
  /** The line of a name. */
  | { readonly kind: 'line'; readonly line: number; readonly form: LineForm }
  /** The result alone. */
  | { readonly kind: 'result' };

/** An order, as octets, which nobody on the way reads: a recording can be large. */
export interface EvaluationOrder {
  readonly octets: Uint8Array<ArrayBuffer>;
}

/** What the octets are of. */
export interface Ordered {
  readonly making: Making;
  /** Without what validates replies, and what exploring knew. */
  readonly saved: Saved;
}

/** Orders to make something of a recording. */
export function orderOf(making: Making, { recording, circumstances }: Saved): EvaluationOrder {
  const { dnssec, ...scope } = recording.scope;
  const { validation: _, ...anchored } = dnssec ?? {};
  const bare = { ...recording, scope: { ...scope, ...(dnssec && { dnssec: anchored }) } };
  return { octets: serialize({ making, saved: { recording: bare, circumstances } }) };
}

/** Threads that evaluate. What is short-lived in them is much: little room for it keeps them small, and costs no time. */
export function createEvaluationPool(
  settings: EvaluationSettings,
): ComputePool<EvaluationOrder, Made | Failed> {
  const program = new URL('./evaluation-worker.js', import.meta.url);
  return new ComputePool({ program, youngMiB: 8, ...settings });
}

type EvaluationSettings = Omit<ComputeSettings, 'program' | 'youngMiB'> &
  Partial<Pick<ComputeSettings, 'program'>>;

/** Why a traversal failed that was too much for a thread. */
export function tooMuch(reason: string): JobError {
  return { title: 'Too much work', detail: `The traversal was too much for one thread: ${reason}.` };
}
