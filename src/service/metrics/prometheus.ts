import { getOrMake } from '../../get-or-make.ts';

/** Label values by label name. */
type Labels = Readonly<Record<string, string>>;

/** One metric, for the text format of Prometheus (version 0.0.4). */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: () => readonly Sample[];
}

/** A line: the suffix of the metric's name, the labels and the value. */
interface Sample {
  readonly suffix?: string;
  readonly labels?: Labels;
  readonly value: number;
}

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

/** A value that is looked up whenever the metrics are read. */
export function gauge(name: string, help: string, samples: () => readonly Sample[]): Metric {
  return { name, help, type: 'gauge', samples };
}

/** All metrics as Prometheus reads them. */
export function metricsText(metrics: readonly Metric[]): string {
  return metrics.map(metricText).join('');
}

function metricText(metric: Metric): string {
  const { name, help, type } = metric;
  const lines = metric
    .samples()
    .map(({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n');
}
