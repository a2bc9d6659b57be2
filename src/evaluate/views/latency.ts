import { getOrMake } from '../../base/memo.ts';
import { type Work, workOf } from '../../base/work.ts';
import { addressesIn } from '../../explore/addresses.ts';
import { type Step, type StepServer, type Visit, visitAt, type Walk, walkAfter } from '../step.ts';
import { EVERY_ADDRESS } from '../world.ts';
import {
  exactly,
  inSequence,
  mixture,
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

const NO_ADDRESS = '';

/**
 * How long walks take from their first packet to their end, by what they come to: fold each step after all that it leads to.
 * Whole distributions are needed where an A and an AAAA lookup run side by side: the longer one counts, and its mean is not
 * the longer of their means. Void where that is more work than there may be.
 */
export class Latencies {
  readonly #work: Work;
  readonly #timings = new Map<Step, ReadonlyMap<string, Times>>();

  constructor(work: Work) {
    this.#work = work;
  }

  /** Of a walk whose steps were folded. */
  of(walk: Walk): Latency {
    const times = mixture([...this.#timing(walk).values()]);
    return { best: times.best, mean: weightedMean(times), worst: times.worst };
  }

  /** By address set (joined, or none): how long it takes to have it, with the server's share as mass. */
  #reaching(step: Step, server: StepServer): ReadonlyMap<string, Times> {
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

  /** How long a walk takes, by the address set that it comes to. */
  #timing(walk: Walk): ReadonlyMap<string, Times> {
    if (walk.kind === 'cut') return new Map([[NO_ADDRESS, exactly(0, 1)]]);
    // What is missing was too much work, and all that follows is void.
    return this.#timings.get(walk.step) ?? new Map();
  }

  /** Folds a step, after all that it leads to. */
  fold(step: Step): void {
    if (this.#work.exceeded) return;
    const ended: Part<string>[] = [];
    const onward: Part<Walk>[] = [];
    for (const server of step.servers) {
      for (const [joined, reaching] of this.#reaching(step, server)) {
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

function split(joined: string): readonly string[] {
  return joined === NO_ADDRESS ? [] : joined.split(' ');
}
