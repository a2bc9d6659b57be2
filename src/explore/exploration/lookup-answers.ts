import { type Work, workOf } from '../../base/work.ts';
import type { Records } from '../../dns/record.ts';
import { addressesIn } from '../addresses.ts';
import type { AddressReader, ExploredStep, ExploredVisit } from './explored-steps.ts';

/** Hands the addresses that walks end in back to the lookup of a name server, from step to step. */
export class LookupAnswers {
  readonly #work: Work;
  /** Does something once what goes on now is done. */
  readonly #later: (tell: () => void) => void;

  constructor(work: Work, later: (tell: () => void) => void) {
    this.#work = work;
    this.#later = later;
  }

  /** Lets a reader know the addresses that walks from a step end in, now and from now on. */
  read(step: ExploredStep, reader: AddressReader): void {
    step.readers.push(reader);
    if (step.readers.length === 1) this.#gather(step);
    else for (const [address, height] of step.answers) reader(address, height);
  }

  /** What was asked at a visit gave these records. */
  give(visit: ExploredVisit, records: Records): void {
    visit.gives = records;
    this.passOn(visit);
  }

  /** Paths go on behind a visit. */
  goOn(visit: ExploredVisit, onward: ExploredStep): void {
    if (visit.step.readers.length > 0) this.#readBehind(visit, onward);
  }

  /** Hands what is known behind a visit back to its step, if anybody wants to know. */
  passOn(visit: ExploredVisit): void {
    if (visit.step.readers.length === 0 || this.#work.exceeded) return;
    const gives = addressesIn(visit.gives);
    const behind = visit.onward.reduce((sum, { answers }) => sum + answers.size, 0);
    if (this.#work.spend(workOf('givenAddress', gives.length + behind)) === 'exceeded') return;
    for (const address of gives) this.#answer(visit.step, address, visit.height);
    for (const { answers } of visit.onward) {
      for (const [address, height] of answers)
        this.#answer(visit.step, address, Math.max(visit.height, 1 + height));
    }
  }

  /** Until now nobody wanted to know what the step comes to, as nobody does of the main walk's steps. */
  #gather(step: ExploredStep): void {
    for (const visit of step.visits.values()) {
      this.passOn(visit);
      for (const onward of visit.onward) this.#readBehind(visit, onward);
    }
  }

  #readBehind(visit: ExploredVisit, onward: ExploredStep): void {
    this.read(onward, (address, height) =>
      this.#answer(visit.step, address, Math.max(visit.height, 1 + height)),
    );
  }

  /** A walk from this step can end in an answer with this address. */
  #answer(step: ExploredStep, address: string, height: number): void {
    const known = step.answers.get(address);
    if (known !== undefined && known <= height) return;
    if (this.#work.spend(workOf('givenAddress', step.readers.length)) === 'exceeded') return;
    step.answers.set(address, height);
    for (const reader of step.readers) this.#later(() => reader(address, height));
  }
}
