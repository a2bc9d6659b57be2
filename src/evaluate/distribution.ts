import { type End, endKey } from './end.ts';
import type { Measure } from './measure.ts';

/** An end, and the weight of all paths to it. */
export interface Portion<W> {
  readonly end: End;
  readonly weight: W;
}

/** The ends of a walk, merged (MODEL 6), by `endKey`. */
export type Distribution<W> = ReadonlyMap<string, Portion<W>>;

/** Collects ends and merges equal ones. */
export class Collector<W> {
  readonly #measure: Measure<W>;
  readonly #portions = new Map<string, Portion<W>>();

  constructor(measure: Measure<W>) {
    this.#measure = measure;
  }

  add(end: End, weight: W): void {
    this.#put(endKey(end), end, weight);
  }

  /** Adds a whole distribution that is reached with this weight. */
  addAll(distribution: Distribution<W>, weight: W): void {
    for (const [key, portion] of distribution) {
      this.#put(key, portion.end, this.#measure.multiply(weight, portion.weight));
    }
  }

  get distribution(): Distribution<W> {
    return this.#portions;
  }

  #put(key: string, end: End, weight: W): void {
    const known = this.#portions.get(key);
    if (known === undefined) this.#portions.set(key, { end, weight });
    else this.#portions.set(key, { end: known.end, weight: this.#measure.add(known.weight, weight) });
  }
}

/** The distribution of a walk that ends at once. */
export function certainly<W>(end: End, measure: Measure<W>): Distribution<W> {
  return new Map([[endKey(end), { end, weight: measure.whole }]]);
}
