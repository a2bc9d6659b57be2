/* How long validating resolvers search among the servers of a step, until one has a usable reply. */

import { getOrMake } from '../../base/memo.ts';
import { type Work, workOf } from '../../base/work.ts';
import { toNumber } from '../fraction.ts';
import { type AddressWay, addressWays, type ResolverView } from '../resolver-view.ts';
import type { AddressOutcomes, Step, StepServer } from '../step.ts';
import type { Latencies } from '../views/latency.ts';
import { exactly, inSequence, mixture, pointsInSequence, shifted, type Times } from '../views/times.ts';
import { endsSearch, outcomeAt } from './draw-servers.ts';
import type { StepWait } from './paths-at-step.ts';

/** What it takes to say how long resolvers search. */
export interface SearchTools {
  /** Where lookups end. */
  readonly lookups: ResolverView;
  /** How long they take. */
  readonly latencies: Latencies;
  readonly work: Work;
}

/**
 * How long a resolver asks the servers of a step one question, in random order, until one brings something to take: all
 * exchanges up to that one, and the lookups of the names that it comes to. Void once that is more work than there may be.
 */
export class SearchTimes {
  readonly #step: Step;
  readonly #heard: AddressOutcomes<unknown>;
  readonly #tools: SearchTools;
  readonly #names: readonly TriedName[];
  readonly #beforeNames = new Map<string, Times>();
  readonly #withinNames = new Map<string, Times>();

  constructor(step: Step, heard: AddressOutcomes<unknown>, tools: SearchTools) {
    this.#step = step;
    this.#heard = heard;
    this.#tools = tools;
    this.#names = step.servers.map((server) => this.#triedName(server));
  }

  /** Until this was taken, with all of the probability. */
  until({ pick }: StepWait): Times {
    if (pick === undefined) return this.#allInVain();
    const before = this.#beforeName(pick.server);
    // A lookup that a limit ended: how long it would have taken is unknown.
    if (pick.at === undefined) return before;
    const { address, set } = pick.at;
    const within = getOrMake(this.#withinNames, `${pick.server.name} ${set.join(' ')}`, () =>
      this.#sequence(this.#lookup(pick.server, set), this.#beforeAddress(pick.server, address, set)),
    );
    return shifted(this.#sequence(before, within), this.#elapsedAt(pick.server, address), 1);
  }

  /** The names that were tried in vain before this one. Names of which all addresses are usable differ in nothing. */
  #beforeName(server: StepServer): Times {
    const own = this.#names.find((one) => one.server === server);
    const key = own?.inVain === undefined ? `${own?.usable}` : server.name;
    return getOrMake(this.#beforeNames, key, () =>
      this.#triedBefore(this.#names.filter((other) => other !== own)),
    );
  }

