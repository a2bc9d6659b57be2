import { type Identifiers, identifiers } from '../../document/identifiers.ts';
import { type Circumstances, SCHEMA, type TraversalResult, type UnaskedRow } from '../../document/result.ts';
import { outcomeRow, summarise } from '../../document/summary.ts';
import type { Evaluation } from '../../evaluate/evaluate.ts';
import { serverNamesIn } from '../../explore/hear-again.ts';
import type { Recording } from '../../explore/recording.ts';
import type { ServerNames } from '../../explore/server-names.ts';
import { finding } from '../../findings/findings.ts';
import { getOrMake } from '../../get-or-make.ts';
import type { Pausable } from '../../pausable.ts';
import { labelCount, type Name } from '../../wire/name.ts';
import { Ends } from './ends.ts';
import { exchangeRow, serverRow } from './exchange-row.ts';
import { statsOf } from './stats.ts';
import { stepRows } from './step-row.ts';

/** The result document (svc-api(5), RESULT): a pure function of the recording. */
export function* reporting(
  recording: Recording,
  evaluation: Evaluation,
  circumstances: Circumstances,
): Pausable<TraversalResult> {
  const ids = identifiers(evaluation, recording);
  const names = yield* serverNamesIn(recording);
  const ends = new Ends();
  if (evaluation.start.kind === 'cut') ends.id(evaluation.start.end);
  const steps = yield* stepRows(evaluation, { ...ids, end: (end) => ends.id(end) });
  const { outcomes, resolverOutcomes, latency, coverage } = evaluation;
  const { options, startedAt, finishedAt, durationMs, ending } = circumstances;
  return {
    schema: SCHEMA,
    query: { ...recording.scope.question, class: 'IN' },
    options,
    startedAt,
    finishedAt,
    durationMs,
    complete: coverage === 'whole' && ending !== 'cancelled',
    ending,
    ends: ends.rows,
    outcomes: outcomes.map(outcomeRow),
    summary: summarise(outcomes),
    resolver: { outcomes: resolverOutcomes.map(outcomeRow), summary: summarise(resolverOutcomes) },
    coldLatencyMs: latency,
    zones: zoneRows(ids),
    delegations: ids.delegations.map((delegation) => ({ id: ids.delegation(delegation), ...delegation })),
    steps,
    exchanges: [...recording.exchanges.values()].map((exchanged) =>
      exchangeRow(ids.exchange(exchanged), exchanged, names.of(exchanged.address)),
    ),
    unasked: unaskedRows(recording, names),
    findings: yield* finding(recording, evaluation, ids),
    stats: statsOf(recording, evaluation),
  };
}

function zoneRows(ids: Identifiers): TraversalResult['zones'] {
  const zones = new Map<Name, string[]>();
  for (const delegation of ids.delegations) {
    getOrMake(zones, delegation.zone, (): string[] => []).push(ids.delegation(delegation));
  }
  return [...zones]
    .map(([zone, delegations]) => ({ zone, delegations }))
    .sort((a, b) => labelCount(a.zone) - labelCount(b.zone) || (a.zone < b.zone ? -1 : 1));
}

function unaskedRows({ unasked }: Recording, names: ServerNames): readonly UnaskedRow[] {
  return [...unasked.values()].flatMap(({ query: { address, question }, why }) =>
    why.kind === 'pending' ? [] : [{ server: serverRow(address, names.of(address)), question, ...why }],
  );
}
