import type { ExchangeEvent, TraversalEvent } from './document/events.ts';
import type { Saved } from './document/read-result.ts';
import { gistOf } from './document/reply-gist.ts';
import type { TraversalResult } from './document/result.ts';
import { evaluating } from './evaluate/evaluate.ts';
import { type HeardExchange, replayExchanges } from './explore/hear-again.ts';
import { meaningFor } from './explore/meaning-for.ts';
import type { Pausable } from './pausable.ts';
import { conclusionOf } from './reading/conclusion.ts';
import { exchangeHead } from './report/result/exchange-row.ts';
import { reporting } from './report/result/report.ts';
import { resolverRow } from './report/result/resolvers.ts';
import type { Question } from './wire/question.ts';

/** Evaluates a saved traversal again, without a network: the same numbers to the last digit. */
export function* replaying(saved: Saved): Pausable<TraversalResult> {
  const { recording, circumstances } = saved;
  return withResolvers(yield* reporting(recording, yield* evaluating(recording), circumstances), saved);
}

/** A result with what resolvers said that were asked too. */
export function withResolvers(
  result: TraversalResult,
  { consulted }: Pick<Saved, 'consulted'>,
): TraversalResult {
  if (consulted === undefined) return result;
  return { ...result, resolvers: consulted.map((one) => resolverRow(one, result.outcomes)) };
}

/** The events of a saved traversal with its result, as they were told, except those of its progress. */
export function* replayEvents(
  { recording, circumstances }: Saved,
  result: TraversalResult,
): Generator<TraversalEvent> {
  yield startedEvent(recording.scope.question, circumstances);
  for (const heard of replayExchanges(recording)) yield exchangeEvent(heard);
  yield completeEvent(result);
}

/** What is told first. */
export function startedEvent(
  question: Question,
  { options, startedAt }: Pick<TraversalResult, 'options' | 'startedAt'>,
): TraversalEvent {
  return { event: 'started', query: { ...question, class: 'IN' }, options, startedAt };
}

/** What is told of an exchange, with what it means for the zone that asked first. */
export function exchangeEvent({ position, exchanged, zone, rank, ...names }: HeardExchange): ExchangeEvent {
  const head = exchangeHead(`x${position}`, exchanged, names, rank);
  const meaning = meaningFor(exchanged, zone);
  return { event: 'exchange', ...head, zone, class: meaning.kind, ...gistOf(meaning) };
}

/** What is told last. */
export function completeEvent(result: TraversalResult): TraversalEvent {
  return { event: 'complete', ...conclusionOf(result) };
}
