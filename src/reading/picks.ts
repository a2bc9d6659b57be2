import type { ExchangeRow } from '../document/exchanges.ts';
import type { NameserverRow, StepRow } from '../document/steps.ts';
import { type Fraction, multiply, readFraction } from '../evaluate/fraction.ts';
import type { Name } from '../wire/name.ts';
import { type Behaviour, behaviourAt, endBehaviour, type Judge } from './behaviour.ts';
import type { Next, ResultIndex } from './result-index.ts';

/** One way to leave a step: a name server and an address of it, or none that was to be had. */
export interface PickView {
  readonly name: Name;
  /** Absent where no address was to be had. */
  readonly address?: string;
  readonly source: NameserverRow['source'];
  readonly behaviour: Behaviour;
  readonly next: Next;
  readonly exchange?: ExchangeRow;
  /** How much of what passes the step makes this pick. */
  readonly probability: Fraction;
}

/** The ways to leave a step that so much passes: their probabilities add up to that. */
export function picksAt(
  step: StepRow,
  passing: Fraction,
  index: ResultIndex,
  judge: Judge,
): readonly PickView[] {
  const part = ({ fraction }: { readonly fraction: string }) => multiply(passing, readFraction(fraction));
  return step.nameservers.flatMap(({ name, source, addresses, failures = [] }) => [
    ...addresses.map((row): PickView => {
      const exchange = index.exchange(row);
      return {
        name,
        address: row.address,
        source,
        behaviour: behaviourAt(row, index, judge),
        next: index.next(row.leadsTo),
        ...(exchange === undefined ? {} : { exchange }),
        probability: part(row),
      };
    }),
    ...failures.map((row): PickView => {
      const end = index.end(row.end);
      const next = { kind: 'end', end } as const;
      return { name, source, behaviour: endBehaviour(end, judge), next, probability: part(row) };
    }),
  ]);
}
