/* Accepts jobs into the store, within the limits of a client and of the service. */

import { createHash } from 'node:crypto';
import { blocksOf, THIS_HOST } from '../../client.ts';
import type { AdmissionRules } from '../../jobs/admission.ts';
import type { AcceptedJob, JobRequest } from '../../jobs/job.ts';
import { acceptedHead } from '../../jobs/job-files.ts';
import type { NoRoom } from '../../jobs/jobs.ts';
import { KEY_LIFE_MS, requestText } from '../../jobs/used-keys.ts';
import type { Database } from '../database.ts';
import type { Unreadable } from './unreadable.ts';

/** The result of asking for a job to be accepted. */
type Accepted =
  | { readonly kind: 'accepted' }
  /** The client started this job with the same key and request within a day. */
  | { readonly kind: 'earlier'; readonly id: string }
  /** The client has used the key for another request. */
  | { readonly kind: 'key-used' }
  /** `away`: the statement came too late. */
  | { readonly kind: 'refused'; readonly why: NoRoom }
  /** The queue is full, but this waiting job may make room. */
  | { readonly kind: 'crowded'; readonly victim: Victim };

/** A waiting job that may have to make room. */
interface Victim {
  readonly id: string;
  readonly head: string;
  readonly firstStartedAt: Date | null;
}

/** How long it may take to accept a job. */
const ACCEPT_MS = 8_000;

/** How often a job is offered again because another was accepted at the same time. */
const MOST_TRIES = 20;

/**
 * Accepts a job. Its turn follows from those of the jobs that wait of its blocks, as in `TurnLine`. Jobs that are
 * accepted at the same time see each other: of two, `svc_queue.accepted` lets one through, and the other tries again.
 */
const ACCEPT = `
  WITH queue AS (
    SELECT served, accepted FROM svc_queue
  ), everybody AS (
    SELECT count(*) AS waiting FROM svc_job WHERE state IN ('held', 'queued')
  ), own AS (
    SELECT count(*) FILTER (WHERE party = $3) AS waiting, max(turn) FILTER (WHERE party = $3) AS last,
      greatest($14 * count(DISTINCT party) FILTER (WHERE block = $4), $15 * count(DISTINCT party)) AS behind
    FROM svc_job WHERE state IN ('held', 'queued') AND network = $5
  ), slots AS (
    SELECT greatest(0, least($16, $17 - count(*) FILTER (WHERE party = $3), 2 * $17 - count(*))) AS free
    FROM svc_job WHERE state = 'running' AND network = $5
  ), counted AS (
    UPDATE svc_queue SET accepted = queue.accepted + 1
    FROM queue, everybody, own, slots
    WHERE svc_queue.accepted = queue.accepted AND clock_timestamp() < to_timestamp($12)
      AND everybody.waiting < $18 + slots.free AND own.waiting < $19 + slots.free
    RETURNING CASE WHEN last IS NULL THEN queue.served + behind ELSE last + greatest($13, behind) END AS turn
  ), job AS (
    INSERT INTO svc_job (id, client, party, block, network, name, type, head, created_at, idempotency_key, request_digest,
      state, turn, octets, holder)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp(), $9, $10, 'held', turn, length($8), $11 FROM counted
    RETURNING 1
  )
  SELECT CASE
    WHEN EXISTS (SELECT FROM job) THEN 'accepted'
    WHEN clock_timestamp() >= to_timestamp($12) THEN 'away'
    WHEN own.waiting >= $19 + slots.free THEN 'client-queue-full'
    WHEN everybody.waiting >= $18 + slots.free THEN 'queue-full'
    ELSE 'again'
  END AS verdict FROM everybody, own, slots`;

interface Verdict {
  /** `again`: another job was accepted at the same time. */
  readonly verdict: 'accepted' | 'again' | NoRoom;
}

/** The last readable job of the block that has most of a full queue, if the newcomer's blocks would have less. */
const VICTIM = `
  WITH waiting AS (
    SELECT id, head, first_started_at, turn, created_at, greatest($4 * count(*) OVER (PARTITION BY party),
      CASE WHEN block IS NOT NULL THEN $5 * count(*) OVER (PARTITION BY block) END,
      CASE WHEN network <> party THEN $6 * count(*) OVER (PARTITION BY network) END) AS weight
    FROM svc_job WHERE state IN ('held', 'queued')
  ), newcomer AS (
    SELECT greatest($4 * (1 + count(*) FILTER (WHERE party = $1)), $5 * (1 + count(*) FILTER (WHERE block = $2)),
      $6 * (1 + count(*))) AS weight
    FROM svc_job WHERE state IN ('held', 'queued') AND network = $3
  )
  SELECT id, head, first_started_at AS "firstStartedAt" FROM waiting WHERE weight > (SELECT weight FROM newcomer) AND id <> ALL ($7)
  ORDER BY weight DESC, turn DESC, created_at DESC LIMIT 1`;

/**
 * Forgets a key after its life. Whoever asks again for a job that is held had no reply: it starts, and the instance that holds
 * it does not take it back.
 */
const EARLIER = `
  UPDATE svc_job SET
    idempotency_key = CASE WHEN created_at >= clock_timestamp() - $3 * interval '1 ms' THEN idempotency_key END,
    state = CASE WHEN state = 'held' AND request_digest = $4 THEN 'queued' ELSE state END
  WHERE client = $1 AND idempotency_key = $2
  RETURNING id, request_digest = $4 AS "isSame", idempotency_key IS NULL AS forgotten`;

