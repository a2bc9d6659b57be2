// The program of the threads that evaluate recordings: one at a time, where no socket waits meanwhile.
import { deserialize } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { PLAIN_JSON } from '../../base/json.ts';
import { packed } from '../../base/packing.ts';
import { recordsOf, type SectionPlace } from '../../dns/decode.ts';
import type { Failed } from '../../document/api/jobs.ts';
import type { Saved } from '../../document/read-result.ts';
import type { TraversalResult } from '../../document/result.ts';
import { keepOctets, resultOctets } from '../../document/result-octets.ts';
import { briefResult } from '../../document/views.ts';
import type { Exchanged, Reply } from '../../exchange/exchanged.ts';
import { knownFrom } from '../../explore/replayed-exploration.ts';
import { resultLine } from '../../report/result-line.ts';
import { asExpected, conclusionOf } from '../../report/views/conclusion.ts';
import { validatingDiffers } from '../../report/views/user-shares.ts';
import { withNodeCrypto } from '../node-replay.ts';
import { replaying } from '../replay.ts';
import { serversMet } from '../servers-met.ts';
import { type Evaluated, type Made, serialisedConclusion } from './evaluation.ts';
import type { EvaluationOrder, Making, Ordered } from './evaluation-order.ts';

parentPort?.on('message', (order: EvaluationOrder) => {
  const made = make(orderedIn(order));
  parentPort?.postMessage(made, octetsOf(made));
});

/** What was ordered, where the order has arrived. */
export function orderedIn({ octets }: EvaluationOrder): {
  readonly making: Making;
  readonly saved: Saved;
} {
  const { making, saved, known, checked }: Ordered = deserialize(octets);
  const exchanges = new Map([...saved.recording.exchanges].map(([key, one]) => [key, whole(one)]));
  const probes = saved.recording.probes.map(whole);
  const recording = { ...saved.recording, exchanges, probes };
  const told = { ...saved, recording, ...(known && { known: knownFrom(known) }) };
  return { making, saved: withNodeCrypto(told, checked) };
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

/** Evaluates a recording, and makes of it what was ordered. */
function make({ making, saved }: ReturnType<typeof orderedIn>): Made | Failed {
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
  const validated = validatingDiffers(result) ? 'other' : 'as-far-as-known-the-same';
  return {
    kind: 'evaluated',
    conclusion: { ...serialisedConclusion(conclusionOf(result), validated), status },
    // What is sent without evidence comes first.
    result: [packed(new TextEncoder().encode(JSON.stringify(briefResult(result)))), ...text.chunks],
    met: serversMet(result, many),
    packets,
    ...(result.expected !== undefined && { users: asExpected(result, 'users') }),
  };
}

/** The octets in it that change hands without being copied. */
function octetsOf(made: Made | Failed): readonly ArrayBuffer[] {
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
