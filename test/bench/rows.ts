/** A row of the table. */
export interface Row {
  /** What is measured. */
  readonly what: string;
  readonly unit: Unit;
  readonly goal: Goal;
}

/** "chains": times the longest chain of exchanges that depend on each other; "starts": times `node -e 0`. */
export type Unit = 'chains' | 'starts' | 'times' | 'ms' | 'us' | 'KB' | 'MB' | '%' | 'jobs/s';

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
  small: chain('one name, 2 servers a zone, all with glue', 1.1),
  classic: chain('one name, 13 servers at root and TLD, 4 without glue', 1.1),
  signed: plain('the same, all zones signed, `--dnssec`: wall time over that without', 'times', most(1.3)),
  views: plain('all views: wall time over `--quick`, median over worlds', 'times', most(1.3)),
  'wide-3-6': chain('6 zones of 3 servers without glue', 1.1),
  'wide-6-6': chain('6 zones of 6 servers without glue', 1.1),
  'wide-8-8': chain('8 zones of 8 servers without glue', 1.1),
  'wide-13-4': chain('4 zones of 13 servers without glue', 1.25),
  'wide-13-8': chain('8 zones of 13 servers without glue', 1.25),
  'wide-13-12': chain('12 zones of 13 servers without glue', 1.25),
  version: start('`svc --version`', 1.3),
  demo: start('`svc traverse` of a demo name', 2),
  start: start('`svc traverse` of the small world, without delay', 1.8),
  'many-cpu': plain('`-f`: processor time per exchange, over bare Node', 'times', most(3)),
  'many-cores': plain('`-f`: share of all processors in use, its name servers included', '%', least(80)),
  'many-memory': plain('`-f`: peak memory', 'MB', most(200)),
  'ring-unknown': plain('zones that host each other: what is unknown', '%', most(0)),
  'ring-time': plain('zones that host each other: from saved exchanges', 'ms', most(1_000)),
  'ring-json': plain('zones that host each other: JSON', 'MB', most(10)),
  replay: plain('a saved result of 13 × 8 to text, per question', 'us', most(50)),
  'service-small': plain('service, default politeness: small jobs', 'jobs/s', least(15)),
  'service-mixed': plain('service, default politeness: mixed jobs', 'jobs/s', least(8)),
  'service-health': plain('service: p99 of health under eight jobs without pace', 'ms', most(50)),
  'service-memory': plain('service: memory of a kept job, over its JSON', 'times', most(1.3)),
  'service-streams': plain('service: p99 of the delay of events, 1,000 streams', 'ms', most(50)),
  'store-cpu': plain('service with a store: processor time of a job, over that without', 'times', most(2)),
  'store-memory': plain('store: memory of a kept job, over its JSON', 'times', most(1.3)),
  'store-again': plain(
    'service with a store: from the end of an instance to its job running again',
    'ms',
    most(10_000),
  ),
  'page-size': plain('page: JavaScript before the picture, compressed', 'KB', most(100)),
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
