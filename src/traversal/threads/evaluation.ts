/* What is made of a recording, and changes hands. */

import type { Packed } from '../../base/packing.ts';
import type { Conclusion } from '../../document/events.ts';
import type { VerdictRow } from '../../document/result.ts';
import type { ResultLine } from '../../report/result-line.ts';
import type { asExpected } from '../../report/views/conclusion.ts';
import type { MetServer } from '../servers-met.ts';

/** A conclusion as it is passed on: how it ended, and the rest as text that nobody needs to read. */
export interface SerialisedConclusion<Status extends Conclusion['status'] = Conclusion['status']> {
  readonly status: Status;
  readonly durationMs: number;
  /** The data of the `complete` event as JSON text. */
  readonly data: string;
  /** Absent where there is no result. */
  readonly verdict?: VerdictRow;
  /** Whether users behind validating resolvers are known to get something else than others. */
  readonly validated: 'other' | 'as-far-as-known-the-same';
}

/** The end of a traversal as a job keeps it: what can be large in it is serialised already. */
export interface Evaluated {
  readonly kind: 'evaluated';
  readonly conclusion: SerialisedConclusion<'complete' | 'cancelled'>;
  /** The whole result as JSON text (svc-api(5)), in chunks. They are written packed: the text is never whole in memory. */
  readonly result: readonly Packed[];
  /** The servers it met. */
  readonly met: readonly MetServer[];
  /** Packets sent, also for probes and for what was cut off, of which no events tell. */
  readonly packets: number;
  /** Absent unless anything is expected. */
  readonly users?: ReturnType<typeof asExpected>;
}

/** A result as JSON text, in chunks: as objects some of its records would not change hands. */
export interface ResultText {
  readonly kind: 'result';
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
}

/** What was made of a recording. */
export type Made = Evaluated | ResultLine | ResultText;

/** Serialises a conclusion. */
export function serialisedConclusion(
  conclusion: Conclusion,
  validated: SerialisedConclusion['validated'] = 'as-far-as-known-the-same',
): SerialisedConclusion {
  const { status, durationMs, verdict } = conclusion;
  const data = JSON.stringify(conclusion);
  return { status, durationMs, data, ...(verdict && { verdict }), validated };
}
