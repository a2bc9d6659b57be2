/* Evaluates what a traversal recorded, where no socket waits meanwhile, and makes of it what is wanted. */

import { deserialize } from 'node:v8';
import { PLAIN_JSON } from '../../base/json.ts';
import { type Packed, packed } from '../../base/packing.ts';
import { recordsOf, type SectionPlace } from '../../dns/decode.ts';
import type { Failed } from '../../document/api/jobs.ts';
import type { Conclusion } from '../../document/events.ts';
import type { TraversalResult } from '../../document/result.ts';
import { keepOctets, resultOctets } from '../../document/result-octets.ts';
import type { Exchanged, Reply } from '../../exchange/exchanged.ts';
import { type ResultLine, resultLine } from '../../report/result-line.ts';
import { asExpected, conclusionOf } from '../../report/views/conclusion.ts';
import { withNodeCrypto } from '../node-replay.ts';
import { replaying } from '../replay.ts';
import { type MetServer, serversMet } from '../servers-met.ts';
import type { EvaluationOrder, Making, Ordered } from './evaluation-order.ts';

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

/** A result as JSON text, in chunks: as objects some of its records would not change hands. */
export interface ResultText {
  readonly kind: 'result';
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
}

/** What was made of a recording. */
export type Made = Evaluated | ResultLine | ResultText;

/** Evaluates a recording, and makes of it what was ordered. */
export function make({ making, saved }: Ordered): Made | Failed {
  const result = replaying(saved);
  switch (making.kind) {
    case 'end':
      return endOf(result, making);
    case 'line':
      return resultLine(result, making.line, making.form);
    case 'result': {
      const text = resultOctets(result, PLAIN_JSON, keepOctets);
      return text.kind === 'failed' ? text : { kind: 'result', chunks: text.chunks };
    }
  }
}

function endOf(
  result: TraversalResult,
  { many, packets }: Extract<Making, { readonly kind: 'end' }>,
): Evaluated | Failed {
  const text = resultOctets(result, PLAIN_JSON, packed);
  if (text.kind === 'failed') return text;
  const status = result.ending === 'cancelled' ? 'cancelled' : 'complete';
  return {
    kind: 'evaluated',
    conclusion: { ...serialisedConclusion(conclusionOf(result)), status },
    result: text.chunks,
    met: serversMet(result, many),
    packets,
    ...(result.expected !== undefined && { users: asExpected(result, 'users') }),
  };
}

/** The octets in it that change hands. */
export function octetsOf(made: Made | Failed): readonly ArrayBuffer[] {
  switch (made.kind) {
    case 'evaluated':
      return made.result.map(({ octets }) => octets.buffer);
    case 'line':
    case 'result':
      return made.chunks.map(({ buffer }) => buffer);
    case 'failed':
      return [];
  }
}

/** What was ordered, where the order has arrived. */
export function orderedIn({ octets }: EvaluationOrder): Ordered {
  const { making, saved }: Ordered = deserialize(octets);
  const exchanges = new Map([...saved.recording.exchanges].map(([key, one]) => [key, whole(one)]));
  const probes = saved.recording.probes.map(whole);
  return {
    making,
    saved: withNodeCrypto({ ...saved, recording: { ...saved.recording, exchanges, probes } }),
  };
}

/** A section arrives as records, or as their place in the message. */
function whole<T extends Exchanged>(exchanged: T): T {
  const { outcome } = exchanged;
  if (outcome.kind !== 'reply') return exchanged;
  const { answer, authority, additional }: Arrived = outcome;
  const sections = {
    answer: recordsOf(answer),
    authority: recordsOf(authority),
    additional: recordsOf(additional),
  };
  return { ...exchanged, outcome: { ...outcome, ...sections } };
}

type Arrived = Record<'answer' | 'authority' | 'additional', Reply['answer'] | SectionPlace>;

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
