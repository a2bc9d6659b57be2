/* The documents of the service about a job: its identifier, its progress and its result. */

import { described, named, type Of, type Shape } from '../../base/shape.ts';
import { object, optional } from '../../base/shape-object.ts';
import { COUNT, matching, oneOf, TEXT, TIME } from '../../base/shape-values.ts';
import { QUERY } from '../common-shapes.ts';
import { RESULT } from '../result.ts';

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

/** A job. */
export const JOB = named(
  'Job',
  object({
    ...JOB_FIELDS,
    result: optional(
      described(
        RESULT,
        'Once the job is complete. For a job that was cancelled while it ran, what was known by then.',
      ),
    ),
  }),
);
