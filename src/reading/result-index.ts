import type { ExchangeRow } from '../document/exchanges.ts';
import type { TraversalResult } from '../document/result.ts';
import type { AddressRow, LeadsTo, StepRow } from '../document/steps.ts';
import type { End } from '../evaluate/end.ts';

/** The parts of a result by their identifiers. */
export interface Graph {
  /** Each after all that lead to it; the main walk's first comes first. */
  readonly steps: readonly StepRow[];
  readonly step: (id: string) => StepRow | undefined;
  readonly end: (id: string) => End;
  readonly exchange: (row: AddressRow) => ExchangeRow | undefined;
}

/** Indexes the steps and exchanges of a result by their identifiers. */
export function graphOf({ steps, ends, exchanges }: TraversalResult): Graph {
  const stops = new Map(ends.map(({ id, ...end }) => [id, end]));
  const byId = new Map(steps.map((step) => [step.id, step]));
  const heard = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  return {
    steps,
    step: (id) => byId.get(id),
    end: (id) => foundEnd(stops.get(id)),
    exchange: (row) => (row.exchange === undefined ? undefined : heard.get(row.exchange)),
  };
}

function foundEnd(end: End | undefined): End {
  if (end === undefined) throw new Error('a step names an end that is not there');
  return end;
}

/** The steps of the main walk. */
export function mainWalk(graph: Graph): readonly StepRow[] {
  return walk(
    graph.steps.slice(0, 1).map(({ id }) => ({ step: id })),
    graph,
  );
}

/** The steps of the walks that begin so, in the graph's order. The lookups they need are walks of their own. */
export function walk(begin: readonly LeadsTo[], graph: Graph): readonly StepRow[] {
  const met = new Set<StepRow>();
  const ahead = [...begin];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const step = 'step' in next ? graph.step(next.step) : undefined;
    if (step === undefined || met.has(step)) continue;
    met.add(step);
    for (const { addresses } of step.nameservers) ahead.push(...addresses.map(({ leadsTo }) => leadsTo));
  }
  return graph.steps.filter((step) => met.has(step));
}
