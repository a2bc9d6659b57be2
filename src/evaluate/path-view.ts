import { type AddressOutcome, addressOutcomes, picksAhead } from './address-outcome.ts';
import { Branches, type Merged } from './branches.ts';
import { certainly, type Distribution } from './distribution.ts';
import { type End, unexamined } from './end.ts';
import { ENDS_PER_STEP, workOfFold } from './fold-work.ts';
import { type Fraction, multiply } from './fraction.ts';
import type { PickWeight } from './pick-weight.ts';
import type { LookupServer, Step, StepServer, Walk } from './step.ts';
import { failedLookupEnd } from './visit-end.ts';

/** One way to leave a step: a server and an address of it were picked, or the path ended before. */
export type StepPick = { readonly server: StepServer; readonly weight: Fraction } & (
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'end'; readonly end: End }
);

/**
 * The path view, svc-model(7), THE IDEA: every pick is uniform and final. Folds the steps of one
 * unfolding with one weight for picks; each step is folded once, however many paths meet there.
 */
export class PathView {
  readonly #pickWeight: PickWeight;
  readonly #maxWork: number;
  readonly #folds = new Map<Step, Fold>();
  #work = 0;

  constructor(pickWeight: PickWeight, maxWork = Number.POSITIVE_INFINITY) {
    this.#pickWeight = pickWeight;
    this.#maxWork = maxWork;
  }

  /** Whether folding took more work than allowed; every distribution is void then. */
  get exceeded(): boolean {
    return this.#work > this.#maxWork;
  }

  /** Where the paths of a walk end, and with what weight. */
  distribution(walk: Walk): Distribution {
    return walk.kind === 'cut' ? certainly(walk.end) : this.#fold(walk.step).distribution;
  }

  /** The walks that go on from a step, each once, with the weight of the picks that lead to it. */
  onward(step: Step): ReadonlyMap<Walk, Fraction> {
    return this.#fold(step).onward;
  }

  /** The picks a path makes at a step, each with its weight there. Made anew each time: there can be many. */
  picks(step: Step): readonly StepPick[] {
    const each = this.#pickWeight(step.servers.length);
    return step.servers.flatMap((server) => this.#picksOf(step, server, each));
  }

  /** Folds one step, and what of it is below and was not folded yet. */
  fold(step: Step): void {
    this.#fold(step);
  }

  #fold(step: Step): Fold {
    const known = this.#folds.get(step);
    if (known !== undefined) return known;
    const fold = this.#fits(step) ? this.#makeFold(step) : VOID;
    this.#work += workOfFold(fold);
    this.#folds.set(step, fold);
    return fold;
  }

  /** An A and an AAAA lookup can come to as many pairs as there are outcomes of one times those of the other. */
  #fits({ servers }: Step): boolean {
    if (this.#maxWork === Number.POSITIVE_INFINITY) return true;
    const lookups = servers.flatMap((server) => (server.kind === 'lookup' ? [this.#lookups(server)] : []));
    const picks = lookups.reduce((sum, distributions) => sum + picksAhead(distributions), 0);
    const ahead = picks / ENDS_PER_STEP;
    if (this.#work + ahead > this.#maxWork) this.#work += ahead;
    return !this.exceeded;
  }

  #makeFold(step: Step): Fold {
    const branches = new Branches(step);
    const picks = this.picks(step);
    for (const pick of picks) {
      if (pick.kind === 'end') leaveWithout(step, pick.end, pick.weight, branches);
      else branches.pick(pick.server.name, pick.address, pick.weight);
    }
    return { ...branches.merge((walk) => this.distribution(walk)), picks: picks.length };
  }

  #picksOf(step: Step, server: StepServer, weight: Fraction): readonly StepPick[] {
    switch (server.kind) {
      case 'glue':
        return this.#spread(server, server.addresses, weight);
      case 'not-looked-up':
        return [{ kind: 'end', server, end: server.end, weight }];
      case 'lookup':
        return this.#outcomes(server).flatMap((outcome) => {
          const reached = multiply(weight, outcome.weight);
          if (outcome.kind === 'addresses') return this.#spread(server, outcome.addresses, reached);
          const end = failedLookupEnd(step, server, outcome.end);
          return [{ kind: 'end', server, end, weight: reached }];
        });
    }
  }

  #outcomes(server: LookupServer): readonly AddressOutcome[] {
    return addressOutcomes(this.#lookups(server));
  }

  #lookups({ lookups }: LookupServer): readonly Distribution[] {
    return lookups.map(({ walk }) => this.distribution(walk));
  }

  #spread(server: StepServer, addresses: readonly string[], weight: Fraction): readonly StepPick[] {
    const each = multiply(weight, this.#pickWeight(addresses.length));
    return addresses.map((address) => ({ kind: 'address', server, address, weight: each }));
  }
}

/** Adds paths that picked a server and have no address of it. */
function leaveWithout({ otherwise }: Step, end: End, weight: Fraction, branches: Branches): void {
  const unknown = unexamined(end);
  if (otherwise === undefined) branches.end(end, weight);
  else if (unknown === undefined) branches.goOn(otherwise, weight);
  else branches.end(unknown, weight);
}

interface Fold extends Merged {
  /** How many picks there are. */
  readonly picks: number;
}

const VOID: Fold = { distribution: { whole: 1n, portions: new Map() }, onward: new Map(), ends: 0, picks: 0 };
