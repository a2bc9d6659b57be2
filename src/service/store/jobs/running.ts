import { deflated } from '../../../base/packing.ts';
import { readyList } from '../../../findings/server-list.ts';
import { THIS_HOST } from '../../client.ts';
import type { AdmissionRules } from '../../jobs/admission.ts';
import type { Ended, Job } from '../../jobs/job.ts';
import { endedFile } from '../../jobs/job-files.ts';
import { MOST_ATTEMPTS } from '../../jobs/persistence.ts';
import { NOTHING_MET, type RunTrace } from '../../jobs/run-job.ts';
import type { Database } from '../database.ts';
import type { EndedJob } from './reading.ts';

/** A job that this instance has taken. */
export interface TakenJob {
  readonly id: string;
  /** As JSON. */
  readonly head: string;
  /** How often its traversal had begun before. */
  readonly attempts: number;
  /** Whether it may have ended instances, so that it runs with no other beside it. */
  readonly suspect: boolean;
  /** The id of its last event. */
  readonly last: number;
  /** The exchanges that these have. */
  readonly exchanges: number;
  readonly firstStartedAt: Date;
  /** Of the instance that runs it, or that ran it if it is only to be ended. */
  readonly region: string | null;
  /** In which this instance may write. */
  readonly term: number;
  readonly cancelled: boolean;
}

/** The term in which a job runs: what is written in an earlier term is refused. */
export type Term = Pick<TakenJob, 'id' | 'term'>;

/** Some events as text: those after the one with the id `after`, up to the one with the id `last`. */
export interface EventBatch {
  readonly after: number;
  readonly last: number;
  readonly text: string;
}

/** The result of storing events or an end. */
export type Stored =
  | { readonly kind: 'stored'; readonly cancelled: boolean }
  /** The last event that is stored has another id than was expected. */
  | { readonly kind: 'elsewhere'; readonly last: number }
  | { readonly kind: 'ended' }
  /** The job is another instance's by now. */
  | { readonly kind: 'lost' };

/** How often a job is taken again because another instance took one at the same time. */
const MOST_TRIES = 20;

/**
 * Takes the first job whose client and network may run one more: of instances that take at the same time, `svc_queue.served`
 * lets one through. A suspect does not begin yet. A job that is only to be ended keeps the region where it ran.
 */
const TAKE = `
  WITH queue AS (
    SELECT served FROM svc_queue
  ), next AS (
    SELECT id, turn FROM svc_job AS waiting
    WHERE state = 'queued' AND id <> ALL ($5) AND (party = '${THIS_HOST}' OR (
      (SELECT count(*) FROM svc_job WHERE state = 'running' AND network = waiting.network AND party = waiting.party) < $3
      AND (SELECT count(*) FROM svc_job WHERE state = 'running' AND network = waiting.network) < 2 * $3))
    ORDER BY turn, created_at, id LIMIT 1
    FOR UPDATE SKIP LOCKED
  ), counted AS (
    UPDATE svc_queue SET served = greatest(queue.served + 1, next.turn)
    FROM queue, next WHERE svc_queue.served = queue.served
    RETURNING 1
  ), taken AS (
    UPDATE svc_job AS job SET state = 'running', holder = $1, term = job.term + 1, pending = 0,
      region = CASE WHEN job.cancelled OR job.attempts >= ${MOST_ATTEMPTS} THEN job.region ELSE $4 END,
      attempts = job.attempts + CASE WHEN job.suspect THEN 0 ELSE 1 END,
      started_at = CASE WHEN NOT job.suspect THEN $2::timestamptz END,
      first_started_at = coalesce(job.first_started_at, $2)
    FROM next, counted WHERE job.id = next.id
    RETURNING job.*
  )
  SELECT (SELECT count(*) FROM next) AS found, id, head, suspect, last_event AS last, exchanges, term, cancelled, region,
    attempts - CASE WHEN suspect THEN 0 ELSE 1 END AS attempts, first_started_at AS "firstStartedAt"
  FROM (SELECT) AS always LEFT JOIN taken ON true`;

/** A suspect begins. */
const BEGIN_ALONE = `
  UPDATE svc_job SET started_at = $4, attempts = attempts + CASE WHEN started_at IS NULL THEN 1 ELSE 0 END
  WHERE id = $1 AND term = $2 AND holder = $3 AND state = 'running'
  RETURNING id`;

