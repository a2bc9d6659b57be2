/* Decides what follows a try: another one, another stage, or the outcome of the exchange. */

import { rejectsEdns } from '../dns/codes.ts';
import type { Answered, Attempt } from './attempt.ts';
import type { ExchangeStage, Failure, Ignored } from './exchanged.ts';

/** The part of an attempt that decides. */
export type Tried = Pick<Attempt, 'ending' | 'ignored'>;

/** What to do after a try. */
export type Decision =
  /** The same query once more. */
  | { readonly kind: 'again' }
  /** A fallback: another stage, with tries of its own. */
  | { readonly kind: 'fall-back'; readonly stage: ExchangeStage }
  /** The last try's reply is the outcome of the exchange. */
  | { readonly kind: 'usable'; readonly reply: Answered }
  | { readonly kind: 'failed'; readonly failure: Failure };

/**
 * How many tries a stage has at most: 1 + `retries` over the transport that the exchange began with,
 * one over TCP after a truncated reply.
 */
export function triesOf(stage: ExchangeStage, first: ExchangeStage, retries: number): number {
  return stage.transport === first.transport ? 1 + retries : 1;
}

/** Whether another stage may follow: if none may, whatever reply comes is the outcome. */
export type Fallbacks = 'as-needed' | 'none';

/**
 * Decides what follows the last of a stage's tries, of which there may be `most`. Only the last stage
 * decides, so the tries of earlier stages do not matter.
 */
export function decide(
  stage: ExchangeStage,
  tries: readonly Tried[],
  most: number,
  fallbacks: Fallbacks = 'as-needed',
): Decision {
  const ending = tries.at(-1)?.ending;
  switch (ending?.kind) {
    case 'case-mismatch':
      return { kind: 'fall-back', stage: { ...stage, nameCase: 'lower' } };
    case 'reply':
      return fallbacks === 'none' ? { kind: 'usable', reply: ending } : afterReply(stage, ending);
    case 'timeout':
    case 'closed':
    case 'unreachable':
      return tries.length < most ? { kind: 'again' } : { kind: 'failed', failure: failureOf(tries) };
    case undefined:
      return { kind: 'again' };
  }
}

function afterReply(stage: ExchangeStage, reply: Answered): Decision {
  const { rcode, flags } = reply.message;
  if (stage.edns && rejectsEdns(rcode)) return { kind: 'fall-back', stage: { ...stage, edns: false } };
  if (!flags.includes('tc')) return { kind: 'usable', reply };
  if (stage.transport === 'udp') return { kind: 'fall-back', stage: { ...stage, transport: 'tcp' } };
  return { kind: 'failed', failure: { kind: 'malformed', detail: 'truncated over TCP' } };
}

const SEEN: Readonly<Record<Ignored['reason'], string>> = {
  'wrong-id': 'a message with another ID',
  'wrong-question': 'a reply to another question',
  undecodable: 'a message that cannot be decoded',
  'not-a-reply': 'a message that is not a reply to a query',
};

/** svc-model(7), EXCHANGES rule 1. A message with another ID may be anyone's: it proves nothing about the server. */
function failureOf(tries: readonly Tried[]): Failure {
  const bad = tries.flatMap((tried) => tried.ignored).find((ignored) => ignored.reason !== 'wrong-id');
  if (bad !== undefined) return { kind: 'malformed', detail: bad.detail ?? SEEN[bad.reason] };
  for (const { ending } of tries) {
    if (ending.kind === 'unreachable') return { kind: 'unreachable', detail: ending.code };
  }
  const closed = tries.some(({ ending }) => ending.kind === 'closed');
  return closed ? { kind: 'timeout', detail: 'closed before a whole reply' } : { kind: 'timeout' };
}
