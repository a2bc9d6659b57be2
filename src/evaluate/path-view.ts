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
    return walk.kind === 'cut' ? certainly(walk.end) : this.fold(walk.step).distribution;
  }

  /** The walks that go on from a step, each once, with the weight of the picks that lead to it. */
  onward(step: Step): ReadonlyMap<Walk, Fraction> {
    return this.fold(step).onward;
  }

  /** Folds one step, and what of it is below and was not folded yet. */
  fold(step: Step): Fold {
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
    const { picks, deadEnds } = this.leaving(step);
    for (const { server, address, weight } of picks) {
      const visit = visitAt(server, address);
      const walk = walkAfter(visit);
      if (walk === undefined) ended.add(step.ends.afterVisit(visit, server.name, address), weight);
      else goOn(walk, weight);
    }
    for (const { end, weight } of deadEnds) {
      const unknown = unexamined(end);
      if (step.otherwise === undefined) ended.add(end, weight);
      else if (unknown === undefined) goOn(step.otherwise, weight);
      else ended.add(unknown, weight);
    }
    const onward = new Map([...walks].map(([walk, weights]) => [walk, sum(weights)]));
    for (const [walk, weight] of onward) ended.addAll(this.distribution(walk), weight);
    const distribution = this.#tally.kept(ended.distribution);
    return { distribution, onward, ends: ended.count, picks: picks.length + deadEnds.length };
  }

  /** The ways in which paths leave the servers of a step. Made anew each time: there can be many. */
  leaving(step: Step): { readonly picks: readonly AddressPick[]; readonly deadEnds: readonly DeadEnd[] } {
    const picks: AddressPick[] = [];
    const deadEnds: DeadEnd[] = [];
    const each = this.#tally.pickWeight(step.servers.length);
    for (const server of step.servers) {
      const pickOneOf = (addresses: readonly string[], together: Fraction) => {
        const weight = multiply(together, this.#tally.pickWeight(addresses.length));
        for (const address of addresses) picks.push({ server, address, weight });
      };
      switch (server.kind) {
        case 'glue':
          pickOneOf(server.addresses, each);
          break;
        case 'not-looked-up':
          deadEnds.push({ server, end: server.end, weight: each });
          break;
        case 'lookup': {
          const { whole, sets, limits, causes } = this.lookup(server);
          const part = (parts: bigint) => multiply(each, { numerator: parts, denominator: whole });
          const failed = step.ends.afterLookup(server);
          const ends = new Map<End, bigint>();
          for (const [cause, parts] of [...limits, ...causes]) include(ends, failed(cause), parts);
          for (const { addresses, parts } of sets.values()) pickOneOf(addresses, part(parts));
          for (const [end, parts] of ends) deadEnds.push({ server, end, weight: part(parts) });
        }
      }
    }
    return { picks, deadEnds };
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

/** Another way: a server was picked of which there is no address. */
export interface DeadEnd {
  readonly server: StepServer;
  readonly end: End;
  readonly weight: Fraction;
}

interface Fold {
  readonly distribution: Distribution;
  /** The walks that go on from the step, each with the weight of all picks that lead to it. */
  readonly onward: ReadonlyMap<Walk, Fraction>;
  /** How many ends were put together, equal ones counted each time. */
  readonly ends: number;
  readonly picks: number;
}

const VOID: Fold = { distribution: { whole: 1n, portions: new Map() }, onward: new Map(), ends: 0, picks: 0 };

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
