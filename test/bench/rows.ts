/** A row of the table. */
export interface Row {
  /** What is measured. */
  readonly what: string;
  readonly unit: Unit;
  readonly goal: Goal;
}

/**
 * "units": times the processor time of a bare exchange of Node's, over a socket that is bound and connected; "chains": times
 * the longest chain of exchanges that depend on each other; "starts": times `node -e 0`.
 */
export type Unit =
  | 'units'
  | 'chains'
  | 'starts'
  | 'times'
  | 'ms'
  | 's'
  | 'KB'
  | 'MB'
  | '%'
  | 'jobs/s'
  | 'names/h';

export type Goal =
  | { readonly kind: 'most'; readonly of: number }
  | { readonly kind: 'least'; readonly of: number };

const most = (of: number) => ({ kind: 'most', of }) as const;
const least = (of: number) => ({ kind: 'least', of }) as const;
const chain = (what: string, of: number) => ({ what, unit: 'chains', goal: most(of) }) as const;
const start = (what: string, of: number) => ({ what, unit: 'starts', goal: most(of) }) as const;
const plain = (what: string, unit: Unit, goal: Goal) => ({ what, unit, goal }) as const;

/** Every figure that is measured against a goal, in the order of the table. */
export const ROWS = {
  'many-whole': plain('`-f`, `--quick`: processor time a name, lines of JSON', 'units', most(50)),
  'many-share': plain('the same with `--share`: processor time over that without', 'times', most(1)),
  'many-views': plain('the same with all views: processor time over `--quick`', 'times', most(3)),
  'many-memory': plain('`-f`: peak memory', 'MB', most(200)),
  'portfolio-packets': plain(
    'names of 100 zones on 20 hosters, `--share`: packets over distinct questions',
    'times',
    most(1.05),
  ),
  'portfolio-rate': plain('the same at the default pace, servers 30 ms away', 'names/h', least(100_000)),
  'portfolio-memory': plain('the same: peak memory over that of a quarter of the names', 'times', most(1.2)),
  'plan-time': plain('`svc plan`, 500 names of a zone, default pace, servers 30 ms away', 's', most(60)),
  'ring-unknown': plain('zones that host each other: what is unknown to resolvers', '%', most(0)),
  'ring-time': plain('6 zones of 2 servers that host each other: from last reply to exit', 'ms', most(2_000)),
  'ring-cut': plain('3 × 2, 4 × 2, 7 × 1, 8 × 1: what is unknown of first tries', '%', most(0)),
  'ring-small': plain('the same: from last reply to exit', 'ms', most(1_000)),
  'ring-json': plain('zones that host each other: JSON', 'MB', most(10)),
  'saved-text': plain('a saved result of 3,136 questions to text: processor time', 'ms', most(600)),
  'saved-what-if': plain('what-if on it: processor time', 'ms', most(300)),
  'answer-small': chain('the first answer: first query to last word, 2 servers a zone', 1.15),
  'answer-classic': chain('the same, 13 servers at root and TLD, 4 without glue', 1.15),
  views: plain('all views: wall time over `--quick`, median over worlds', 'times', most(1.3)),
  'profiles-time': plain(
    'profiles: wall time of the first answer over that without, median over worlds',
    'times',
    most(1.15),
  ),
  'profiles-questions': plain('the same: questions', 'times', most(1.3)),
  signed: plain('all zones signed, `--views validating`: wall time over that without', 'times', most(1.3)),
  small: chain('one name, `--quick`, 2 servers a zone, all with glue', 1.1),
  classic: chain('the same, 13 servers at root and TLD, 4 without glue', 1.1),
  'wide-3-6': chain('6 zones of 3 servers without glue', 1.1),
  'wide-8-8': chain('8 zones of 8 servers without glue', 1.1),
  'wide-13-8': chain('8 zones of 13 servers without glue', 1.25),
  version: start('`svc --version`', 1.3),
  start: start('`svc traverse` of the small world, without delay', 1.8),
  'service-small': plain('service, default politeness: small jobs', 'jobs/s', least(15)),
  'service-mixed': plain('service, default politeness: mixed jobs', 'jobs/s', least(8)),
  'service-health': plain('service: p99 of health under eight jobs without pace', 'ms', most(50)),
  'service-memory': plain('service: memory of a kept job, over its JSON', 'times', most(1.3)),
  'service-streams': plain(
    'service: p99 of the delay of events, 1,000 followers of running jobs',
    'ms',
    most(50),
  ),
  'streams-health': plain('service: p99 of health meanwhile', 'ms', most(50)),
  'store-cpu': plain('service with a store: processor time of a job, over that without', 'times', most(2)),
  'store-memory': plain('store: memory of a kept job, over its JSON', 'times', most(1.3)),
  'store-again': plain(
    'service with a store: from the end of an instance to its job running again',
    'ms',
    most(10_000),
  ),
  'page-size': plain('page: JavaScript before the first mark, compressed', 'KB', most(100)),
  'page-result-size': plain('page: JavaScript with the result, compressed', 'KB', most(180)),
  'page-mark': plain('page: from the first event to the first mark', 'ms', most(50)),
  'page-frames': plain('page: frames dropped, 8 zones of 13 servers without glue', '%', most(5)),
} as const satisfies Record<string, Row>;

export type RowName = keyof typeof ROWS;

/** Whether the number is as good as the goal. */
export function isReached(goal: Goal, value: number): boolean {
  switch (goal.kind) {
    case 'most':
      return value <= goal.of;
    case 'least':
      return value >= goal.of;
  }
}
