/* The documents of the service about a job: its identifier, its progress and its result, and what webhook receivers get. */

import { described, named, type Of, type Shape } from '../../base/shape.ts';
import { object, optional } from '../../base/shape-object.ts';
import { COUNT, matching, nullable, oneOf, TEXT, TIME } from '../../base/shape-values.ts';
import { MILLISECONDS, NAME, QUERY, TYPE } from '../common-shapes.ts';
import { ENDED_STATUS } from '../events.ts';
import { RESULT, SENT_RESULT, VERDICT } from '../result.ts';

const UUID = /^[\da-fA-F]{8}-(?:[\da-fA-F]{4}-){3}[\da-fA-F]{12}$/;

/** A job's identifier: a UUID (RFC 9562 4). */
export const JOB_ID: Shape<string> = described(
  matching(UUID, 'a UUID', { format: 'uuid' }),
  'Cannot be guessed: anyone who knows it can read the job.',
);

/** Whether a text is the identifier of a job, which no domain name looks like. */
export function isJobId(text: string): boolean {
  return UUID.test(text);
}

const LINKS = object({ self: TEXT, events: TEXT, servers: TEXT });

/** The paths of a job, its events and its servers. */
export type JobLinks = Of<typeof LINKS>;

/** The reply to a request for a job. */
export const JOB_CREATED = named(
  'JobCreated',
  object({
    id: JOB_ID,
    status: oneOf('queued'),
    links: LINKS,
    cancel: described(TEXT, 'The token that cancels the job.'),
  }),
);

/** The reply to a request for a job. */
export type JobCreated = Of<typeof JOB_CREATED>;

/** How far a job is. */
export const PROGRESS = object({ exchanges: COUNT, pending: COUNT });

/** How far a job is. */
export type JobProgress = Of<typeof PROGRESS>;

/** Why a job failed. */
export const ERROR = object({ title: TEXT, detail: TEXT });

/** Why a job failed. Says nothing of a bug but that it is one. */
export type JobError = Of<typeof ERROR>;

/** A traversal that came to nothing, and why. */
export interface Failed {
  readonly kind: 'failed';
  readonly error: JobError;
}

/** A job without its result. */
export const JOB_FIELDS = {
  id: JOB_ID,
  status: oneOf('queued', 'running', 'complete', 'failed', 'cancelled'),
  query: QUERY,
  createdAt: TIME,
  startedAt: optional(TIME),
  finishedAt: optional(TIME),
  progress: PROGRESS,
  ahead: optional(
    described(
      COUNT,
      'While the job waits: how many others start before it, unless more come. Not always known.',
    ),
  ),
  error: optional(described(ERROR, 'Why a failed job failed.')),
};

const JOB_HEAD = object(JOB_FIELDS);

/** A job without its result. */
export type JobHead = Of<typeof JOB_HEAD>;

/** A job with its result and the evidence, as `?full` has it. */
export const FULL_JOB = object({ ...JOB_FIELDS, result: optional(RESULT) });

/** A job. */
export const JOB = named(
  'Job',
  object({
    ...JOB_FIELDS,
    result: optional(
      described(
        SENT_RESULT,
        'Once the job is complete. For a job that was cancelled while it ran, what was known by then.',
      ),
    ),
  }),
);

const SEEN = {
  id: JOB_ID,
  name: NAME,
  type: TYPE,
  client: described(TEXT, 'The client, as the rate limit tells clients apart.'),
  region: nullable(TEXT),
  at: TIME,
};

/** What a webhook receiver is told when a job starts. */
export const START_WEBHOOK = named(
  'StartWebhook',
  object({
    event: oneOf('start'),
    ...SEEN,
    attempt: optional(
      described(
        COUNT,
        'Which attempt this is, if not the first. Another start after the service was asked to stop is none.',
      ),
    ),
  }),
);

/** What a webhook receiver is told when a job that started has ended. */
export const COMPLETE_WEBHOOK = named(
  'CompleteWebhook',
  object({
    event: oneOf('complete'),
    ...SEEN,
    status: ENDED_STATUS,
    durationMs: MILLISECONDS,
    exchanges: COUNT,
    verdict: optional(described(VERDICT, 'That of the result; absent without one.')),
  }),
);

/** What a webhook receiver is told about a job (svc-api(5), WEBHOOKS). */
export type WebhookEvent = Of<typeof START_WEBHOOK> | Of<typeof COMPLETE_WEBHOOK>;
