/* Has a recording evaluated, in the thread where it is or in another. */

import { deserialize, serialize } from 'node:v8';
import { recordsOf, type SectionPlace } from '../../dns/decode.ts';
import type { Failed } from '../../document/api/jobs.ts';
import type { Exchanged, Reply } from '../../exchange/exchanged.ts';
import { type LineForm, type ResultLine, resultLine } from '../../report/result-line.ts';
import { withNodeCrypto } from '../node-replay.ts';
import { replaying } from '../replay.ts';
import { type Evaluated, evaluated, type Recorded } from './evaluation.ts';

/** What to make of a recording: the end of a traversal, or the line of a name. */
type Making =
  | { readonly kind: 'end' }
  | { readonly kind: 'line'; readonly line: number; readonly form: LineForm };

/** What was made. */
export type Made = Evaluated | ResultLine | Failed;

/** The order to make something in another thread. The recording changes hands as octets, which nobody on the way reads. */
export interface EvaluationOrder {
  readonly making: Making;
  readonly recorded: Uint8Array<ArrayBuffer>;
}

/** Evaluates a recording here. */
export function make(making: Making, recorded: Recorded): Made {
  return making.kind === 'end'
    ? evaluated(recorded)
    : resultLine(replaying(recorded.saved), making.line, making.form);
}

/** The octets in it that change hands. */
export function octetsOf(made: Made): readonly ArrayBuffer[] {
  switch (made.kind) {
    case 'evaluated':
      return made.result.map(({ octets }) => octets.buffer);
    case 'line':
      return made.chunks.map(({ buffer }) => buffer);
    case 'failed':
      return [];
  }
}

/** Orders the same elsewhere. What validates replies stays behind. */
export function orderOf(making: Making, { saved, ...more }: Recorded): EvaluationOrder {
  const { recording, circumstances } = saved;
  const { dnssec, ...scope } = recording.scope;
  const { validation: _, ...anchored } = dnssec ?? {};
  const bare = { ...recording, scope: { ...scope, ...(dnssec && { dnssec: anchored }) } };
  return { making, recorded: serialize({ ...more, saved: { recording: bare, circumstances } }) };
}

/** The recording, where the order has arrived. */
export function recordedIn({ recorded }: EvaluationOrder): Recorded {
  const { saved, ...more }: Recorded = deserialize(recorded);
  const exchanges = new Map([...saved.recording.exchanges].map(([key, one]) => [key, whole(one)]));
  const probes = saved.recording.probes.map(whole);
  return {
    ...more,
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
