import { type AddressOutcome, addressOutcomes } from './address-outcome.ts';
import { Collector, certainly, type Distribution } from './distribution.ts';
import type { End } from './end.ts';
import { type Fraction, multiply, sum } from './fraction.ts';
import type { PickWeight } from './measure.ts';
import type { Step, StepServer, Walk } from './step.ts';
import { failedLookupEnd, visitEnd } from './visit-end.ts';

/** One way to leave a step: a server and an address of it were picked, or the path ended before. */
export type StepPick = { readonly server: StepServer; readonly weight: Fraction } & (
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'end'; readonly end: End }
);

/**
 * The path view (MODEL 1): every pick is uniform and final. Folds the steps of one unfolding with one
 * measure; each step is folded once, however many paths meet there.
 */
export class PathView {
  readonly #measure: PickWeight;
  readonly #maxWork: number;
  readonly #folds = new Map<Step, Fold>();
  #work = 0;

  constructor(measure: PickWeight, maxWork = Number.POSITIVE_INFINITY) {
    this.#measure = measure;
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
    const each = this.#measure(step.servers.length);
    return step.servers.flatMap((server) => this.#picksOf(step, server, each));
  }

  /** What the lookups of a server come to. */
  outcomes(server: StepServer & { kind: 'lookup' }): readonly AddressOutcome[] {
    return addressOutcomes(server.lookups.map(({ walk }) => this.distribution(walk)));
  }

  #fold(step: Step): Fold {
    let fold = this.#folds.get(step);
    if (fold === undefined) {
      fold = this.exceeded ? VOID : this.#makeFold(step);
      this.#work += workOf(fold);
      this.#folds.set(step, fold);
    }
    return fold;
  }

  #makeFold(step: Step): Fold {
    const collector = new Collector();
    const onto = new Map<Walk, Fraction[]>();
    const picks = this.picks(step);
    for (const pick of picks) {
      const walk = walkOf(step, pick);
      if (walk === undefined) collector.add(pick.kind === 'end' ? pick.end : endOf(step, pick), pick.weight);
      else {
        const weights = onto.get(walk);
        if (weights === undefined) onto.set(walk, [pick.weight]);
        else weights.push(pick.weight);
      }
    }
    const onward = new Map([...onto].map(([walk, weights]) => [walk, sum(weights)]));
    for (const [walk, weight] of onward) collector.addAll(this.distribution(walk), weight);
    return { distribution: collector.distribution, onward, picks: picks.length };
  }

  #picksOf(step: Step, server: StepServer, weight: Fraction): readonly StepPick[] {
    switch (server.kind) {
      case 'glue':
        return this.#spread(server, server.addresses, weight);
      case 'not-looked-up':
        return [{ kind: 'end', server, end: server.end, weight }];
      case 'lookup':
        return this.outcomes(server).flatMap((outcome) => {
          const reached = multiply(weight, outcome.weight);
          if (outcome.kind === 'addresses') return this.#spread(server, outcome.addresses, reached);
          const end = failedLookupEnd(
            step,
            server.name,
            server.inDomain ? 'in-domain' : 'elsewhere',
            outcome.end,
          );
          return [{ kind: 'end', server, end, weight: reached }];
        });
    }
  }

  #spread(server: StepServer, addresses: readonly string[], weight: Fraction): readonly StepPick[] {
    const each = multiply(weight, this.#measure(addresses.length));
    return addresses.map((address) => ({ kind: 'address', server, address, weight: each }));
  }
}

interface Fold {
  readonly distribution: Distribution;
  readonly onward: ReadonlyMap<Walk, Fraction>;
  /** How many picks there are. */
  readonly picks: number;
}

const VOID: Fold = { distribution: { whole: 1n, portions: new Map() }, onward: new Map(), picks: 0 };

/** So many picks or ends are as much work as one step; numbers as long as that make an end count once more. */
const ENDS_PER_STEP = 16;
const DIGITS_PER_END = 256;

function workOf({ distribution, picks }: Fold): number {
  const digits = distribution.whole.toString(16).length;
  const ends = distribution.portions.size * (1 + digits / DIGITS_PER_END);
  return 1 + (picks + ends) / ENDS_PER_STEP;
}

function walkOf(step: Step, pick: StepPick): Walk | undefined {
  if (pick.kind === 'end') return undefined;
  const visit = step.visits.get(pick.address);
  return visit?.kind === 'asked' && visit.onward.kind === 'walk' ? visit.onward.walk : undefined;
}

function endOf(step: Step, pick: StepPick & { kind: 'address' }): End {
  const visit = step.visits.get(pick.address);
  if (visit === undefined) throw new Error(`no visit for ${pick.address}`);
  return visitEnd(step, visit, pick.server.name, pick.address);
}
