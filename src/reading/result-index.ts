import type { ExchangeRow } from '../document/exchanges.ts';
import type { LookupRow } from '../document/lookups.ts';
import type { TraversalResult } from '../document/result.ts';
import type { AddressRow, LeadsTo, StepRow } from '../document/steps.ts';
import type { End } from '../evaluate/end.ts';
import { failedLookupEnd, whereIs } from '../evaluate/failed-lookup.ts';
import { getOrMake } from '../get-or-make.ts';
import type { Name } from '../wire/name.ts';
import { questionKey } from '../wire/question.ts';
import { type SecurityAt, securityIn } from './security-at.ts';

/** Where a pick or a lookup leads: to a further step, or to where its path stops. */
export type Next =
  | { readonly kind: 'step'; readonly step: StepRow }
  | { readonly kind: 'end'; readonly end: End };

/** What the identifiers in a result stand for. */
export interface ResultIndex {
  /** Each step follows all that lead to it; the first one begins the main walk. */
  readonly steps: readonly StepRow[];
  next(leadsTo: LeadsTo): Next;
  end(id: string): End;
  lookup(id: string): LookupRow;
  /** The end of paths that lack a server's address at a step because its lookup ended as given. The same object each time. */
  failedLookups(step: Pick<StepRow, 'question' | 'zone'>): (name: Name, end: string) => End;
  /** The exchange with an address; undefined if it was not asked. */
  exchange(row: AddressRow): ExchangeRow | undefined;
  readonly security: SecurityAt;
  /** Zones whose delegation is planned: who refers to one is imagined to. */
  readonly planned: ReadonlySet<Name>;
  /** Where the main walk begins: at the first step, or at an end where a limit allowed no step at all. */
  readonly begin: LeadsTo | undefined;
}

/** Indexes a result by its identifiers. Throws if the result names an identifier that it does not have: a bug. */
export function resultIndex(result: TraversalResult): ResultIndex {
  const { steps, ends, lookups, exchanges } = result;
  const stepById = new Map(steps.map((step) => [step.id, step]));
  const endById = new Map(ends.map(({ id, ...end }) => [id, end]));
  const exchangeById = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const lookupById = new Map(lookups.map((lookup) => [lookup.id, lookup]));
  const failed = new Map<string, Map<Name, Map<string, End>>>();
  const [firstStep] = steps;
  const [firstEnd] = ends;
  const end = (id: string) => found(endById, id);
  return {
    steps,
    next: (leadsTo) =>
      'step' in leadsTo
        ? { kind: 'step', step: found(stepById, leadsTo.step) }
        : { kind: 'end', end: end(leadsTo.end) },
    end,
    lookup: (id) => found(lookupById, id),
    failedLookups: ({ question, zone }) => {
      const here = getOrMake(failed, `${questionKey(question)} ${zone}`, () => new Map());
      return (name, id) => {
        const known = getOrMake(here, name, () => new Map<string, End>());
        return getOrMake(known, id, () =>
          failedLookupEnd({ question, zone, name, where: whereIs(name, zone) }, end(id)),
        );
      };
    },
    exchange: ({ exchange }) => (exchange === undefined ? undefined : found(exchangeById, exchange)),
    security: securityIn(result),
    planned: new Set(result.whatIf?.delegate.map(({ zone }) => zone)),
    begin: firstStep ? { step: firstStep.id } : firstEnd && { end: firstEnd.id },
  };
}

function found<T>(known: ReadonlyMap<string, T>, id: string): T {
  const one = known.get(id);
  if (one === undefined) throw new Error(`the result names ${id}, which it does not have`);
  return one;
}
