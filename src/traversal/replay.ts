import type { Question } from '../dns/message.ts';
import type { ExchangeEvent, TraversalEvent } from '../document/events.ts';
import { exchangeHead } from '../document/exchange-rows.ts';
import { replyContentOf } from '../document/exchanges.ts';
import type { Saved } from '../document/read-result.ts';
import type { TraversalResult } from '../document/result.ts';
import { evaluate } from '../evaluate/evaluate.ts';
import { evaluateWhatIf, type WhatIfEvaluation } from '../evaluate/what-if.ts';
import type { WhatIf } from '../evaluate/world.ts';
import { meaningFor } from '../explore/classify.ts';
import { exploredAgain, type HeardExchange, replayExchanges } from '../explore/replayed-exploration.ts';
import { resolverRow } from '../report/resolver-row.ts';
import { reporting } from '../report/result-document.ts';
import { conclusionOf } from '../report/views/conclusion.ts';

/** Evaluates a saved traversal again, without a network: the same numbers to the last digit. */
export function replaying(saved: Saved): TraversalResult {
  const { recording, known } = explored(saved);
  const evaluation = evaluate(recording);
  return withResolvers(reporting(recording, evaluation, saved.circumstances, { known }), saved);
}

/** What exploring knew; of a recording that was read, what it knows when it explores that again. */
function explored({ recording, circumstances, known }: Saved) {
  return known === undefined
    ? exploredAgain(recording, circumstances.options.maxQueries)
    : { recording, known };
}

/** Adds the rows of the resolvers that were asked beside the traversal. */
function withResolvers(result: TraversalResult, { consulted }: Pick<Saved, 'consulted'>): TraversalResult {
  if (consulted === undefined) return result;
  const resolvers = consulted.map((one) => resolverRow(one, result.views['first-tries'].outcomes));
  return { ...result, resolvers };
}

/** The events of a saved traversal with its result, as they were emitted, without those of progress. */
export function replayEvents(
  { recording, circumstances }: Saved,
  result: TraversalResult,
): readonly TraversalEvent[] {
  return [
    startedEvent(recording.scope.question, circumstances),
    ...replayExchanges(recording).map(exchangeEvent),
    completeEvent(result),
  ];
}

/** The first event. */
export function startedEvent(
  question: Question,
  { options, startedAt }: Pick<TraversalResult, 'options' | 'startedAt'>,
  attempt = 1,
): TraversalEvent {
  const started = { event: 'started', query: { ...question, class: 'IN' }, options, startedAt } as const;
  return attempt === 1 ? started : { ...started, attempt };
}

/** The event of an exchange, classified for the zone that asked first. */
export function exchangeEvent({ position, exchanged, zone, rank, ...names }: HeardExchange): ExchangeEvent {
  const head = exchangeHead(`x${position}`, exchanged, names, rank);
  const meaning = meaningFor(exchanged, zone);
  return { event: 'exchange', ...head, zone, class: meaning.kind, ...replyContentOf(meaning) };
}

/** The last event. */
export function completeEvent(result: TraversalResult): TraversalEvent {
  return { event: 'complete', ...conclusionOf(result) };
}

/** The result of a what-if world, or why there is none. */
export type WhatIfReplay =
  | { readonly kind: 'imagined'; readonly result: TraversalResult }
  | Exclude<WhatIfEvaluation, { readonly kind: 'imagined' }>;

/** The result of a saved traversal in the world that it recorded with some differences: svc-model(7), WHAT IF. */
export function replayWhatIf(saved: Saved, whatIf: WhatIf): WhatIfReplay {
  const { circumstances } = saved;
  const { recording, known } = explored(saved);
  const recorded = evaluate(recording);
  const imagined = evaluateWhatIf(recording, recorded, whatIf, circumstances.options);
  if (imagined.kind !== 'imagined') return imagined;
  const { evaluation } = imagined;
  const result = reporting(recording, recorded, circumstances, {
    known,
    imagined: { whatIf, evaluation },
  });
  return { kind: 'imagined', result: withResolvers(result, saved) };
}
