/* The history of a name: the jobs that have ended, and the request for them. */

import { described, named, type Of } from '../../base/shape.ts';
import { closed, object, optional } from '../../base/shape-object.ts';
import { list, parsed, TEXT } from '../../base/shape-values.ts';
import { EVENTS } from '../events.ts';
import { isJobId, JOB_FIELDS } from './jobs.ts';
import { REQUESTED_NAME, REQUESTED_TYPE } from './request.ts';

const PAST_JOB = object({
  ...JOB_FIELDS,
  conclusion: described(EVENTS.complete, 'The data of the event `complete`.'),
});

/** A job that has ended, without its result. */
export type PastJob = Of<typeof PAST_JOB>;

/** The reply to a request for a history. */
export const HISTORY = named(
  'History',
  object({
    traversals: described(list(PAST_JOB), 'Those that ended last come first.'),
    next: optional(described(TEXT, 'The path of those that ended before; absent if there are none.')),
  }),
);

/** The reply to a request for a history. */
export type History = Of<typeof HISTORY>;

/** How many jobs a reply has at most, and has unless the request says otherwise. */
const MOST_JOBS = 100;
const USUAL_JOBS = 20;

/** The members of the query of a request for a history. */
export const HISTORY_QUERY = {
  name: described(REQUESTED_NAME, 'The name that was looked up.'),
  type: optional(described(REQUESTED_TYPE, 'Only traversals for this type; absent: for any.')),
  before: optional(
    described(
      parsed(readBefore, { examples: ['2026-01-31T00:00:00Z'] }),
      'Only those that ended before this time (ISO 8601, UTC), or before the job with this identifier.',
    ),
  ),
  limit: optional(
    described(
      parsed(readLimit, { pattern: '^[1-9][0-9]?$|^100$', default: `${USUAL_JOBS}` }),
      `How many at most, from 1 to ${MOST_JOBS}.`,
    ),
  ),
};

/** The query of a request for a history. */
export const HISTORY_REQUEST = closed(HISTORY_QUERY);

/** A request for a history. */
export interface HistoryAsked {
  readonly name: string;
  /** Absent: any. */
  readonly type?: string | undefined;
  /** Only jobs that ended before: a moment, or the end of another job. */
  readonly before?: Before | undefined;
  /** How many jobs at most. */
  readonly limit: number;
}

/** The end of what is wanted of a history. */
type Before = { readonly kind: 'time'; readonly at: Date } | { readonly kind: 'job'; readonly id: string };

function readBefore(text: string): Before {
  if (isJobId(text)) return { kind: 'job', id: text.toLowerCase() };
  const at = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT.*Z$/.test(text) || Number.isNaN(at.getTime()))
    throw new Error('must be a time in UTC (ISO 8601) or the identifier of a job');
  return { kind: 'time', at };
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d{1,3}$/.test(text) && limit >= 1 && limit <= MOST_JOBS) return limit;
  throw new Error(`must be an integer from 1 to ${MOST_JOBS}`);
}

/** The request with what it leaves out. */
export function historyAsked({ limit = USUAL_JOBS, ...asked }: Of<typeof HISTORY_REQUEST>): HistoryAsked {
  return { ...asked, limit };
}
