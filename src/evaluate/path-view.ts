import { getOrMake } from '../base/memo.ts';
import { workOf } from '../base/work.ts';
import { Collector, certainly, type Distribution, include, workOfFold } from './distribution.ts';
import { type End, unexamined } from './end.ts';
import { type Fraction, multiply, ONE, share, sum } from './fraction.ts';
import { type LookupServer, type Step, type StepServer, visitAt, type Walk, walkAfter } from './step.ts';
import { type LookupResult, lookupResult, picksAhead } from './views/lookup-result.ts';

/**
 * The path view, svc-model(7), THE IDEA: every pick is uniform and final. Folds the steps of one
 * unfolding for one tally; each step is folded once, however many paths meet there.
 */
export class PathView {
  readonly #tally: PathTally;
  readonly #maxWork: number;
  readonly #folds = new Map<Step, Fold>();
  #work = 0;

  constructor(tally: PathTally, maxWork = Number.POSITIVE_INFINITY) {
    this.#tally = tally;
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

  /** The addresses that a path picks at a step. Made anew each time: there can be many. */
  picks(step: Step): readonly AddressPick[] {
    return step.servers.flatMap((server) =>
      this.#addressesBy(step, server).flatMap(({ addresses, weight }) =>
        addresses.map((address) => ({ server, address, weight })),
      ),
    );
  }

  /** How paths stop at a step without an address. Made anew each time, too. */
  deadEnds(step: Step): readonly DeadEnds[] {
    return step.servers.map((server) => ({ server, ends: [...this.#endsBy(step, server).portions.keys()] }));
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
    const ahead = workOf('end', picks);
    if (this.#work + ahead > this.#maxWork) this.#work += ahead;
    return !this.exceeded;
  }

  #makeFold(step: Step): Fold {
    const ended = new Collector();
    const walks = new Map<Walk, Fraction[]>();
    const goOn = (walk: Walk, weight: Fraction) => getOrMake(walks, walk, (): Fraction[] => []).push(weight);
    const each = this.#tally.pickWeight(step.servers.length);
    let picks = 0;
    for (const server of step.servers) {
      for (const { addresses, weight } of this.#addressesBy(step, server)) {
        for (const address of addresses) {
          const visit = visitAt(server, address);
          const walk = walkAfter(visit);
          if (walk === undefined) ended.add(step.ends.afterVisit(visit, server.name, address), weight);
          else goOn(walk, weight);
        }
        picks += addresses.length;
      }
      const without = this.#endsBy(step, server);
      if (step.otherwise === undefined && without.portions.size > 0) ended.addAll(without, each);
      else if (step.otherwise !== undefined)
        for (const [end, parts] of without.portions) {
          const weight = multiply(each, { numerator: parts, denominator: without.whole });
          const unknown = unexamined(end);
          if (unknown === undefined) goOn(step.otherwise, weight);
          else ended.add(unknown, weight);
        }
      picks += without.portions.size;
    }
    const onward = new Map([...walks].map(([walk, weights]) => [walk, sum(weights)]));
    for (const [walk, weight] of onward) ended.addAll(this.distribution(walk), weight);
    return { distribution: this.#tally.kept(ended.distribution), onward, ends: ended.count, picks };
  }

  /** What paths that picked a server have to pick an address of. */
  #addressesBy({ servers }: Step, server: StepServer): readonly WeighedAddresses[] {
    const each = this.#tally.pickWeight(servers.length);
    switch (server.kind) {
      case 'glue':
        return [this.#weighed(server.addresses, each)];
      case 'not-looked-up':
        return [];
      case 'lookup': {
        const { whole, sets } = this.lookup(server);
        return [...sets.values()].map(({ addresses, parts }) =>
          this.#weighed(addresses, multiply(each, { numerator: parts, denominator: whole })),
        );
      }
    }
  }

  #weighed(addresses: readonly string[], together: Fraction): WeighedAddresses {
    return { addresses, weight: multiply(together, this.#tally.pickWeight(addresses.length)) };
  }

  /** Where paths that picked a server end without an address. */
  #endsBy(step: Step, server: StepServer): Distribution {
    switch (server.kind) {
      case 'glue':
        return NO_END;
      case 'not-looked-up':
        return certainly(server.end);
      case 'lookup': {
        const { whole, limits, causes } = this.lookup(server);
        const failed = step.ends.afterLookup(server);
        const portions = new Map<End, bigint>();
        for (const why of [limits, causes])
          for (const [cause, parts] of why) include(portions, failed(cause), parts);
        return { whole, portions };
      }
    }
  }

  /** What the lookups of a server's addresses give, and why they give none. */
  lookup(server: LookupServer): LookupResult {
    return lookupResult(this.#lookups(server), server.selection);
  }

  #lookups({ lookups }: LookupServer): readonly Distribution[] {
    return lookups.map(({ walk }) => this.distribution(walk));
  }
}

/** One way to leave a step: an address of a server was picked. */
export interface AddressPick {
  readonly server: StepServer;
  readonly address: string;
  readonly weight: Fraction;
}

/** The ways in which paths stop at a step because a server was picked of which there is no address. */
export interface DeadEnds {
  readonly server: StepServer;
  readonly ends: readonly End[];
}

/** Addresses to pick one of, and the weight of each. */
interface WeighedAddresses {
  readonly addresses: readonly string[];
  readonly weight: Fraction;
}

const NO_END: Distribution = { whole: 1n, portions: new Map() };

interface Fold {
  readonly distribution: Distribution;
  /** The walks that go on from the step, each with the weight of all picks that lead to it. */
  readonly onward: ReadonlyMap<Walk, Fraction>;
  /** How many ends were put together, equal ones counted each time. */
  readonly ends: number;
  readonly picks: number;
}

const VOID: Fold = { distribution: NO_END, onward: new Map(), ends: 0, picks: 0 };

/** What a fold over paths adds up. */
interface PathTally {
  /** The weight of one of so many picks. */
  readonly pickWeight: (picks: number) => Fraction;
  /** What of a distribution there is need to tell apart. */
  readonly kept: (distribution: Distribution) => Distribution;
}

/** Every pick is as likely as the others: folds add up exact probabilities. */
export const uniformly: PathTally = { pickWeight: share, kept: (distribution) => distribution };

/** Every pick counts as one: folds count distinct paths. */
export const countingPaths: PathTally = { pickWeight: () => ONE, kept: withOneFailure };

/** Why a path failed does not matter to how many there are, so one such end stands for all. */
function withOneFailure({ whole, portions }: Distribution): Distribution {
  const failure = [...portions.keys()].find(isFailure);
  const kept = new Map<End, bigint>();
  for (const [end, parts] of portions) include(kept, isFailure(end) ? (failure ?? end) : end, parts);
  return { whole, portions: kept };
}

function isFailure(end: End): boolean {
  return end.kind !== 'answer' && unexamined(end) === undefined;
}
