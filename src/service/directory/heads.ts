import { JOB_ID } from '../../document/api/job-id.ts';
import { ERROR, PROGRESS } from '../../document/api/jobs.ts';
import { ADDRESS, NAME, QUESTION } from '../../document/dns.ts';
import { ENDED_STATUS } from '../../document/events.ts';
import { MILLISECONDS } from '../../document/measures.ts';
import { OPTIONS } from '../../options.ts';
import { list } from '../../shape/list.ts';
import { object, optional } from '../../shape/object.ts';
import type { Of } from '../../shape/shape.ts';
import { COUNT, oneOf, TEXT, TIME } from '../../shape/values.ts';

const ACCEPTED = {
  id: JOB_ID,
  question: QUESTION,
  options: OPTIONS,
  owner: object({ client: TEXT, party: TEXT }),
  createdAt: TIME,
};

/** The part that the heads of all job files have. */
export const ACCEPTED_HEAD = object(ACCEPTED);

/** The head of the file of a job that has not ended. */
export const WAITING_HEAD = object({
  ...ACCEPTED,
  attempts: COUNT,
  firstStartedAt: optional(TIME),
  lastEvent: COUNT,
});

/** The head of the file of a job that has not ended. */
export type WaitingHead = Of<typeof WAITING_HEAD>;

/** Octets that follow the head: those of the result, then those of the events. */
const RESULT_CHUNK = object({ form: oneOf('plain', 'deflated'), length: COUNT, octets: COUNT });
const EVENT_BLOCK = object({ after: COUNT, octets: COUNT });

const MET = object({
  address: ADDRESS,
  names: list(NAME),
  namesOmitted: optional(COUNT),
  zones: list(NAME),
  reaction: oneOf('replied', 'silent'),
});

/** The head of the file of a job that has ended. */
export const ENDED_HEAD = object({
  ...ACCEPTED,
  status: ENDED_STATUS,
  startedAt: optional(TIME),
  finishedAt: TIME,
  error: optional(ERROR),
  conclusion: object({
    durationMs: MILLISECONDS,
    data: TEXT,
    summary: TEXT,
    validated: oneOf('other', 'as-far-as-known-the-same'),
  }),
  progress: PROGRESS,
  result: optional(list(RESULT_CHUNK)),
  events: object({ before: COUNT, last: COUNT, blocks: list(EVENT_BLOCK) }),
  met: list(MET),
  packets: COUNT,
});

/** The head of the file of a job that has ended. */
export type EndedHead = Of<typeof ENDED_HEAD>;

/** The head of the file with a job's server list, which is the octets that follow. */
export const SERVERS_HEAD = object({ id: JOB_ID });
