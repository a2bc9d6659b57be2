import { parseJson } from '../../../base/json.ts';
import { deflated, type Packed } from '../../../base/packing.ts';
import { readShape } from '../../../base/shape.ts';
import type { JobCounts } from '../../../document/api/service-documents.ts';
import type { AcceptedJob, Ended, Job } from '../../jobs/job.ts';
import {
  ACCEPTED_HEAD,
  acceptedHead,
  acceptedIn,
  ENDED_HEAD,
  endedFile,
  endedJob,
} from '../../jobs/job-files.ts';
import type { JobPart } from '../../jobs/jobs.ts';
import type { KeptJob } from '../../jobs/persistence.ts';
import type { RunTrace } from '../../jobs/run-job.ts';
import type { StoreConnection } from '../connection/connect.ts';
import { runScript, STORE_PREFIX, type StoreScript, storeKey } from '../connection/script.ts';
import {
  type Accepted,
  APPEND,
  type Appended,
  CANCEL_JOB,
  type Cancelled,
  CLAIM,
  END,
  type EndKept,
  type JobClaim,
  type JobTurn,
  LEAVE,
  RETRACT,
  SUBMIT,
} from './life-scripts.ts';
import { ADOPT, AHEAD, COUNT_JOBS, KEEP_SERVERS, LOOK, OWED, type StoredJob, SWEEP } from './read-scripts.ts';

/** What is kept, for how long, and how many may run and wait. */
interface RecordRules {
  readonly maxJobsPerClient: number;
  readonly maxQueue: number;
  readonly maxQueuePerClient: number;
  readonly retainMs: number;
  readonly maxRetained: number;
  /** Of memory in the store. */
  readonly maxRetainedBytes: number;
  /** Whether somebody is to be told of the end of a job that had started. */
  readonly ends: 'announced' | 'untold';
}

/** Under which a job is run: what is written in an earlier term is refused. */
export interface Term {
  readonly id: string;
  readonly term: number;
}

/** How long the records of a job that has not ended are kept at most. */
const WAITING_MS = 86_400_000;

/** A job is put into the queue right after its turn has come: later it is lost. */
const LOST_MS = 5_000;

/** How long an end is left to the instance that stored it. */
const OWED_MS = 3_000;

/** How often some instance looks for lost jobs. */
const SWEEP_MS = 4_000;

/** The records of jobs in the store. All methods reject when the store is not there for them. */
export class JobRecords {
  readonly #connection: StoreConnection;
  readonly #rules: RecordRules;
  readonly #chunks = new HeldChunks();

  constructor(connection: StoreConnection, rules: RecordRules) {
    this.#connection = connection;
    this.#rules = rules;
  }

  /** Accepts a job. `room`: how many need not wait. */
  submit(job: AcceptedJob, room: number): Promise<Accepted> {
    const accepted = JSON.stringify(acceptedHead(job));
    const { party } = job.owner;
    const { maxQueue, maxQueuePerClient: waiting, maxJobsPerClient: running } = this.#rules;
    return this.#run(SUBMIT, job.id, party, accepted, maxQueue, waiting, running, room, WAITING_MS);
  }

  /** Takes back what was accepted, as long as nobody has begun it. */
  retract(id: string): Promise<'retracted' | 'begun'> {
    return this.#run(RETRACT, id);
  }

  claim(id: string, startedAt: Date): Promise<JobClaim> {
    const { instance } = this.#connection;
    const { maxJobsPerClient } = this.#rules;
    return this.#run(CLAIM, id, instance, startedAt.toISOString(), WAITING_MS, maxJobsPerClient);
  }

  append(
    { id, term }: Term,
    { after, last, octets }: EventBlock,
    { progress, attempts }: Job,
  ): Promise<Appended> {
    const { exchanges, pending } = progress;
    return this.#run(APPEND, id, term, after, last, octets, exchanges, pending, attempts, WAITING_MS);
  }

