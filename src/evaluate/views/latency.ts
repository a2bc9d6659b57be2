import { getOrMake } from '../../base/memo.ts';
import { type Work, workOf } from '../../base/work.ts';
import { addressesIn } from '../../explore/addresses.ts';
import { type Step, type StepServer, type Visit, visitAt, type Walk, walkAfter } from '../step.ts';
import { EVERY_ADDRESS } from '../world.ts';
import {
  exactly,
  inSequence,
  least,
  mixture,
  most,
  pointsInSequence,
  shifted,
  sideBySide,
  type Times,
  weightedMean,
} from './times.ts';

/** Cold latency over all paths of the path view, in milliseconds: svc-model(7), COLD LATENCY. */
export interface Latency {
  readonly best: number;
  readonly mean: number;
  readonly worst: number;
}

/** Of what is not done at all. */
const NO_TIME: Latency = { best: 0, mean: 0, worst: 0 };
const NO_ADDRESS = '';

/**
 * Best, mean and worst time from a walk's first packet to its end: first those of lookups, each step after all that it
 * leads to, then the main walk's. Void where that is more work than there may be.
 *
 * Means add up, so they are enough along a walk. Only lookups need whole distributions, by what they come
 * to: when an A and an AAAA lookup run side by side the longer one counts, and its mean is not the longer
 * of their means.
 */
export class Latencies {
  readonly #work: Work;
  readonly #latencies = new Map<Step, Latency>();
  readonly #timings = new Map<Step, ReadonlyMap<string, Times>>();

  constructor(work: Work) {
    this.#work = work;
  }

  of(walk: Walk): Latency {
    if (walk.kind === 'cut') return NO_TIME;
    const known = this.#latencies.get(walk.step);
    if (known !== undefined) return known;
    const latency = this.#fold(walk.step);
    this.#latencies.set(walk.step, latency);
    return latency;
  }

  #fold(step: Step): Latency {
    const parts = step.servers.flatMap((server) =>
      [...this.reaching(step, server)].map(([addresses, reaching]) =>
        after(
          reaching,
          split(addresses).map((address) => this.#visit(visitAt(server, address))),
        ),
      ),
    );
    return {
      best: least(parts.map(({ best }) => best)),
      mean: parts.reduce((sum, { mean }) => sum + mean, 0),
      worst: most(parts.map(({ worst }) => worst)),
    };
  }

  #visit(visit: Visit): Latency {
    const elapsedMs = elapsedAt(visit);
    const walk = walkAfter(visit);
    const rest = walk === undefined ? NO_TIME : this.of(walk);
    return { best: elapsedMs + rest.best, mean: elapsedMs + rest.mean, worst: elapsedMs + rest.worst };
  }

  /** By address set (joined, or none): how long it takes to have it, with the server's share as mass. */
  reaching(step: Step, server: StepServer): ReadonlyMap<string, Times> {
    const each = 1 / step.servers.length;
    switch (server.kind) {
      case 'glue':
        return new Map([[server.addresses.join(' '), exactly(0, each)]]);
      case 'not-looked-up':
        return new Map([[NO_ADDRESS, exactly(0, each)]]);
      case 'lookup': {
        const { ofAnswer, ofAll } = server.selection;
        const lookups = server.lookups.map(({ walk }) => selected(this.#timing(walk), ofAnswer));
        const both = lookups.reduce((a, aaaa) => this.#pairUp(a, aaaa));
        const pair = ofAll === undefined ? both : selected(both, ofAll);
        return new Map([...pair].map(([addresses, times]) => [addresses, shifted(times, 0, each)]));
      }
    }
  }

  /** How long a lookup takes, by the address set it comes to. */
  #timing(walk: Walk): ReadonlyMap<string, Times> {
    if (walk.kind === 'cut') return new Map([[NO_ADDRESS, exactly(0, 1)]]);
    // What is missing was too much work, and all that follows is void.
    return this.#timings.get(walk.step) ?? new Map();
  }

  /** Folds a step that lookups meet, after all that it leads to. */
  foldTiming(step: Step): void {
    if (this.#work.exceeded) return;
    const ended: Part<string>[] = [];
    const onward: Part<Walk>[] = [];
    for (const server of step.servers) {
      for (const [joined, reaching] of this.reaching(step, server)) {
        const addresses = split(joined);
        if (addresses.length === 0) ended.push([NO_ADDRESS, reaching]);
        for (const address of addresses) {
          const visit = visitAt(server, address);
          const heard = shifted(reaching, elapsedAt(visit), 1 / addresses.length);
          const walk = walkAfter(visit);
          if (walk === undefined) ended.push([addressesAt(visit), heard]);
          else onward.push([walk, heard]);
        }
      }
    }
    for (const [walk, until] of mixtures(onward)) {
      for (const [addresses, times] of this.#timing(walk)) {
        if (!this.#mayTake(pointsInSequence(until, times))) return;
        ended.push([addresses, inSequence(until, times)]);
      }
    }
    this.#timings.set(step, mixtures(ended));
  }

  /** An A and an AAAA lookup side by side, by the union of what they come to. */
  #pairUp(a: ReadonlyMap<string, Times>, aaaa: ReadonlyMap<string, Times>): ReadonlyMap<string, Times> {
    const parts: Part<string>[] = [];
    for (const [first, timesA] of a) {
      for (const [second, timesAaaa] of aaaa) {
        if (!this.#mayTake(timesA.ms.length + timesAaaa.ms.length)) return mixtures(parts);
        parts.push([[...split(first), ...split(second)].join(' '), sideBySide(timesA, timesAaaa)]);
      }
    }
    return mixtures(parts);
  }

  #mayTake(points: number): boolean {
    return this.#work.spend(workOf('point', points)) === 'allowed';
  }
}

/** A part of all paths, by what it has in common with others. */
type Part<K> = readonly [common: K, times: Times];

function mixtures<K>(parts: readonly Part<K>[]): ReadonlyMap<K, Times> {
  const alike = new Map<K, Times[]>();
  for (const [common, times] of parts) getOrMake(alike, common, (): Times[] => []).push(times);
  return new Map([...alike].map(([common, all]) => [common, mixture(all)]));
}

/** The same by the addresses that there are to pick from. */
function selected(
  timing: ReadonlyMap<string, Times>,
  select: (addresses: readonly string[]) => readonly string[],
): ReadonlyMap<string, Times> {
  if (select === EVERY_ADDRESS.ofAnswer) return timing;
  return mixtures([...timing].map(([addresses, times]) => [select(split(addresses)).join(' '), times]));
}

/** How long the exchange of a visit took; no time if it was not made. */
function elapsedAt(visit: Visit): number {
  return visit.kind === 'not-asked' ? 0 : visit.exchanged.elapsedMs;
}

/** The address set, joined, that a path of a lookup ends with here. */
function addressesAt(visit: Visit): string {
  if (visit.kind !== 'asked' || visit.meaning.kind !== 'answer') return NO_ADDRESS;
  return addressesIn(visit.meaning.records).join(' ');
}

/** The latency from having the addresses, in `reaching`, on to what follows each of them. */
function after(reaching: Times, visits: readonly Latency[]): Latency {
  const following = visits.length === 0 ? [NO_TIME] : visits;
  const mean = following.reduce((sum, visit) => sum + visit.mean, 0) / following.length;
  return {
    best: reaching.best + least(following.map(({ best }) => best)),
    mean: weightedMean(reaching) + reaching.mass * mean,
    worst: reaching.worst + most(following.map(({ worst }) => worst)),
  };
}

function split(joined: string): readonly string[] {
  return joined === NO_ADDRESS ? [] : joined.split(' ');
}
