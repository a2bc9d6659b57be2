import type { AddressRow, ExchangeRow, LeadsTo, StepRow, TraversalResult } from '../document/result.ts';

/** The parts of a result by their identifiers. */
export interface Graph {
  /** Each after all that lead to it; the main walk's first comes first. */
  readonly steps: readonly StepRow[];
  readonly step: (id: string) => StepRow | undefined;
  readonly exchange: (row: AddressRow) => ExchangeRow | undefined;
}

/** Indexes the steps and exchanges of a result by their identifiers. */
export function graphOf({ steps, exchanges }: TraversalResult): Graph {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const heard = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  return {
    steps,
    step: (id) => byId.get(id),
    exchange: (row) => (row.exchange === undefined ? undefined : heard.get(row.exchange)),
  };
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