const APPEND = `
  WITH job AS (
    UPDATE svc_job SET last_event = $5, exchanges = $6, pending = $7, octets = octets + length($8::bytea)
    WHERE id = $1 AND term = $2 AND holder = $3 AND state = 'running' AND last_event = $4
    RETURNING id, cancelled
  ), events AS (
    INSERT INTO svc_events (job, last, octets) SELECT id, $5, $8 FROM job
  )
  SELECT cancelled, CASE WHEN $9 THEN pg_notify('svc_job', 'news ' || id) END FROM job`;

/** Where an instance is with a job that it has, or has ended: the reply of a statement may have been lost. */
const WHERE_IS = `
  SELECT last_event AS last, finished_at IS NOT NULL AS ended FROM svc_job
  WHERE id = $1 AND term = $2 AND (holder = $3 OR finished_at IS NOT NULL)`;

/** Stores a part of the result of a job that is about to end. Nobody reads it before, and an instance that loses the job leaves it to be replaced. */
const KEEP_PART = `
  INSERT INTO svc_result (job, part, octets)
  SELECT id, $4, $5 FROM svc_job WHERE id = $1 AND term = $2 AND holder = $3 AND state = 'running' FOR UPDATE
  ON CONFLICT (job, part) DO UPDATE SET octets = excluded.octets`;

/** Ends a job: with its last events, the first part of its result, and the instance that owes a webhook about it. */
const END = `
  WITH job AS (
    UPDATE svc_job SET state = $6, head = $7, last_event = $5, exchanges = $8, pending = 0, finished_at = clock_timestamp(),
      octets = octets + length($7) + coalesce(length($9::bytea), 0) + $10, owed_by = $11
    WHERE id = $1 AND term = $2 AND holder = $3 AND state = 'running' AND last_event = $4
    RETURNING id
  ), events AS (
    INSERT INTO svc_events (job, last, octets) SELECT id, $5, $9 FROM job WHERE $5 > $4
  ), result AS (
    INSERT INTO svc_result (job, part, octets) SELECT id, 0, $12 FROM job WHERE $12::bytea IS NOT NULL
  )
  SELECT pg_notify('svc_job', 'news ' || id) FROM job`;

/** Lets a job wait again that this instance stops. */
const LEAVE = `
  WITH job AS (
    UPDATE svc_job SET state = 'queued', holder = NULL, started_at = NULL, attempts = $4, pending = 0
    WHERE id = $1 AND term = $2 AND holder = $3 AND state = 'running'
    RETURNING id
  )
  SELECT pg_notify('svc_work', ''), pg_notify('svc_job', 'news ' || id) FROM job`;

/**
 * Ends a job that waits, with its list of servers, which is empty. The term is another, so that no instance that ran the job
 * before takes the end for its own.
 */
const END_WAITING = `
  WITH job AS (
    UPDATE svc_job SET state = $2, head = $3, finished_at = clock_timestamp(), owed_by = $4, servers = $5, term = term + 1,
      octets = octets + length($3) + length($5::bytea)
    WHERE id = $1 AND state IN ('held', 'queued')
    RETURNING id
  )
  SELECT pg_notify('svc_job', 'news ' || id) FROM job`;

const WISH_END = `
  WITH job AS (UPDATE svc_job SET cancelled = true WHERE id = $1 AND state = 'running' RETURNING id)
  SELECT pg_notify('svc_job', 'cancel ' || id) FROM job`;

/** The server list of a job that met none, deflated. */
const NO_SERVERS = Buffer.from(deflated(Buffer.from(JSON.stringify(readyList([])))));

/** How an instance runs jobs. */
export interface RunningRules extends Pick<AdmissionRules, 'maxJobsPerClient'> {
  /** Of this instance. */
  readonly region: string | undefined;
}

/** The statements by which an instance runs jobs. All reject when the store is away. */
export class Running {
  readonly #database: Database;
  readonly #rules: RunningRules;
  readonly #owes: boolean;

  /** `owes`: whether somebody is to be told of ends. */
  constructor(database: Database, rules: RunningRules, owes: boolean) {
    this.#database = database;
    this.#rules = rules;
    this.#owes = owes;
  }

