/* Orders to evaluate a recording in a thread that owns no socket. */

import { availableParallelism } from 'node:os';
import { serialize } from 'node:v8';
import { systemClock } from '../../base/clock.ts';
import type { Blocks } from '../../base/turn-line.ts';
import type { SignaturesFound } from '../../dns/dnssec/validation.ts';
import type { Failed } from '../../document/api/jobs.ts';
import type { Saved } from '../../document/read-result.ts';
import { type KnownData, knownData } from '../../explore/replayed-exploration.ts';
import type { LineForm, ResultLine } from '../../report/result-line.ts';
import type { AllNames } from '../servers-met.ts';
import { ComputePool, type ComputeSettings, type Dropped, type NotComputed } from './compute.ts';
import type { Evaluated, Made } from './evaluation.ts';

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
  /** Without what validates replies. */
  readonly saved: Omit<Saved, 'known'>;
  /** Absent: exploring the recording again tells. */
  readonly known: KnownData | undefined;
  /** Which signatures exploring checked: that takes longest. */
  readonly checked: SignaturesFound | undefined;
}

/** Orders to make something of a recording. */
export function orderOf(making: Making, { recording, circumstances, known }: Saved): EvaluationOrder {
  const { dnssec, ...scope } = recording.scope;
  const { validation, ...anchored } = dnssec ?? {};
  const bare = { ...recording, scope: { ...scope, ...(dnssec && { dnssec: anchored }) } };
  const checked = validation?.checks.found;
  const sent = known && knownData(known, recording);
  return { octets: serialize({ making, saved: { recording: bare, circumstances }, known: sent, checked }) };
}

/** Threads that evaluate. */
export type EvaluationPool = ComputePool<EvaluationOrder, Made | Failed>;

/** Creates threads that evaluate; what is left out of the settings holds by default. */
export function createEvaluationPool(settings: Partial<ComputeSettings> = {}): EvaluationPool {
  return new ComputePool({ ...DEFAULTS, ...settings });
}

const DEFAULTS: ComputeSettings = {
  clock: systemClock,
  program: new URL('./evaluation-worker.js', import.meta.url),
  // One processor is left to the sockets.
  threads: Math.max(1, availableParallelism() - 1),
  memoryMiB: 1_024,
  // Most of what evaluating makes is soon of no use: with more room for it, threads grow and are no faster.
  youngMiB: 8,
};

/** What a pool makes, or why it does not. `kind` is that of what was ordered. */
export async function madeBy<Kind extends Made['kind']>(
  pool: EvaluationPool,
  kind: Kind,
  order: EvaluationOrder,
  blocks: Blocks,
): Promise<Extract<Made, { readonly kind: Kind }> | NotMade> {
  const computed = await pool.run(order, blocks, [order.octets.buffer]);
  if (computed.kind !== 'done') return notMade(computed);
  const { reply } = computed;
  if (reply.kind === 'failed' || isOf(kind, reply)) return reply;
  throw new Error(`made "${reply.kind}", not "${kind}"`);
}

/** Why nothing was made: it was too much for a thread, the result for anybody, or the pool was closed. */
export type NotMade = Failed | Dropped;

/** How a traversal ended. A stopped one is evaluated as far as it got. */
export type Traversed = Evaluated | NotMade;

/** What became of the line for a name. */
export type Lined = ResultLine | NotMade;

/** Why nothing was made, if it was not even begun or not done. */
export function notMade(why: NotComputed): NotMade {
  switch (why.kind) {
    case 'too-much': {
      const detail = `The traversal was too much for one thread: ${why.reason}.`;
      return { kind: 'failed', error: { title: 'Too much work', detail } };
    }
    case 'busy':
    case 'dropped':
      return { kind: 'dropped' };
  }
}

function isOf<Kind extends Made['kind']>(
  kind: Kind,
  made: Made,
): made is Extract<Made, { readonly kind: Kind }> {
  return made.kind === kind;
}