  /** The addresses of a name that were tried in vain before one that is usable; all of the usable ones are alike. */
  #beforeAddress(server: StepServer, address: string, set: readonly string[]): Times {
    const others = set
      .filter((other) => other !== address)
      .map((other): Tried => {
        if (this.#isUsable(server, other)) return { usable: 1 };
        return { usable: 0, inVain: exactly(this.#elapsedAt(server, other), 1) };
      });
    return this.#triedBefore(others);
  }

  /**
   * Everyone comes at a random moment from 0 to 1, which gives a random order. If the one that is taken comes at moment x, of
   * each other one either comes later, or was tried in vain; all this is a polynomial in x, which few moments integrate.
   */
  #triedBefore(others: readonly Tried[]): Times {
    if (others.every(({ inVain }) => inVain === undefined)) return exactly(0, 1);
    const parts = momentsFor(others.length).map(({ moment, weight }) =>
      others.reduce(
        (times, { usable, inVain }) => {
          if (inVain === undefined) return shifted(times, 0, 1 - usable * moment);
          const later = exactly(0, 1 - moment);
          return this.#sequence(times, mixture([later, shifted(inVain, 0, moment)]));
        },
        exactly(0, weight),
      ),
    );
    return certain(mixture(parts));
  }

  /** The time of all exchanges, and of all lookups. */
  #allInVain(): Times {
    const all = this.#names.flatMap(({ inVain }) => inVain ?? []);
    return all.reduce((times, inVain) => this.#sequence(times, certain(inVain)), exactly(0, 1));
  }

  #triedName(server: StepServer): TriedName {
    const ways = addressWays(server, this.#tools.lookups.distribution);
    const failing = ways.filter((way) => !this.#isUsableWay(server, way));
    const usable = ways.filter((way) => !failing.includes(way));
    const parts = failing.flatMap((way) => (way.kind === 'limited' ? [] : this.#wayInVain(server, way)));
    return {
      server,
      usable: usable.reduce((sum, { weight }) => sum + toNumber(weight), 0),
      ...(parts.length > 0 && { inVain: mixture(parts) }),
    };
  }

  #isUsableWay(server: StepServer, way: AddressWay): boolean {
    return way.kind === 'limited' || way.set.some((address) => this.#isUsable(server, address));
  }

  #wayInVain(server: StepServer, { weight, set }: Extract<AddressWay, { kind: 'addresses' }>): Times {
    const asked = set.reduce((sum, address) => sum + this.#elapsedAt(server, address), 0);
    return shifted(this.#lookup(server, set), asked, toNumber(weight));
  }

  /** The time of paths that came to the same addresses, or to none. */
  #lookup(server: StepServer, set: readonly string[]): Times {
    if (server.kind !== 'lookup') return exactly(0, 1);
    const times = this.#tools.latencies.reaching(this.#step, server).get(set.join(' '));
    return times === undefined ? exactly(0, 1) : certain(times);
  }

  #isUsable(server: StepServer, address: string): boolean {
    return endsSearch(outcomeAt(this.#step, server, address, this.#heard), 'tries-on');
  }

  #elapsedAt(server: StepServer, address: string): number {
    return outcomeAt(this.#step, server, address, this.#heard).elapsedMs;
  }

  #sequence(first: Times, second: Times): Times {
    const points = pointsInSequence(first, second);
    return this.#tools.work.spend(workOf('point', points)) === 'exceeded' ? first : inSequence(first, second);
  }
}

/** Something that is tried in random order: a name, or an address. */
interface Tried {
  /** The probability that it is usable. */
  readonly usable: number;
  /** How long it takes to find that it is not, with the probability of that; absent: it always is. */
  readonly inVain?: Times;
}

interface TriedName extends Tried {
  readonly server: StepServer;
}

function certain(times: Times): Times {
  return shifted(times, 0, 1 / times.mass);
}

/** A moment from 0 to 1, and its part in an integral. */
interface Moment {
  readonly moment: number;
  readonly weight: number;
}

/** Enough for 31 others; with more, what is left out is less than doubles show. */
const MOST_MOMENTS = 16;

const known = new Map<number, readonly Moment[]>();

/** Moments that integrate a polynomial of this degree exactly (Gauss and Legendre): half as many as it has coefficients. */
function momentsFor(degree: number): readonly Moment[] {
  const count = Math.min(MOST_MOMENTS, Math.ceil((degree + 1) / 2));
  return getOrMake(known, count, () => legendreMoments(count));
}

function legendreMoments(count: number): readonly Moment[] {
  return Array.from({ length: count }, (_, i) => {
    let x = Math.cos((Math.PI * (i + 0.75)) / (count + 0.5));
    let slope = 0;
    // Newton's method converges from there in a few rounds.
    for (let round = 0; round < 12; round += 1) {
      let [before, value] = [1, x];
      for (let n = 2; n <= count; n += 1) {
        [before, value] = [value, ((2 * n - 1) * x * value - (n - 1) * before) / n];
      }
      slope = (count * (x * value - before)) / (x * x - 1);
      x -= value / slope;
    }
    return { moment: (1 + x) / 2, weight: 1 / ((1 - x * x) * slope * slope) };
  });
}
