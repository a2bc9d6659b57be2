/* Writes metrics in the text format of Prometheus. */

/** All metrics as Prometheus reads them. */
export function metricsText(metrics: readonly Metric[]): string {
  return metrics.map(metricText).join('');
}

/** Label values by label name. */
export type Labels = Readonly<Record<string, string>>;

/** One metric, for the text format of Prometheus (version 0.0.4). */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: () => readonly Sample[];
}

/** A line: the suffix of the metric's name, the labels and the value. */
export interface Sample {
  readonly suffix?: string;
  readonly labels?: Labels;
  readonly value: number;
}

/** A value that is looked up whenever the metrics are read. */
export function gauge(name: string, help: string, samples: () => readonly Sample[]): Metric {
  return { name, help, type: 'gauge', samples };
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
