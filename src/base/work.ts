import { LIMITS } from './limits.ts';
import { RESULT_OCTETS } from './octets.ts';

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

/** How much work things of one kind are, and why they count. */
interface WorkCost {
  readonly name: string;
  /** So many of them … */
  readonly count: number;
  /** … are as much work as so many steps. */
  readonly steps: number;
  readonly reason: string;
}

/** What computation costs, in steps of the evaluation: svc-model(7), WORK, says the same in words. */
export const WORK_COSTS = {
  exploredStep: {
    name: 'step that exploring meets',
    count: 1,
    steps: 20,
    reason: 'everything that it meets is kept and reported',
  },
  address: {
    name: 'address that a path may pick at a step',
    count: 16,
    steps: 1,
    reason: 'a hostile referral names thousands',
  },
  oddAddress: {
    name: 'name server or address beyond the usual number at an explored step',
    count: 1,
    steps: 2,
    reason: 'there is room for all that one reply can give, not for many such replies',
  },
  givenAddress: {
    name: 'address that a lookup gives to a step that needs it',
    count: 64,
    steps: 1,
    reason: 'it is passed from step to step',
  },
  oddGivenAddress: {
    name: 'address beyond the usual number that lookups give',
    count: 1,
    steps: 8,
    reason: 'every step on the way keeps a set of its own',
  },
  proofQuestion: {
    name: 'explored question that only proves others, to one address',
    count: 1,
    steps: 3,
    reason: 'it takes an exchange, and a name with a hundred labels makes as many for each address',
  },
  reply: { name: 'reply that is validated', count: 16, steps: 1, reason: 'it is read again' },
  record: { name: 'record of a validated reply', count: 64, steps: 1, reason: 'it is put in order' },
  signature: {
    name: 'signature of a validated reply',
    count: 4,
    steps: 1,
    reason: 'its keys and its time are looked at',
  },
  signatureCheck: {
    name: 'signature that is checked',
    count: 1,
    steps: 32,
    reason: 'cryptography takes longest',
  },
  slowSignatureCheck: {
    name: 'signature of a slow algorithm that is checked',
    count: 1,
    steps: 256,
    reason: 'hostile zones choose it',
  },
  digest: { name: 'digest that is made', count: 1, steps: 1, reason: 'hashed denial makes thousands' },
  variant: {
    name: 'result of a step that cannot be reused',
    count: 64,
    steps: 1,
    reason: 'rings of lookups make thousands, and results too large to be of use',
  },
  repeated: {
    name: 'server or address of a step that is unfolded once more, for other pending lookups',
    count: 1,
    steps: 3,
    reason: 'rings of lookups unfold a step thousands of times, and a result has all of them',
  },
  answerCharacter: {
    name: 'character of an answer that paths end in',
    // A result has every end in three places: answers alone never make it too large with the default work.
    count: RESULT_OCTETS / 4 / LIMITS.maxWork.default,
    steps: 1,
    reason: 'the result has it several times',
  },
  end: { name: 'pick or end of a step', count: 16, steps: 1, reason: 'each is multiplied and added' },
  endDigit: {
    name: "hexadecimal digit of an end's probability",
    count: 4_096,
    steps: 1,
    reason: 'long fractions take longer',
  },
  chance: {
    name: 'pair of servers that are usable only with some probability',
    count: 64,
    steps: 1,
    reason: 'each of the two changes the chances of the other',
  },
  chanceDigit: {
    name: 'hexadecimal digit of such a chance',
    count: 16_384,
    steps: 1,
    reason: 'long fractions take longer',
  },
  search: {
    name: "state of a product's search among the servers of a zone",
    count: 1,
    steps: 16,
    reason: 'servers that fail in different ways multiply them',
  },
  momentDigit: {
    name: 'hexadecimal digit of the probability that such a state leads to one end at one moment',
    count: 8,
    steps: 1,
    reason: 'silent servers multiply the moments',
  },
  point: {
    name: "point of a lookup's time distribution",
    count: 1_024,
    steps: 1,
    reason: 'lookups side by side multiply their points',
  },
} as const satisfies Readonly<Record<string, WorkCost>>;

/** How much work so many things of a kind are, in steps. */
export function workOf(kind: keyof typeof WORK_COSTS, things: number): number {
  const { count, steps } = WORK_COSTS[kind];
  return (things * steps) / count;
}

/** Name servers, and addresses, that a path may pick at one step: no more than these unless somebody wants to make work. */
export const USUAL_ADDRESSES = 256;

/** How much work exploring takes for one more address at a step that has so many. */
export function workOfAddress(known: number): number {
  return known < USUAL_ADDRESSES ? 0 : workOf('oddAddress', 1);
}

/** How much work exploring takes for so many name servers of a step, whatever addresses they share. */
export function workOfNameservers(count: number): number {
  return workOf('oddAddress', Math.max(0, count - USUAL_ADDRESSES));
}

/** The work that there may be for exploring, in explored steps. */
export function exploringWork({ maxWork }: { readonly maxWork: number }): Work {
  return new Work(inExploredSteps(maxWork));
}

/** So many steps of the evaluation in explored steps. */
export function inExploredSteps(steps: number): number {
  return steps / WORK_COSTS.exploredStep.steps;
}
