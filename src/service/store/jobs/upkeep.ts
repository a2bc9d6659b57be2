/* Looks after the jobs in the store: takes back those of dead instances, and forgets the oldest. */

import { deflated } from '../../../base/packing.ts';
import type { InterruptedJob } from '../../jobs/jobs.ts';
import type { Database } from '../database.ts';
import { ENDED_RECORD, type EndedRecord, LOST } from './reading.ts';

/** How long ended jobs are kept. */
export interface HistoryRules {
  readonly historyMs: number;
  readonly maxHistoryBytes: number;
}

/**
 * How long an instance that is cut off has to come back and do what only it knows, such as remember a webhook that it has
 * sent. No statement takes as long.
 */
const CUT_OFF = `interval '60 s'`;

/**
 * Lets the jobs of lost instances wait again. A job that ran there alone is a suspect, and so is a job that has lost its
 * instance before: its neighbours are innocent until then.
 */
const TAKE_BACK = `
  WITH lost AS (
    SELECT id, holder, started_at IS NOT NULL AS begun FROM svc_job
    WHERE state = 'running'
      AND NOT EXISTS (SELECT FROM svc_instance WHERE svc_instance.id = holder AND seen_at > clock_timestamp() - ${LOST})
    FOR UPDATE SKIP LOCKED
  ), crowd AS (
    SELECT holder, count(*) FILTER (WHERE begun) AS jobs FROM lost GROUP BY holder
  )
  UPDATE svc_job AS job SET state = 'queued', holder = NULL, started_at = NULL, pending = 0,
    deaths = deaths + CASE WHEN begun THEN 1 ELSE 0 END, suspect = suspect OR begun AND (deaths > 0 OR jobs = 1)
  FROM lost JOIN crowd USING (holder) WHERE job.id = lost.id
  RETURNING job.id, job.name, job.type, job.attempts, lost.begun`;

/** Lets a job wait again that this instance was given, by a statement whose reply was lost. */
const DROP_UNKNOWN = `
  UPDATE svc_job SET state = 'queued', holder = NULL, started_at = NULL,
    attempts = attempts - CASE WHEN started_at IS NULL OR id = ANY ($3) THEN 0 ELSE 1 END
  WHERE state = 'running' AND holder = $1 AND id <> ALL ($2)`;

/** Forgets jobs that nobody was promised: their instance did not let them start. */
const FORGET_HELD = `DELETE FROM svc_job WHERE state = 'held' AND created_at < clock_timestamp() - ${CUT_OFF}`;

/** How many jobs are inherited or forgotten at once. */
const AT_ONCE = 200;

/**
 * Makes this instance the one that owes what lost instances owed. It also returns what this instance has owed for some time
 * without knowing it, because the reply to a statement was lost; $2: those that it knows.
 */
const INHERIT = `
  UPDATE svc_job SET owed_by = $1
  WHERE id IN (
    SELECT id FROM svc_job
    WHERE owed_by IS NOT NULL AND id <> ALL ($2)
      AND (owed_by = $1 AND finished_at < clock_timestamp() - ${CUT_OFF}
        OR NOT EXISTS (SELECT FROM svc_instance WHERE svc_instance.id = owed_by AND seen_at > clock_timestamp() - ${CUT_OFF}))
    ORDER BY finished_at, id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED
  )
  RETURNING ${ENDED_RECORD}`;

/** Of the oldest jobs those that are older than so many milliseconds, and those that make up so many octets. */
const FORGET = `
  WITH oldest AS (
    SELECT id, finished_at, octets FROM svc_job WHERE finished_at IS NOT NULL
    ORDER BY finished_at, id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED
  ), ranked AS (
    SELECT id, finished_at, sum(octets) OVER (ORDER BY finished_at, id) - octets AS older FROM oldest
  ), old AS (
    SELECT id FROM ranked WHERE finished_at < clock_timestamp() - $1 * interval '1 ms' OR older < $2
  ), events AS (
    DELETE FROM svc_events USING old WHERE job = old.id
  ), result AS (
    DELETE FROM svc_result USING old WHERE job = old.id
  )
  DELETE FROM svc_job USING old WHERE svc_job.id = old.id RETURNING octets`;

