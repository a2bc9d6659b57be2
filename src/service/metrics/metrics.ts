import { getOrMake } from '../../get-or-make.ts';
import type { Labels, Metric, Sample } from '../../metrics-text.ts';

/** A count that never falls, one for each set of labels. */
export class Counter implements Metric {
  readonly type = 'counter';
  readonly name: string;
  readonly help: string;
  readonly #counts = new Map<string, { readonly labels: Labels; value: number }>();

  /** `known`: the sets of labels shown from the start, with 0. */
  constructor(name: string, help: string, known: readonly Labels[] = [{}]) {
    this.name = name;
    this.help = help;
    for (const labels of known) this.add(labels, 0);
  }

  add(labels: Labels = {}, by = 1): void {
    getOrMake(this.#counts, JSON.stringify(labels), () => ({ labels, value: 0 })).value += by;
  }

  samples(): readonly Sample[] {
    return [...this.#counts.values()];
  }
}

/** A distribution over fixed upper bounds. */
export class Histogram implements Metric {
  readonly type = 'histogram';
  readonly name: string;
  readonly help: string;
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  /** `bounds` ascend. */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.name = name;
    this.help = help;
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.#sum += value;
    this.#count += 1;
    this.#bounds.forEach((bound, index) => {
      if (value <= bound) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    });
  }

  samples(): readonly Sample[] {
    const buckets = this.#bounds.map((bound, index) => ({
      suffix: '_bucket',
      labels: { le: `${bound}` },
      value: this.#counts[index] ?? 0,
    }));
    const all = { suffix: '_bucket', labels: { le: '+Inf' }, value: this.#count };
    return [...buckets, all, { suffix: '_sum', value: this.#sum }, { suffix: '_count', value: this.#count }];
  }
}
