import type { TraversalOptions } from '../options.ts';
import type { TraversalResult } from './result.ts';

/** What a result says beside what its exchanges do. */
export interface Circumstances {
  readonly options: TraversalOptions;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly durationMs: number;
  readonly ending: TraversalResult['ending'];
}
