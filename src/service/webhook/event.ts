import type { Conclusion } from '../../reading/conclusion.ts';
import type { Name } from '../../wire/name.ts';

/** What a webhook receiver is told about a job (svc-api(5)). */
export type WebhookEvent = JobStarted | JobEnded;

/** The members of both kinds of event. */
interface JobSeen {
  /** The job's. */
  readonly id: string;
  readonly name: Name;
  readonly type: string;
  /** The client, as the rate limit tells clients apart. */
  readonly client: string;
  readonly region: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

interface JobStarted extends JobSeen {
  readonly event: 'start';
}

interface JobEnded extends JobSeen, Pick<Conclusion, 'status' | 'durationMs' | 'summary'> {
  readonly event: 'complete';
  readonly exchanges: number;
}
