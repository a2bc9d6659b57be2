/* Reads jobs, their events and their results from the store. */

import { inflateRawSync } from 'node:zlib';
import { parseJson } from '../../../base/json.ts';
import type { Packed } from '../../../base/packing.ts';
import { readShape } from '../../../base/shape.ts';
import type { HistoryAsked } from '../../../document/api/history.ts';
import type { JobCounts } from '../../../document/api/service-documents.ts';
import { type AcceptedJob, type Ended, isEnded, Job } from '../../jobs/job.ts';
import { ACCEPTED_HEAD, acceptedIn, ENDED_HEAD, endedJob } from '../../jobs/job-files.ts';
import type { JobPart, PastJobs } from '../../jobs/jobs.ts';
import type { KeptJob } from '../../jobs/persistence.ts';
import type { RunTrace } from '../../jobs/run-job.ts';
import type { Database } from '../database.ts';
import { HeldParts } from './held-parts.ts';
import type { Unreadable } from './unreadable.ts';

/** A job as it is stored, with the part of it that was asked for. */
interface StoredJob {
  readonly id: string;
  readonly state: string;
  readonly isOver: boolean;
  readonly head: string;
  /** The id of its last event. */
  readonly last: number;
  readonly exchanges: number;
  readonly pending: number;
  readonly firstStartedAt: Date | null;
  readonly startedAt: Date | null;
  readonly region: string | null;
  readonly servers: Buffer | null;
  /** Whether an instance that is there runs it, or asks its servers which software they run. */
  readonly attended: boolean;
  /** Its events from a place on. */
  readonly events: readonly EventBlock[];
  readonly result: readonly Uint8Array<ArrayBuffer>[];
}

interface EventBlock {
  readonly last: number;
  readonly octets: Buffer;
}

/** An instance that has sent no heartbeat for so long is dead, or cut off from the store. */
export const LOST = `interval '5 s'`;

const LOOK = `
  SELECT id, state, finished_at IS NOT NULL AS "isOver", head, last_event AS last, exchanges, pending,
    first_started_at AS "firstStartedAt", started_at AS "startedAt", region, CASE WHEN $2 THEN servers END AS servers,
    EXISTS (SELECT FROM svc_instance WHERE svc_instance.id = holder AND seen_at > clock_timestamp() - ${LOST}) AS attended
  FROM svc_job WHERE id = $1`;

/** So many blocks at once: a block is inflated from 64 KiB at most. */
const EVENTS_AFTER = `
  SELECT last, octets FROM svc_events WHERE job = $1 AND last > $2 AND last <= $3 ORDER BY last LIMIT 64`;

const RESULT_FROM = 'SELECT octets FROM svc_result WHERE job = $1 AND part >= $2 ORDER BY part';

const AHEAD = `
  SELECT count(other.id) AS ahead FROM svc_job AS job
  LEFT JOIN svc_job AS other ON other.state IN ('held', 'queued')
    AND (other.turn, other.created_at, other.id) < (job.turn, job.created_at, job.id)
  WHERE job.id = $1 AND job.state IN ('held', 'queued') GROUP BY job.id`;

/** Of many jobs that have ended, to count them takes long: from this number on it is what the planner reckons with. */
const MOST_COUNTED = 10_000;

const COUNT = `
  SELECT count(*) FILTER (WHERE state <> 'running') AS queued, count(*) FILTER (WHERE state = 'running') AS running,
    (SELECT CASE WHEN count(*) < ${MOST_COUNTED} THEN count(*) ELSE greatest(${MOST_COUNTED},
       (SELECT reltuples FROM pg_class WHERE oid = 'svc_job_history'::regclass)) END
     FROM (SELECT FROM svc_job WHERE finished_at IS NOT NULL LIMIT ${MOST_COUNTED}) AS ended) AS retained
  FROM svc_job WHERE state IN ('held', 'queued', 'running')`;

/** The columns of the record of a job that has ended. */
export const ENDED_RECORD = 'id, head, region, first_started_at AS "firstStartedAt"';

/** Octets of heads that are read at once, but for the last of them. */
const MOST_HEADS = 2 * 1024 * 1024;

/** The last $5 ended jobs of a name, before a moment or before another of them, or as many of these as are read at once. */
const ENDED_OF = `
  WITH ended AS (
    SELECT id, head, region, first_started_at, finished_at FROM svc_job
    WHERE finished_at IS NOT NULL AND name = $1 AND ($2::text IS NULL OR type = $2)
      AND ($3::timestamptz IS NULL OR finished_at < $3)
      AND ($4::uuid IS NULL OR (finished_at, id) < (SELECT finished_at, id FROM svc_job WHERE id = $4))
    ORDER BY finished_at DESC, id DESC LIMIT $5 + 1
  ), ranked AS (
    SELECT *, count(*) OVER () AS found, row_number() OVER latest AS place,
      sum(octet_length(head)) OVER latest - octet_length(head) AS later
    FROM ended WINDOW latest AS (ORDER BY finished_at DESC, id DESC)
  )
  SELECT ${ENDED_RECORD}, found FROM ranked
  WHERE place <= $5 AND later < ${MOST_HEADS} ORDER BY place`;

/** The statements that read jobs. All reject when the store is away. */
export class Reading {
  readonly #database: Pick<Database, 'query'>;
  readonly #unreadable: Unreadable;
  readonly #parts = new HeldParts();

  constructor(database: Pick<Database, 'query'>, unreadable: Unreadable) {
    this.#database = database;
    this.#unreadable = unreadable;
  }