interface EarlierJob {
  readonly id: string;
  /** Whether it was started with the same request. */
  readonly isSame: boolean;
  readonly forgotten: boolean;
}

/** Lets an accepted job start: its instance knows that it is stored. Done again, because the reply was lost, it changes nothing. */
const RELEASE = `
  WITH released AS (
    UPDATE svc_job SET state = CASE state WHEN 'held' THEN 'queued' ELSE state END,
      holder = CASE state WHEN 'held' THEN NULL ELSE holder END
    WHERE id = $1 RETURNING id
  )
  SELECT CASE WHEN $2 THEN pg_notify('svc_work', '') END FROM released`;

/** The statements that let jobs in. All reject when the store is away. */
export class Accepting {
  readonly #database: Pick<Database, 'query' | 'instance' | 'deadlineIn'>;
  readonly #rules: AdmissionRules;
  readonly #unreadable: Pick<Unreadable, 'ids'>;

  constructor(
    database: Pick<Database, 'query' | 'instance' | 'deadlineIn'>,
    rules: AdmissionRules,
    unreadable: Pick<Unreadable, 'ids'>,
  ) {
    this.#database = database;
    this.#rules = rules;
    this.#unreadable = unreadable;
  }

  /** By when a job that is offered now can be accepted, by the store's clock; later its client has the reply that it was refused. */
  get deadline(): number | undefined {
    return this.#database.deadlineIn(ACCEPT_MS);
  }

  /**
   * Accepts a job, which is held until it is released, unless there is one with its key already. `room`: how many jobs this
   * instance could start at once.
   */
  async accept(job: AcceptedJob, room: number, deadline = this.deadline): Promise<Accepted> {
    const earlier = await this.#earlier(job);
    if (earlier !== undefined) return earlier;
    try {
      return await this.#accept(job, room, deadline);
    } catch (error) {
      // Another instance has accepted a job with the key at the same time.
      const now = isTwice(error) ? await this.#earlier(job) : undefined;
      if (now === undefined) throw error;
      return now;
    }
  }

  async #accept(job: AcceptedJob, room: number, deadline = 0): Promise<Accepted> {
    const { question } = job.request;
    const { client, party } = job.owner;
    const { values, steps } = blocksIn(party);
    const { maxQueue, maxQueuePerClient, maxJobsPerClient } = this.#rules;
    const [running, waiting] =
      party === THIS_HOST ? [UNBOUNDED, UNBOUNDED] : [maxJobsPerClient, maxQueuePerClient];
    const row = [job.id, client, ...values, question.name, question.type, JSON.stringify(acceptedHead(job))];
    const digest = job.key === undefined ? undefined : digestOf(job.request);
    const keys = [job.key, digest, this.#database.instance];
    const bounds = [deadline / 1_000, ...steps, room, running, maxQueue, waiting];
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const [said] = await this.#database.query<Verdict>(ACCEPT, [...row, ...keys, ...bounds]);
      const verdict = said?.verdict ?? 'away';
      if (verdict === 'accepted') return { kind: verdict };
      if (verdict === 'queue-full') return await this.#full(party);
      if (verdict !== 'again') return { kind: 'refused', why: verdict };
    }
    return { kind: 'refused', why: 'away' };
  }

  async #full(party: string): Promise<Accepted> {
    const { values, steps } = blocksIn(party);
    const [victim] = await this.#database.query<Victim>(VICTIM, [...values, ...steps, this.#unreadable.ids]);
    return victim === undefined ? { kind: 'refused', why: 'queue-full' } : { kind: 'crowded', victim };
  }

  /** Lets a held job start, unless it is gone. `call`: tells other instances that a job waits. */
  async release(id: string, call: boolean): Promise<'released' | 'gone'> {
    return (await this.#database.query(RELEASE, [id, call])).length > 0 ? 'released' : 'gone';
  }

  /** Takes back a job whose client has the reply that it was refused. */
  async retract(id: string): Promise<void> {
    await this.#database.query(`DELETE FROM svc_job WHERE id = $1 AND state = 'held'`, [id]);
  }

  /** The job that the client started with this key before, which is let start if it is held. */
  async #earlier({ owner, request, key }: AcceptedJob): Promise<Accepted | undefined> {
    if (key === undefined) return undefined;
    const values = [owner.client, key, KEY_LIFE_MS, digestOf(request)];
    const [row] = await this.#database.query<EarlierJob>(EARLIER, values);
    if (row === undefined || row.forgotten) return undefined;
    return row.isSame ? { kind: 'earlier', id: row.id } : { kind: 'key-used' };
  }
}

const UNBOUNDED = 1_000_000_000;

/** The columns and steps of a party's blocks: itself, the one between, and the largest. */
function blocksIn(party: string) {
  const [own, ...above] = blocksOf(party);
  const between = above.length > 1 ? above[0] : undefined;
  const largest = above.at(-1);
  return {
    values: [party, between?.name, largest?.name ?? party],
    steps: [own.step, between?.step ?? 0, largest?.step ?? 0],
  };
}

function digestOf(request: JobRequest): Buffer {
  return createHash('sha256').update(requestText(request)).digest();
}

/** 23505: a unique index has the value already. */
function isTwice(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}
