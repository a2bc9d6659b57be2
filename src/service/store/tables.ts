/**
 * The tables of a store, for the migration that creates them.
 *
 * svc_instance has a row for each instance that runs, whose heartbeats renew `seen_at`. svc_queue is one row: `served` orders
 * the turns (as in `TurnLine`), `accepted` counts what was accepted; both also tell concurrent statements apart. svc_job
 * has a row for each job; its traversal is the business of `holder` alone, and only within the `term` that began when it
 * took the job. svc_events and svc_result have the large parts of a job, deflated, which only ever are added.
 * svc_sender, svc_turn and svc_turn_start share the rates of queries, svc_bucket has the rates of clients.
 */
export const FIRST_TABLES = [
  `CREATE TABLE svc_instance (
    id uuid PRIMARY KEY,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
  ) WITH (fillfactor = 50)`,

  `CREATE TABLE svc_queue (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    served bigint NOT NULL,
    accepted bigint NOT NULL
  ) WITH (fillfactor = 10)`,
  'INSERT INTO svc_queue (served, accepted) VALUES (0, 0)',

  // head: the job as JSON, first as it was accepted, later as it ended. octets: of all its rows. A job is held until its
  // instance, which knows that it is stored, lets it start: only then is it promised to its client. deaths: how many instances died while they ran it; a suspect may be the cause.
  `CREATE TABLE svc_job (
    id uuid PRIMARY KEY,
    client text NOT NULL,
    party text NOT NULL,
    block text,
    network text NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    idempotency_key text,
    request_digest bytea,
    state text NOT NULL
      CHECK (state IN ('held', 'queued', 'running', 'complete', 'failed', 'cancelled')),
    turn bigint NOT NULL,
    head text NOT NULL,
    created_at timestamptz NOT NULL,
    first_started_at timestamptz,
    started_at timestamptz,
    finished_at timestamptz,
    holder uuid,
    region text,
    term integer NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    deaths integer NOT NULL DEFAULT 0,
    suspect boolean NOT NULL DEFAULT false,
    cancelled boolean NOT NULL DEFAULT false,
    last_event integer NOT NULL DEFAULT 0,
    exchanges integer NOT NULL DEFAULT 0,
    pending integer NOT NULL DEFAULT 0,
    octets bigint NOT NULL DEFAULT 0,
    owed_by uuid,
    servers bytea
  ) WITH (fillfactor = 80)`,
  `CREATE INDEX svc_job_turn ON svc_job (turn, created_at, id) WHERE state = 'queued'`,
  `CREATE INDEX svc_job_waiting ON svc_job (network) WHERE state IN ('held', 'queued')`,
  `CREATE INDEX svc_job_running ON svc_job (network) WHERE state = 'running'`,
  'CREATE INDEX svc_job_owed ON svc_job (owed_by) WHERE owed_by IS NOT NULL',
  'CREATE INDEX svc_job_history ON svc_job (finished_at, id) INCLUDE (octets) WHERE finished_at IS NOT NULL',
  'CREATE INDEX svc_job_name ON svc_job (name, finished_at, id, type) WHERE finished_at IS NOT NULL',
  'CREATE UNIQUE INDEX svc_job_key ON svc_job (client, idempotency_key) WHERE idempotency_key IS NOT NULL',

  `CREATE TABLE svc_events (
    job uuid NOT NULL,
    last integer NOT NULL,
    octets bytea NOT NULL,
    PRIMARY KEY (job, last)
  )`,
  `CREATE TABLE svc_result (
    job uuid NOT NULL,
    part integer NOT NULL,
    octets bytea NOT NULL,
    PRIMARY KEY (job, part)
  )`,
  // They are deflated already.
  'ALTER TABLE svc_job ALTER COLUMN servers SET STORAGE EXTERNAL',
  'ALTER TABLE svc_events ALTER COLUMN octets SET STORAGE EXTERNAL',
  'ALTER TABLE svc_result ALTER COLUMN octets SET STORAGE EXTERNAL',

  `CREATE TABLE svc_sender (
    instance uuid PRIMARY KEY,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL
  )`,
  `CREATE UNLOGGED TABLE svc_turn (
    place text PRIMARY KEY,
    turns integer NOT NULL,
    booked_at timestamptz NOT NULL,
    starts_at timestamptz[] NOT NULL,
    ends_at timestamptz[] NOT NULL
  ) WITH (fillfactor = 50)`,
  `CREATE UNLOGGED TABLE svc_turn_start (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  `INSERT INTO svc_turn_start (at) VALUES ('-infinity')`,

  `CREATE TABLE svc_bucket (
    client text,
    rate text,
    full_at timestamptz NOT NULL,
    PRIMARY KEY (client, rate)
  ) WITH (fillfactor = 70)`,
] as const;
