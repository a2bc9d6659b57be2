/* Evaluates what a traversal recorded, and serialises the result. */

import { PLAIN_JSON } from '../../base/json.ts';
import { LIMITS } from '../../base/limits.ts';
import { type Packed, packed } from '../../base/packing.ts';
import type { Failed } from '../../document/api/jobs.ts';
import type { Conclusion } from '../../document/events.ts';
import type { Saved } from '../../document/read-result.ts';
import { resultOctets } from '../../document/result-octets.ts';
import type { Recording } from '../../explore/recording.ts';
import { asExpected, conclusionOf } from '../../report/views/conclusion.ts';
import { replaying } from '../replay.ts';
import { type AllNames, type MetServer, serversMet } from '../servers-met.ts';

/** A conclusion as it is passed on: how it ended, and the rest as text that nobody needs to read. */
export interface SerialisedConclusion<Status extends Conclusion['status'] = Conclusion['status']> {
  readonly status: Status;
  readonly durationMs: number;
  /** The data of the `complete` event as JSON text. */
  readonly data: string;
  /** The summary in it as JSON text. */
  readonly summary: string;
  /** Absent where there is no result. */
  readonly verdict?: string;
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

/** What a traversal recorded, and what else is to be known of it. */
export interface Recorded {
  readonly saved: Saved;
  /** All names of servers that have more than the result shows. */
  readonly many: ReadonlyMap<string, AllNames>;
  /** How many packets were sent. */
  readonly packets: number;
}

/** Whether evaluating it would keep other traversals in the thread waiting for their replies. */
export function isLarge({ exchanges }: Recording): boolean {
  if (exchanges.size > LIMITS.exchangesInPlace.default) return true;
  const heard = [...exchanges.values()].reduce((sum, { traffic }) => sum + traffic.bytesReceived, 0);
  return heard > LIMITS.octetsInPlace.default;
}

/** Evaluates what a traversal recorded, and serialises the result. */
export function evaluated({ saved, many, packets }: Recorded): Evaluated | Failed {
  const result = replaying(saved);
  const text = resultOctets(result, PLAIN_JSON, packed);
  if (text.kind === 'failed') return text;
  const conclusion = conclusionOf(result);
  const status = result.ending === 'cancelled' ? 'cancelled' : 'complete';
  return {
    kind: 'evaluated',
    conclusion: { ...serialisedConclusion(conclusion), status },
    result: text.chunks,
    met: serversMet(result, many),
    packets,
    ...(result.expected !== undefined && { users: asExpected(result, 'users') }),
  };
}

/** Serialises a conclusion. */
export function serialisedConclusion(conclusion: Conclusion): SerialisedConclusion {
  const { status, durationMs, verdict, summary, validating } = conclusion;
  return {
    status,
    durationMs,
    data: JSON.stringify(conclusion),
    summary: JSON.stringify(summary),
    ...(verdict !== undefined && { verdict }),
    validated: validating === undefined ? 'as-far-as-known-the-same' : 'other',
  };
}
