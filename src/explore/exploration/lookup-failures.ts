import { getOrMake } from '../../base/memo.ts';
import type { Family } from '../../dns/address.ts';
import type { Name } from '../../dns/name.ts';
import { lookupTypes } from '../addresses.ts';
import { glueFor } from '../delegation.ts';
import { isFailure, type Meaning } from '../meaning.ts';
import type { ExploredStep } from './explored-steps.ts';

/**
 * Whether some lookup of a name server may come to nothing, by all that was heard in lookups so far. Only then can a path
 * that finds a server for one question find none for another one: each draws the addresses anew.
 */
export class LookupFailures {
  readonly #families: readonly Family[];
  /** By name: the types of which it has no record. */
  readonly #without = new Map<Name, Set<string>>();
  /** By step: the addresses that gave nothing of use. */
  readonly #useless = new Map<ExploredStep, Set<string>>();
  #waiting: (() => void)[] = [];
  #met = false;

  constructor(families: readonly Family[]) {
    this.#families = families;
  }

  /** Takes in what was heard at an address of a step of a lookup. */
  hear(step: ExploredStep, address: string, meaning: Meaning): void {
    if (!this.#met && this.#isTrouble(step, address, meaning)) this.#meet();
  }

  /** A lookup came to a step one of whose name servers has no address that could be asked. */
  lacks(step: ExploredStep): void {
    if (!this.#met && this.#sureAt(step).length === 0) this.#meet();
  }

  #meet(): void {
    this.#met = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const tell of waiting) tell();
  }

  /** Tells once a lookup may come to nothing: now or later. */
  once(tell: () => void): void {
    if (this.#met) tell();
    else this.#waiting.push(tell);
  }

  #isTrouble(step: ExploredStep, address: string, meaning: Meaning): boolean {
    if (isFailure(meaning)) return this.#isUseless(step, address);
    switch (meaning.kind) {
      case 'nxdomain':
      case 'alias-loop':
        return true;
      case 'nodata':
        return this.#hasNoAddress(step);
      case 'alias':
        return step.walked === 'not kept' || step.walked.includes(meaning.target);
      case 'answer':
      case 'referral':
        return false;
    }
  }

  /** Who finds an address useless tries another one: some are known without a lookup. */
  #isUseless(step: ExploredStep, address: string): boolean {
    const useless = getOrMake(this.#useless, step, () => new Set<string>());
    useless.add(address);
    return this.#sureAt(step).every((one) => useless.has(one));
  }

  #sureAt({ chain }: ExploredStep): readonly string[] {
    return chain.delegation.nameservers.flatMap((server) => glueFor(server, this.#families));
  }

  /** A name with records of one of both types has an address. Behind aliases both types may come to other names. */
  #hasNoAddress({ question: { name, type }, walked }: ExploredStep): boolean {
    const without = getOrMake(this.#without, name, () => new Set<string>());
    without.add(type);
    const isAll = lookupTypes(this.#families).every((one) => without.has(one.type));
    return isAll || walked === 'not kept' || walked.length > 1;
  }
}
