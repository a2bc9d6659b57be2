import type { ExchangeRow } from '../../document/exchanges.ts';
import type { AddressRow, NameserverRow, StepRow } from '../../document/steps.ts';
import type { End } from '../../evaluate/end.ts';
import { type Fraction, multiply, readFraction, sum } from '../../evaluate/fraction.ts';
import { getOrMake } from '../../get-or-make.ts';
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
  /** The share of all walks that make this pick. Rings of lookups have very many, and most texts show none of them. */
  readonly probability: () => Fraction;
}

/** A step, and the share of all walks that pass it. */
export interface PassedStep {
  readonly step: StepRow;
  readonly passing: Fraction;
}

/** Whether a server that did reply is imagined to be down (svc-model(7), WHAT IF). */
export function isImagined({ exchange, next }: PickView): boolean {
  const isSilent = next.kind === 'end' && next.end.kind === 'timeout';
  return isSilent && exchange !== undefined && exchange.failure === undefined;
}

/** How long asking there took, in milliseconds; undefined where nobody asked, or the server is imagined to be down. */
export function tookAt(pick: PickView): number | undefined {
  return isImagined(pick) ? undefined : pick.exchange?.elapsedMs;
}

/** All picks at some steps, equal ones as one. Their probabilities add up to the share of all walks that pass these steps. */
export function picksAt(
  passed: readonly PassedStep[],
  index: ResultIndex,
  judge: Judge,
): readonly PickView[] {
  const picks = new Picks(index, judge);
  for (const { step, passing } of passed) {
    for (const nameserver of step.nameservers) {
      for (const row of nameserver.addresses) {
        const part = () => multiply(passing, readFraction(row.fraction));
        picks.address(nameserver, row, step.zone, part);
      }
      for (const { end, share } of failuresAt(step, nameserver, index)) {
        picks.failure(nameserver, end, () => multiply(passing, share()));
      }
    }
  }
  return picks.views;
}

/** A pick, and how often it was made at each step. */
interface Collected {
  readonly view: Omit<PickView, 'probability'>;
  readonly parts: (() => Fraction)[];
}

class Picks {
  readonly #index: ResultIndex;
  readonly #judge: Judge;
  /** By the name of a server: by where an address leads, or by the end. */
  readonly #known = new Map<Name, Map<string | End, Collected>>();
  readonly #inOrder: Collected[] = [];

  constructor(index: ResultIndex, judge: Judge) {
    this.#index = index;
    this.#judge = judge;
  }

  get views(): readonly PickView[] {
    return this.#inOrder.map(({ view, parts }) => {
      return { ...view, probability: () => sum(parts.map((part) => part())) };
    });
  }

  address({ name, source }: NameserverRow, row: AddressRow, zone: Name, part: () => Fraction): void {
    const { address, leadsTo, exchange: id, class: heard } = row;
    const to = 'step' in leadsTo ? leadsTo.step : leadsTo.end;
    this.#add(name, `${zone} ${source} ${address} ${id} ${heard} ${to}`, part, () => {
      const exchange = this.#index.exchange(row);
      return {
        name,
        address,
        source,
        account: accountAt(row, zone, this.#index, this.#judge),
        next: this.#index.next(leadsTo),
        ...(exchange === undefined ? {} : { exchange }),
      };
    });
  }

  failure({ name, source }: NameserverRow, end: End, part: () => Fraction): void {
    this.#add(name, end, part, () => {
      return { name, source, account: accountOfEnd(end, this.#judge), next: { kind: 'end', end } };
    });
  }

  #add(name: Name, key: string | End, part: () => Fraction, view: () => Collected['view']): void {
    const known = getOrMake(this.#known, name, () => new Map<string | End, Collected>());
    const collected = getOrMake(known, key, () => {
      const made = { view: view(), parts: [] };
      this.#inOrder.push(made);
      return made;
    });
    collected.parts.push(part);
  }
}
