import type { ExchangeRow } from '../../document/exchanges.ts';
import type { NameserverRow, StepRow } from '../../document/steps.ts';
import { type Fraction, multiply, readFraction } from '../../evaluate/fraction.ts';
import type { Name } from '../../wire/name.ts';
import { type Account, accountAt, accountOfEnd, type Judge } from '../account.ts';
import { failuresAt } from '../failures.ts';
import type { Next, ResultIndex } from '../result-index.ts';

/** One way to leave a step: a name server and one of its addresses, or a name server without an address. */
export interface PickView {
  readonly name: Name;
  /** Absent where the server has no address. */
  readonly address?: string;
  readonly source: NameserverRow['source'];
  readonly account: Account;
  readonly next: Next;
  readonly exchange?: ExchangeRow;
  /** The share of all walks that make this pick. */
  readonly probability: Fraction;
}

/** All picks at a step. Their probabilities add up to `passing`, the share of all walks that pass the step. */
export function picksAt(
  step: StepRow,
  passing: Fraction,
  index: ResultIndex,
  judge: Judge,
): readonly PickView[] {
  const part = ({ fraction }: { readonly fraction: string }) => multiply(passing, readFraction(fraction));
  return step.nameservers.flatMap((nameserver) => [
    ...nameserver.addresses.map((row): PickView => {
      const exchange = index.exchange(row);
      return {
        name: nameserver.name,
        address: row.address,
        source: nameserver.source,
        account: accountAt(row, index, judge),
        next: index.next(row.leadsTo),
        ...(exchange === undefined ? {} : { exchange }),
        probability: part(row),
      };
    }),
    ...failuresAt(step, nameserver, index).map(({ end, share }): PickView => {
      const { name, source } = nameserver;
      const next = { kind: 'end', end } as const;
      const probability = multiply(passing, share);
      return { name, source, account: accountOfEnd(end, judge), next, probability };
    }),
  ]);
}