  end(
    { term }: Term,
    { after, last, octets }: EventBlock,
    job: Job,
    state: Ended,
    trace: RunTrace,
  ): Promise<EndKept> {
    const { retainMs, maxRetained, maxRetainedBytes, maxJobsPerClient } = this.#rules;
    const announcer = this.#announcerOf(state);
    const result = 'result' in state ? (state.result ?? []) : [];
    const chunks = result.map((chunk) => Buffer.from(chunk.octets));
    const { exchanges } = job.progress;
    const ended = endedText(job, state, trace);
    const { status } = state;
    return this.#run(
      END,
      job.id,
      term,
      after,
      last,
      octets,
      exchanges,
      status,
      ended,
      retainMs,
      maxRetained,
      maxRetainedBytes,
      announcer,
      maxJobsPerClient,
      WAITING_MS,
      ...chunks,
    );
  }

  cancel(job: Job, ended: Ended): Promise<Cancelled> {
    const { retainMs, maxRetained, maxRetainedBytes, maxJobsPerClient } = this.#rules;
    const text = endedText(job, ended, NOTHING_MET);
    const kept = [retainMs, maxRetained, maxRetainedBytes];
    const announcer = this.#announcerOf(ended);
    return this.#run(CANCEL_JOB, job.id, text, ...kept, maxJobsPerClient, WAITING_MS, announcer);
  }

  leave({ id, term }: Term, attempts: number): Promise<'left' | 'lost'> {
    return this.#run(LEAVE, id, term, attempts, WAITING_MS);
  }

  keepServers(id: string, servers: Buffer): Promise<'kept' | 'gone'> {
    return this.#run(KEEP_SERVERS, id, Buffer.from(deflated(servers)));
  }

  adopt(id: string): Promise<'adopted' | 'not-needed'> {
    return this.#run(ADOPT, id, this.#connection.instance);
  }

  /** Lets another instance adopt the job. */
  async disown(id: string): Promise<void> {
    await this.#connection.commands.hdel(storeKey('job', id), 'holder');
  }

  async look(id: string, part: JobPart, after = 0): Promise<StoredJob | undefined> {
    const held = part === 'result' ? this.#chunks.first(id) : [];
    const stored = await this.#run(LOOK, id, part, after, held.length);
    return stored && { ...stored, result: this.#chunks.whole(id, held, stored.result) };
  }

  /** How many jobs start before one that waits, if that is known. All keys of the queue begin with `queueKey`. */
  ahead(id: string, queueKey: string): Promise<number | undefined> {
    return this.#run(AHEAD, id, queueKey);
  }

  /** The end of a job was announced. */
  async announced(id: string): Promise<void> {
    await this.#connection.commands.zrem(storeKey('owed'), id);
  }

  /** Jobs whose ends this instance is to announce, for others did not. */
  owed(): Promise<readonly string[]> {
    return runScript(this.#connection.commands, OWED, [STORE_PREFIX, this.#connection.instance, OWED_MS]);
  }

  /** Accepted jobs that should be in the queue and are not. All of its keys begin with `queueKey`. */
  sweep(queueKey: string): Promise<readonly JobTurn[]> {
    const { maxJobsPerClient } = this.#rules;
    const times = [LOST_MS, SWEEP_MS];
    const args = [STORE_PREFIX, queueKey, ...times, maxJobsPerClient, WAITING_MS];
    return runScript(this.#connection.commands, SWEEP, args);
  }

  count(): Promise<JobCounts> {
    return runScript(this.#connection.commands, COUNT_JOBS, [STORE_PREFIX]);
  }

  /** Who is to announce an end; empty if nobody. */
  #announcerOf({ startedAt }: Ended): string {
    return this.#rules.ends === 'announced' && startedAt !== undefined ? this.#connection.instance : '';
  }

  #run<R>(script: StoreScript<R>, id: string, ...args: readonly (string | number | Buffer)[]): Promise<R> {
    return runScript(this.#connection.commands, script, [STORE_PREFIX, id, ...args]);
  }
}

/** Some events, deflated: those after the one with the id `after`, up to the one with the id `last`. Without octets none. */
export interface EventBlock {
  readonly after: number;
  readonly last: number;
  readonly octets: Buffer;
}

/** What was accepted, as a claim has it. */
export function acceptedFrom(json: string): AcceptedJob {
  return acceptedIn(readShape(ACCEPTED_HEAD, parseJson(Buffer.from(json))));
}

/** What there is to know of an ended job but its events. */
export function endedFrom({ ended, result }: StoredJob): Omit<KeptJob, 'events' | 'servers'> {
  const head = readShape(ENDED_HEAD, parseJson(Buffer.from(ended)));
  const chunks = head.result?.map((chunk, at): Packed => ({ ...chunk, octets: result[at] ?? NO_OCTETS }));
  return endedJob(head, chunks);
}

const NO_OCTETS = new Uint8Array();

/** The events are kept apart, as they come. */
function endedText({ id, request, owner, createdAt, progress }: Job, state: Ended, trace: RunTrace): string {
  const events = { before: 0, last: 0, blocks: [] };
  return JSON.stringify(endedFile({ id, request, owner, createdAt, progress, state, events, trace }).head);
}

/** The trace of a job that has met nobody. */
export const NOTHING_MET: RunTrace = { met: [], packets: 0 };

/**
 * The chunks of results that somebody in this process holds. However many read a result of the store at once, each chunk
 * is in memory once, so slow readers take no more of it than what is retained. A result is stored once and stays as it is,
 * so what is held need not be fetched again.
 */
export class HeldChunks {
  readonly #held = new Map<string, WeakRef<Uint8Array<ArrayBuffer>>>();
  readonly #gone = new FinalizationRegistry<string>((key) => {
    if (this.#held.get(key)?.deref() === undefined) this.#held.delete(key);
  });

  /** As many chunks of a job's result, from the first on, as are held. */
  first(id: string): Chunks {
    const first: Uint8Array<ArrayBuffer>[] = [];
    for (;;) {
      const chunk = this.#held.get(keyOf(id, first.length))?.deref();
      if (chunk === undefined) return first;
      first.push(chunk);
    }
  }

  /** All chunks of a job's result: the first ones, which were held, and those after them that have just been read. */
  whole(id: string, first: Chunks, read: Chunks): Chunks {
    return [...first, ...read.map((chunk, at) => this.#heldOr(keyOf(id, first.length + at), chunk))];
  }

  #heldOr(key: string, chunk: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const held = this.#held.get(key)?.deref();
    if (held !== undefined) return held;
    this.#held.set(key, new WeakRef(chunk));
    this.#gone.register(chunk, key);
    return chunk;
  }
}

type Chunks = readonly Uint8Array<ArrayBuffer>[];

function keyOf(id: string, at: number): string {
  return `${id} ${at}`;
}