  /** A job, with the events after the one with the id `after` if these are asked for, or as many as come at once. */
  async look(id: string, part: JobPart, after = 0): Promise<StoredJob | undefined> {
    const { query } = this.#database;
    type Row = Omit<StoredJob, 'events' | 'result'>;
    const [row] = await query<Row>(LOOK, [id, part === 'servers' || part === 'events']);
    if (row === undefined) return undefined;
    const isWanted = part === 'events' && row.last > after;
    const events = isWanted ? await query<EventBlock>(EVENTS_AFTER, [id, after, row.last]) : [];
    const result = part === 'result' && row.isOver ? await this.#resultOf(id) : [];
    return { ...row, events, result };
  }

  /**
   * A job with the part that is asked for, and whether an instance that is there attends to it. `known`: the job as it was
   * read before, which is brought up to date.
   */
  async find(id: string, part: JobPart, known?: Job): Promise<Read | 'unreadable' | undefined> {
    for (let before = known; ; ) {
      const stored = await this.look(id, part, before?.events.last);
      if (stored === undefined) return undefined;
      const job = this.#unreadable.read(id, () =>
        updated(before ?? new Job(acceptedFrom(stored.head)), stored),
      );
      if (job === undefined) return 'unreadable';
      if (!isBehind(job, stored)) return { job, attended: stored.attended };
      before = job;
    }
  }

  async #resultOf(id: string): Promise<StoredJob['result']> {
    const held = this.#parts.first(id);
    const rows = await this.#database.query<{ octets: Buffer }>(RESULT_FROM, [id, held.length]);
    return this.#parts.whole(
      id,
      held,
      rows.map(({ octets }) => Uint8Array.from(octets)),
    );
  }

  /** How many jobs have their turn before one that waits. */
  async ahead(id: string): Promise<number | undefined> {
    const [row] = await this.#database.query<{ ahead: number }>(AHEAD, [id]);
    return row?.ahead;
  }

  async history({ name, type, before, limit }: HistoryAsked): Promise<PastJobs> {
    const { query } = this.#database;
    const [time, job] =
      before === undefined ? [null, null] : before.kind === 'time' ? [before.at, null] : [null, before.id];
    const rows = await query<EndedRow>(ENDED_OF, [name, type ?? null, time, job, limit]);
    const jobs = rows.flatMap((row) => this.#unreadable.read(row.id, () => endedJobIn(row).job) ?? []);
    return { jobs, before: rows.length < (rows[0]?.found ?? 0) ? rows.at(-1)?.id : undefined };
  }

  async count(): Promise<JobCounts> {
    const [row] = await this.#database.query<JobCounts>(COUNT);
    return row ?? { queued: 0, running: 0, retained: 0 };
  }
}

/** A job, and whether an instance that is there attends to it. */
interface Read {
  readonly job: Job;
  readonly attended: boolean;
}

interface EndedRow extends EndedRecord {
  /** How many there are, this many and one at most. */
  readonly found: number;
}

/** The record of a job that has ended. */
export type EndedRecord = Pick<StoredJob, 'id' | 'head' | 'region' | 'firstStartedAt'>;

/** A job that has ended. */
export interface EndedJob {
  readonly job: Job;
  readonly state: Ended;
  readonly trace: RunTrace;
}

/** A job that has ended, without its result and events. Throws if its record is damaged. */
export function endedJobIn({ head, region, firstStartedAt }: EndedRecord): EndedJob {
  const { state, progress, trace, ...accepted } = endedFrom({ head, result: [] });
  const job = new Job(accepted);
  job.region = region ?? undefined;
  job.firstStartedAt = firstStartedAt ?? undefined;
  job.state = state;
  job.progress = progress;
  return { job, state, trace };
}

/** A job as it was accepted. Throws if its record is damaged. */
export function acceptedFrom(head: string): AcceptedJob {
  return acceptedIn(readShape(ACCEPTED_HEAD, parseJson(Buffer.from(head))));
}

/** What there is to know of an ended job but its events. */
function endedFrom({
  head,
  result,
}: Pick<StoredJob, 'head' | 'result'>): Omit<KeptJob, 'events' | 'servers'> {
  const read = readShape(ENDED_HEAD, parseJson(Buffer.from(head)));
  const parts = read.result?.map((part, at): Packed => ({ ...part, octets: result[at] ?? NO_OCTETS }));
  return endedJob(read, parts);
}

const NO_OCTETS = new Uint8Array();

/** Whether there are further events to read. */
function isBehind(job: Job, stored: StoredJob): boolean {
  return job.events.last < stored.last && stored.events.length > 0;
}

/** Brings a job up to date, if there are no further events to read before. Throws if its record is damaged. */
function updated(job: Job, stored: StoredJob): Job {
  // A look that began before another one may end after it.
  if (isEnded(job.state) && !stored.isOver) return job;
  for (const { last, octets } of stored.events)
    if (last > job.events.last) job.events.adopt(Uint8Array.from(octets), last);
  job.region = stored.region ?? undefined;
  job.firstStartedAt = stored.firstStartedAt ?? undefined;
  job.progress = { exchanges: stored.exchanges, pending: stored.pending };
  if (isBehind(job, stored)) return job;
  if (stored.isOver) tellEnd(job, stored);
  else if (stored.startedAt === null) job.state = { status: 'queued' };
  else job.state = { status: 'running', startedAt: stored.startedAt };
  if (stored.servers !== null) tellServers(job, inflateRawSync(stored.servers));
  return job;
}

/** The end has the id after that of the last event of the run. */
function tellEnd(job: Job, stored: StoredJob): void {
  if (isEnded(job.state)) return;
  const { state, progress } = endedFrom(stored);
  job.state = state;
  job.progress = progress;
  job.events.append('complete', state.conclusion.data);
}

function tellServers(job: Job, servers: Buffer): void {
  if (job.servers !== undefined) return;
  job.servers = servers;
  job.events.append('servers', servers.toString());
  job.events.end();
}