const OCTETS = 'SELECT coalesce(sum(octets), 0)::float8 AS octets FROM svc_job WHERE finished_at IS NOT NULL';

const FORGET_INSTANCES = `DELETE FROM svc_instance WHERE seen_at < clock_timestamp() - interval '1 day'`;

const KEEP_SERVERS = `
  WITH job AS (
    UPDATE svc_job SET servers = $2, holder = NULL, octets = octets + length($2::bytea) - coalesce(length(servers), 0)
    WHERE id = $1 RETURNING id
  )
  SELECT pg_notify('svc_job', 'news ' || id) FROM job`;

/** Makes this instance the one that asks the servers of a job, if no other does. May be repeated. */
const ADOPT = `
  UPDATE svc_job SET holder = $2
  WHERE id = $1 AND finished_at IS NOT NULL AND servers IS NULL
    AND (holder = $2
      OR NOT EXISTS (SELECT FROM svc_instance WHERE svc_instance.id = holder AND seen_at > clock_timestamp() - ${LOST}))
  RETURNING ${ENDED_RECORD}`;

interface LostJob extends InterruptedJob {
  readonly begun: boolean;
}

/** The statements that care for what others have left, and for jobs that have ended. All reject when the store is away. */
export class Upkeep {
  readonly #database: Database;
  readonly #rules: HistoryRules;

  constructor(database: Database, rules: HistoryRules) {
    this.#database = database;
    this.#rules = rules;
  }

  /**
   * Lets jobs wait again that nobody runs. `held`: those that this instance does. `refused`: those whose end the store
   * refused; attempts at them count. Returns those that had begun.
   */
  async takeBack(held: readonly string[], refused: readonly string[]): Promise<readonly InterruptedJob[]> {
    const { query, instance } = this.#database;
    await query(DROP_UNKNOWN, [instance, held, refused]);
    const lost = await query<LostJob>(TAKE_BACK);
    await query(FORGET_HELD);
    return lost.filter(({ begun }) => begun);
  }

  /** The records of jobs whose ends this instance is to announce, because no instance does. `known`: none of these. */
  async owed(known: readonly string[]): Promise<readonly EndedRecord[]> {
    const { query, instance } = this.#database;
    return await query<EndedRecord>(INHERIT, [instance, known]);
  }

  /** The end of a job was announced. */
  async announced(id: string): Promise<void> {
    await this.#database.query('UPDATE svc_job SET owed_by = NULL WHERE id = $1', [id]);
  }

  async keepServers(id: string, servers: Buffer): Promise<void> {
    await this.#database.query(KEEP_SERVERS, [id, Buffer.from(deflated(servers))]);
  }

  /** The record of a job whose servers this instance is to ask; undefined if another does. */
  async adopt(id: string): Promise<EndedRecord | undefined> {
    const { query, instance } = this.#database;
    const [ended] = await query<EndedRecord>(ADOPT, [id, instance]);
    return ended;
  }

  /** Lets another instance adopt the job. */
  async disown(id: string): Promise<void> {
    const { query, instance } = this.#database;
    await query(
      'UPDATE svc_job SET holder = NULL WHERE id = $1 AND holder = $2 AND finished_at IS NOT NULL',
      [id, instance],
    );
  }

  /** Forgets ended jobs that are too old, and the oldest while all together are too large. Returns how many were too large. */
  async forget(): Promise<number> {
    const { query } = this.#database;
    const { historyMs, maxHistoryBytes } = this.#rules;
    await query(FORGET_INSTANCES);
    while ((await query(FORGET, [historyMs, 0])).length === AT_ONCE);
    let crowdedOut = 0;
    let [{ octets } = { octets: 0 }] = await query<{ octets: number }>(OCTETS);
    while (octets > maxHistoryBytes) {
      const gone = await query<{ octets: number }>(FORGET, [historyMs, octets - maxHistoryBytes]);
      if (gone.length === 0) break;
      crowdedOut += gone.length;
      octets -= gone.reduce((sum, one) => sum + one.octets, 0);
    }
    return crowdedOut;
  }
}
