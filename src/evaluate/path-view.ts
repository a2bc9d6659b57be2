import { Branches, type Merged } from './branches.ts';
import { certainly, type Distribution, include } from './distribution.ts';
import { type End, unexamined } from './end.ts';
import { ENDS_PER_STEP, workOfFold } from './fold-work.ts';
import { type Fraction, multiply } from './fraction.ts';
import { lookupResult, picksAhead } from './lookup-result.ts';
import type { PickWeight } from './pick-weight.ts';
import type { LookupServer, Step, StepServer, Walk } from './step.ts';

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
    return this.#ways(step).flatMap((way) => this.#picksAlong(way));
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
    const lookups = servers.filter((server) => server.kind === 'lookup');
    const picks = lookups.reduce((sum, one) => sum + picksAhead(this.#lookups(one), one.selection), 0);
    const ahead = picks / ENDS_PER_STEP;
    if (this.#work + ahead > this.#maxWork) this.#work += ahead;
    return !this.exceeded;
  }

  #makeFold(step: Step): Fold {
    const branches = new Branches(step);
    let picks = 0;
    for (const way of this.#ways(step)) {
      switch (way.kind) {
        case 'addresses': {
          const weight = this.#amongThese(way);
          for (const address of way.addresses) branches.pick(way.server, address, weight);
          picks += way.addresses.length;
          break;
        }
        case 'nowhere':
          leaveWithout(step, way, branches);
          picks += way.ends.portions.size;
      }
    }
    return { ...branches.merge((walk) => this.distribution(walk)), picks };
  }

  #ways(step: Step): readonly Way[] {
    const weight = this.#pickWeight(step.servers.length);
    return step.servers.flatMap((server) => this.#waysBy(step, server, weight));
  }

  #waysBy(step: Step, server: StepServer, weight: Fraction): readonly Way[] {
    switch (server.kind) {
      case 'glue':
        return [{ kind: 'addresses', server, addresses: server.addresses, weight }];
      case 'not-looked-up':
        return [{ kind: 'nowhere', server, ends: certainly(server.end), weight }];
      case 'lookup':
        return this.#waysAfterLookup(step, server, weight);
    }
  }

  #waysAfterLookup(step: Step, server: LookupServer, weight: Fraction): readonly Way[] {
    const { whole, sets, limits, causes } = lookupResult(this.#lookups(server), server.selection);
    const ends = new Map<End, bigint>();
    const failed = step.ends.afterLookup(server);
    for (const why of [limits, causes]) for (const [cause, parts] of why) include(ends, failed(cause), parts);
    return [
      ...[...sets.values()].map(({ addresses, parts }): Way => {
        const reached = multiply(weight, { numerator: parts, denominator: whole });
        return { kind: 'addresses', server, addresses, weight: reached };
      }),
      { kind: 'nowhere', server, ends: { whole, portions: ends }, weight },
    ];
  }

  #lookups({ lookups }: LookupServer): readonly Distribution[] {
    return lookups.map(({ walk }) => this.distribution(walk));
  }

  #picksAlong(way: Way): readonly StepPick[] {
    const { server } = way;
    switch (way.kind) {
      case 'addresses': {
        const weight = this.#amongThese(way);
        return way.addresses.map((address) => ({ kind: 'address', server, address, weight }));
      }
      case 'nowhere':
        return [...way.ends.portions].map(([end, parts]) => {
          const weight = multiply(way.weight, { numerator: parts, denominator: way.ends.whole });
          return { kind: 'end', server, end, weight };
        });
    }
  }

  /** The weight of each of these addresses. */
  #amongThese({ addresses, weight }: Addresses): Fraction {
    return multiply(weight, this.#pickWeight(addresses.length));
  }
}

/** What the pick of a server comes to: addresses to pick one of, or ends without an address. */
type Way = { readonly server: StepServer; readonly weight: Fraction } & (
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'nowhere'; readonly ends: Distribution }
);

/** Adds paths that picked a server and have no address of it. */
function leaveWithout({ otherwise }: Step, { ends, weight }: Nowhere, branches: Branches): void {
  if (otherwise === undefined) {
    branches.endIn(ends, weight);
    return;
  }
  for (const [end, parts] of ends.portions) {
    const unknown = unexamined(end);
    const share = multiply(weight, { numerator: parts, denominator: ends.whole });
    if (unknown === undefined) branches.goOn(otherwise, share);
    else branches.end(unknown, share);
  }
}

type Nowhere = Extract<Way, { readonly kind: 'nowhere' }>;
type Addresses = Extract<Way, { readonly kind: 'addresses' }>;

interface Fold extends Merged {
  /** How many picks there are. */
  readonly picks: number;
}

const VOID: Fold = { distribution: { whole: 1n, portions: new Map() }, onward: new Map(), ends: 0, picks: 0 };