  /** Takes a job, but none of the unreadable ones; undefined if none may run. */
  async take(startedAt: Date, unreadable: readonly string[] = []): Promise<TakenJob | undefined> {
    const { maxJobsPerClient, region } = this.#rules;
    const values = [this.#database.instance, startedAt, maxJobsPerClient, region, unreadable];
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const [row] = await this.#database.query<TakenJob & { id: string | null; found: number }>(TAKE, values);
      if (row === undefined || row.found === 0) return undefined;
      if (row.id !== null) return row;
    }
    return undefined;
  }

  /** Counts an attempt at a suspect, which runs alone now. */
  async beginAlone(term: Term, startedAt: Date): Promise<'begun' | 'lost'> {
    const rows = await this.#database.query(BEGIN_ALONE, [...this.#of(term), startedAt]);
    return rows.length > 0 ? 'begun' : 'lost';
  }

  /** Stores events. `tell`: whether followers at other instances are told at once. */
  async append(
    term: Term,
    { after, last, text }: EventBatch,
    { progress }: Job,
    tell: boolean,
  ): Promise<Stored> {
    const { exchanges, pending } = progress;
    const octets = Buffer.from(deflated(Buffer.from(text)));
    const values = [...this.#of(term), after, last, exchanges, pending, octets, tell];
    const [row] = await this.#database.query<{ cancelled: boolean }>(APPEND, values);
    return row === undefined ? await this.#whereIs(term) : { kind: 'stored', cancelled: row.cancelled };
  }

  /** Stores the end of a job with all that there is to store. Whoever does not know whether that was done does it again. */
  async end(term: Term, batch: EventBatch, { job, state, trace }: EndedJob): Promise<Stored> {
    const { query } = this.#database;
    const [first, ...others] = 'result' in state ? (state.result ?? []) : [];
    for (const [at, { octets }] of others.entries())
      await query(KEEP_PART, [...this.#of(term), at + 1, Buffer.from(octets)]);
    const sum = [first, ...others].reduce((octets, part) => octets + (part?.octets.length ?? 0), 0);
    const events = batch.last > batch.after ? Buffer.from(deflated(Buffer.from(batch.text))) : null;
    const head = endedText(job, state, trace);
    const values = [...this.#of(term), batch.after, batch.last, state.status, head, job.progress.exchanges];
    const more = [events, sum, this.#owedBy(state), first && Buffer.from(first.octets)];
    const rows = await query(END, [...values, ...more]);
    return rows.length > 0 ? { kind: 'ended' } : await this.#whereIs(term);
  }

  async leave(taken: TakenJob): Promise<void> {
    await this.#database.query(LEAVE, [...this.#of(taken), taken.attempts]);
  }

  /** Ends a job if it waits. Nothing is left to do but to announce the end. */
  async endWaiting(job: Job, state: Ended): Promise<'ended' | 'not-waiting'> {
    const head = endedText(job, state, NOTHING_MET);
    const values = [job.id, state.status, head, this.#owedBy(state), NO_SERVERS];
    const rows = await this.#database.query(END_WAITING, values);
    return rows.length > 0 ? 'ended' : 'not-waiting';
  }

  /** Tells the instance that runs a job to cancel it. */
  async wishEnd(id: string): Promise<'told' | 'over'> {
    return (await this.#database.query(WISH_END, [id])).length > 0 ? 'told' : 'over';
  }

  /** Tells the instances that run these jobs that somebody follows them. */
  async tellFollowed(ids: readonly string[]): Promise<void> {
    await this.#database.query(`SELECT pg_notify('svc_job', 'follow ' || id) FROM unnest($1::text[]) AS id`, [
      ids,
    ]);
  }

  async #whereIs(term: Term): Promise<Stored> {
    const { query } = this.#database;
    const [row] = await query<{ last: number; ended: boolean }>(WHERE_IS, this.#of(term));
    if (row === undefined) return { kind: 'lost' };
    return row.ended ? { kind: 'ended' } : { kind: 'elsewhere', last: row.last };
  }

  #of({ id, term }: Term): readonly unknown[] {
    return [id, term, this.#database.instance];
  }

  /** The instance that is to tell others of an end; `null` if nobody is. */
  #owedBy({ startedAt }: Ended): string | null {
    return this.#owes && startedAt !== undefined ? this.#database.instance : null;
  }
}

/** The events are stored apart. */
function endedText({ id, request, owner, createdAt, progress }: Job, state: Ended, trace: RunTrace): string {
  const events = { before: 0, last: 0, blocks: [] };
  return JSON.stringify(endedFile({ id, request, owner, createdAt, progress, state, events, trace }).head);
}
