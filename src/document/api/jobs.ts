import { object, optional } from '../../shape/object.ts';
import { described, named } from '../../shape/schema.ts';
import type { Of } from '../../shape/shape.ts';
import { COUNT, oneOf, TEXT, TIME } from '../../shape/values.ts';
import { QUERY } from '../dns.ts';
import { RESULT } from '../result.ts';
import { JOB_ID } from './job-id.ts';

const LINKS = object({ self: TEXT, events: TEXT, servers: TEXT });

/** The paths of a job, its events and its servers. */
export type JobLinks = Of<typeof LINKS>;

/** The reply to a request for a job. */
export const JOB_CREATED = named('JobCreated', object({ id: JOB_ID, status: oneOf('queued'), links: LINKS }));

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
