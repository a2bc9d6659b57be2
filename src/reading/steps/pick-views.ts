import type { ExchangeRow } from '../../document/exchanges.ts';
import type { AddressRow, NameserverRow, StepRow } from '../../document/steps.ts';
import type { End } from '../../evaluate/end.ts';
import { type Fraction, multiply, readFraction, sum, ZERO } from '../../evaluate/fraction.ts';
import { getOrMake } from '../../get-or-make.ts';
import type { Name } from '../../wire/name.ts';
import { type Account, accountAt, accountOfEnd } from '../account.ts';
import type { Judge } from '../bearing.ts';
import { failedShare, failuresAt } from '../failures.ts';
import type { Next, ResultIndex } from '../result-index.ts';
import type { Passed } from '../walk.ts';

/** One way to leave a step: a name server and one of its addresses, or a name server without an address. */
export interface PickView {
  readonly name: Name;
  /** Absent where the server has no address. */
  readonly address?: string;
  readonly source: NameserverRow['source'];
  readonly account: Account;
  readonly next: Next;
  readonly exchange?: ExchangeRow;
  /** What it leads to follows from: what the server said, or a planned delegation in place of that. */
  readonly basis: 'reply' | 'plan';
  /** The share of all walks that make this pick. Rings of lookups have very many, and most texts show none of them. */
  readonly probability: () => Fraction;
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

/** All picks at the steps that walks pass, equal ones as one. Their probabilities add up to the share of walks that pass each. */
export function picksAt({ steps, share }: Passed, index: ResultIndex, judge: Judge): readonly PickView[] {
  const picks = new Picks(share, index, judge);
  for (const step of steps) {
    const failures = failuresAt(step, index);
    for (const nameserver of step.nameservers) {
      for (const row of nameserver.addresses) picks.address(step, nameserver, row);
      for (const end of failures(nameserver)) picks.failure(step, nameserver, end);
    }
  }
  return picks.views;
}

/** The pick of an address, as it was made first. */
interface AddressPicked {
  readonly row: AddressRow;
  readonly source: NameserverRow['source'];
  readonly zone: Name;
  /** Where it was made. Rings make it at thousands of steps, so this is all that is kept of each. */
  readonly steps: StepRow[];
}

class Picks {
  readonly views: PickView[] = [];
  readonly #share: Passed['share'];
  readonly #index: ResultIndex;
  readonly #judge: Judge;
  /** By the name of a server, and by the step or end that addresses lead to. */
  readonly #addresses = new Map<Name, Map<string, AddressPicked[]>>();
  /** By the name of a server: the steps where it has no address because of an end. */
  readonly #failures = new Map<Name, Map<End, StepRow[]>>();

  constructor(share: Passed['share'], index: ResultIndex, judge: Judge) {
    this.#share = share;
    this.#index = index;
    this.#judge = judge;
  }

  address(step: StepRow, { name, source }: NameserverRow, row: AddressRow): void {
    const { zone } = step;
    const { leadsTo } = row;
    const ofServer = getOrMake(this.#addresses, name, () => new Map<string, AddressPicked[]>());
    const to = 'step' in leadsTo ? leadsTo.step : leadsTo.end;
    const leadingThere = getOrMake(ofServer, to, (): AddressPicked[] => []);
    const isAlike = (one: AddressPicked) =>
      one.zone === zone && one.source === source && isSameDeed(one.row, row);
    const known = leadingThere.find(isAlike);
    if (known === undefined) {
      const picked = { row, source, zone, steps: [step] };
      leadingThere.push(picked);
      this.views.push(this.#addressView(name, picked));
    } else known.steps.push(step);
  }

  failure(step: StepRow, { name, source }: NameserverRow, end: End): void {
    const ofServer = getOrMake(this.#failures, name, () => new Map<End, StepRow[]>());
    const known = ofServer.get(end);
    if (known === undefined) {
      const steps = [step];
      ofServer.set(end, steps);
      this.views.push({
        name,
        source,
        account: accountOfEnd(end, this.#judge),
        next: { kind: 'end', end },
        basis: 'reply',
        probability: () => this.#part(steps, name, (at, server) => failedShare(at, server, end, this.#index)),
      });
    } else known.push(step);
  }

  #addressView(name: Name, { row, source, zone, steps }: AddressPicked): PickView {
    const exchange = this.#index.exchange(row);
    const next = this.#index.next(row.leadsTo);
    return {
      name,
      address: row.address,
      source,
      account: accountAt(row, zone, this.#index, this.#judge),
      next,
      basis: row.class === 'referral' && this.#index.planned.has(zoneAfter(next)) ? 'plan' : 'reply',
      ...(exchange === undefined ? {} : { exchange }),
      probability: () =>
        this.#part(steps, name, (_, { addresses }) => {
          const same = addresses.find(({ address }) => address === row.address);
          return same === undefined ? ZERO : readFraction(same.fraction);
        }),
    };
  }

  /** What these picks of a server are of all walks; `shareAt` says what they are of a step. */
  #part(
    steps: readonly StepRow[],
    name: Name,
    shareAt: (step: StepRow, nameserver: NameserverRow) => Fraction,
  ): Fraction {
    const parts = steps.flatMap((step) =>
      step.nameservers
        .filter((nameserver) => nameserver.name === name)
        .map((nameserver) => multiply(this.#share(step), shareAt(step, nameserver))),
    );
    return sum(parts);
  }
}

/** The zone whose servers are asked next, or where a path stops. */
export function zoneAfter(next: Next): Name {
  return next.kind === 'step' ? next.step.zone : next.end.zone;
}

/** Whether a server did the same at an address; where each leads is compared elsewhere. */
function isSameDeed(a: AddressRow, b: AddressRow): boolean {
  return a.address === b.address && a.exchange === b.exchange && a.class === b.class;
}
