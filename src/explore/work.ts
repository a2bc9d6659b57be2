/**
 * How many addresses that a path may pick are as much work as one step. A hostile referral names
 * thousands, so whoever counts work counts them too.
 */
export const ADDRESSES_PER_STEP = 16;

/** Addresses that a path may pick at one step: no more than these unless somebody wants to make work. */
export const USUAL_ADDRESSES = 256;

/** How many steps each one beyond them is. By default, exploring has room for all that one answer can give, not for many such. */
const STEPS_PER_ODD_ADDRESS = 2;

/** How much work exploring takes for one more address at a step that has so many. */
export function workOfAddress(known: number): number {
  return known < USUAL_ADDRESSES ? 0 : STEPS_PER_ODD_ADDRESS;
}

/** As much work as exploring one step is evaluating so many: everything that is met there is kept, and told on. */
export const STEPS_PER_EXPLORED_STEP = 20;

/** The work that there may be for exploring, in explored steps. */
export function exploringWork({ maxWork }: { readonly maxWork: number }): Work {
  return new Work(maxWork / STEPS_PER_EXPLORED_STEP);
}

/** Counts work, in steps, up to a bound. */
export class Work {
  readonly #most: number;
  #spent = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** How much was spent. */
  get spent(): number {
    return this.#spent;
  }

  /** Whether more was spent than there may be. */
  get exceeded(): boolean {
    return this.#spent > this.#most;
  }

  /** Whether more was spent than this part of what there may be. */
  isMoreThan(part: number): boolean {
    return this.#spent > part * this.#most;
  }

  /** Takes note of work that is about to be done, and says whether it may be. */
  spend(steps: number): 'allowed' | 'exceeded' {
    this.#spent += steps;
    return this.exceeded ? 'exceeded' : 'allowed';
  }
}
