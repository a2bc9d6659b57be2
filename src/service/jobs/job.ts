import { type Packed, unpacked } from '../../base/packing.ts';
import type { JobError, JobHead, JobLinks, JobProgress } from '../../document/api/jobs.ts';
import type { TraversalOptions } from '../../document/options.ts';
import { SCHEMA } from '../../document/result.ts';
import { withoutResult } from '../../report/views/conclusion.ts';
import { mostPackets } from '../../traversal/fingerprint.ts';
import type { MetServer } from '../../traversal/servers-met.ts';
import { type SerialisedConclusion, serialisedConclusion } from '../../traversal/threads/evaluation.ts';
import type { Identified, TraversalTask } from '../../traversal/threads/messages.ts';
import type { WorkerPool } from '../../traversal/threads/pool.ts';
import type { BodyPiece } from '../http/response.ts';
import { EventLog, type KeptEvents } from './event-log.ts';

/**
 * One traversal job. Whatever is large in it is serialised text.
 *
 * What one job costs in memory:
 * - Waiting: `OVERHEAD_BYTES`, about 4 KiB. `maxQueue` limits how many wait.
 * - Running, at most eight for each of `maxJobs` (`Scheduler`): in this thread the events so far (`EventLog`): 32 KiB as text,
 *   the rest deflated, of progress no more than 2 MiB before deflating. In its worker thread the replies heard, as decoded
 *   records: 1 MiB of DNS messages; for `maxJobs` of them `maxQueries` times `payloadSize`, and 512 KiB beyond that
 *   (`budgetOf`). Also what the evaluation makes of them, for `maxJobs` at a time; a thread that exceeds 1 GiB (`memoryMiB` of
 *   the pool) ends, and its largest job fails.
 * - Ended: `bytes` below: the overhead, the result, the events (both deflated) and the server list.
 *   `maxRetained` and `maxRetainedBytes` limit the sum, and `Retention` decides which job makes room.
 *   Results in other forms share 64 MiB (`http/job-routes`), wherever jobs are kept.
 * - An event stream adds one batch of 16 KiB to its reader (`EventStreams`), not a copy of the job; all streams together
 *   share 4 MiB of inflated events.
 */
export class Job implements AcceptedJob {
  readonly events: EventLog;
  readonly id: string;
  readonly request: JobRequest;
  readonly owner: Owner;
  readonly createdAt: Date;
  readonly key: string | undefined;
  /** How often its traversal has begun, in all processes together. */
  attempts = 0;
  /** When its traversal first began; undefined if it never has. */
  firstStartedAt: Date | undefined = undefined;
  /** The region of the instance that ran it, if that is another. */
  region: string | undefined = undefined;
  state: JobState = { status: 'queued' };
  progress: JobProgress = { exchanges: 0, pending: 0 };
  /** The server list as JSON text (svc-api(5)); undefined while it is pending. */
  servers: Buffer | undefined = undefined;

  constructor({ id, request, owner, createdAt, key }: AcceptedJob, events?: KeptEvents) {
    this.id = id;
    this.request = request;
    this.owner = owner;
    this.createdAt = createdAt;
    this.key = key;
    this.events = new EventLog(events);
  }

  get party(): string {
    return this.owner.party;
  }

  /** Octets of memory that the job takes in this thread, approximately. */
  get bytes(): number {
    const chunks = 'result' in this.state ? (this.state.result ?? []) : [];
    const result = chunks.reduce((sum, { octets }) => sum + octets.length, 0);
    return OVERHEAD_BYTES + result + this.events.bytes + (this.servers?.length ?? 0);
  }
}

/** The state of a job. */
type JobState =
  | { readonly status: 'queued' }
  | { readonly status: 'running'; readonly startedAt: Date }
  | Ended;

/** A result as JSON text, in chunks. */
type ResultText = readonly Packed[];

/** The state of a job that has ended. */
export type Ended = {
  readonly finishedAt: Date;
  readonly conclusion: SerialisedConclusion;
} & (
  | { readonly status: 'complete'; readonly startedAt: Date; readonly result: ResultText }
  /** Without `startedAt`, the job waited and lost its place. */
  | { readonly status: 'failed'; readonly startedAt?: Date; readonly error: JobError }
  /** Cancelled while it waited (without `startedAt`, unless an earlier process began it), or while it ran, with a partial result. */
  | { readonly status: 'cancelled'; readonly startedAt?: Date; readonly result?: ResultText }
);

/** The client that a job belongs to. */
interface Owner {
  /** The address that the request came from. */
  readonly client: string;
  /** The party whose turns and room it takes; see `partyOf`. */
  readonly party: string;
  /** The hash of the token that cancels the job. Jobs of earlier versions have none. */
  readonly cancelHash?: string;
}

/** A job as it was accepted. */
export interface AcceptedJob {
  readonly id: string;
  readonly request: JobRequest;
  readonly owner: Owner;
  readonly createdAt: Date;
  /** The Idempotency-Key of the request that started it, if it had one. */
  readonly key?: string | undefined;
}

/** Octets of the objects around the texts. */
const OVERHEAD_BYTES = 4_096;

/** Whether a state is final. */
export function isEnded(state: JobState): state is Ended {
  switch (state.status) {
    case 'queued':
    case 'running':
      return false;
    case 'complete':
    case 'failed':
    case 'cancelled':
      return true;
  }
}

/** The end of a job that failed; `startedAt` is undefined if it never started. */
export function failedEnd(startedAt: Date | undefined, finishedAt: Date, error: JobError): Ended {
  const conclusion = conclusionWithoutResult('failed', startedAt ?? finishedAt, finishedAt);
  return { status: 'failed', ...(startedAt && { startedAt }), finishedAt, conclusion, error };
}

/** The end of a job that was cancelled and has no result; `startedAt` is undefined if it never started. */
export function cancelledEnd(startedAt: Date | undefined, finishedAt: Date): Ended {
  const conclusion = conclusionWithoutResult('cancelled', startedAt ?? finishedAt, finishedAt);
  return { status: 'cancelled', ...(startedAt && { startedAt }), finishedAt, conclusion };
}

/** The clock of another host may have told the start. */
function conclusionWithoutResult(status: 'failed' | 'cancelled', start: Date, end: Date) {
  return serialisedConclusion(withoutResult(status, Math.max(0, end.getTime() - start.getTime())));
}

/** The question and options of a request. The root hints are the engine's own. */
export interface JobRequest extends TraversalTask {
  /** The job is traversed again until users get only what its options expect, or until this time is over. */
  readonly wait?: { readonly forMs: number };
}

/** All that jobs know of the DNS. */
export interface Engine extends Pick<WorkerPool, 'traverse' | 'close'> {
  /**
   * Asks a server what software it runs. Rejects with the signal's reason when it is aborted, else for a
   * bug.
   */
  readonly fingerprint: (server: MetServer, signal: AbortSignal) => Promise<Identified>;
  /** The most packets that takes. */
  readonly fingerprintPackets: number;
}

/** The engine that asks name servers. Fingerprinting uses the service's options as they are. */
export function createEngine(pool: WorkerPool, options: TraversalOptions): Engine {
  const { traverse, identify, close } = pool;
  return {
    traverse,
    close,
    fingerprint: (server, signal) => identify(server, options, signal),
    fingerprintPackets: mostPackets(options.retries),
  };
}

/**
 * The JSON text of a job, in pieces: the result, which already is text, is inserted without being parsed
 * or unpacked. `ahead`: how many jobs go before it, if that is known.
 */
export function jobDocument(job: Job, ahead?: number, result?: ResultText): readonly BodyPiece[] {
  const head = JSON.stringify({ ...jobHead(job), ...(ahead === undefined ? {} : { ahead }) });
  if (result === undefined) return [Buffer.from(head)];
  return [Buffer.from(`${head.slice(0, -1)},"result":`), ...result, Buffer.from('}')];
}

/** The JSON text of the result of a job, without and with its evidence, if it has one. */
export async function resultTexts({
  state,
}: Pick<Job, 'state'>): Promise<Readonly<Record<'brief' | 'full', ResultText>> | undefined> {
  const chunks = 'result' in state ? state.result : undefined;
  const [first, ...full] = chunks ?? [];
  if (chunks === undefined || first === undefined) return undefined;
  // Those of earlier versions have all in one text.
  const isBrief =
    full.length > 0 &&
    Buffer.from(await unpacked(first))
      .toString()
      .startsWith(SCHEMA_BEGINS);
  return isBrief ? { brief: [first], full } : { brief: chunks, full: chunks };
}

const SCHEMA_BEGINS = `{"schema":${SCHEMA},`;

/** The JSON text of a job that has ended, without its result. The data of its event `complete` already is text. */
export function pastJobText(job: Job): string {
  const { state } = job;
  if (!isEnded(state)) throw new Error('the job has not ended');
  return `${JSON.stringify(jobHead(job)).slice(0, -1)},"conclusion":${state.conclusion.data}}`;
}

/** The paths of a job, its events and its servers. */
export function jobLinks(id: string): JobLinks {
  const self = `/api/traverse/${id}`;
  return { self, events: `${self}/events`, servers: `${self}/servers` };
}

function jobHead({ id, state, request, createdAt, progress }: Job): JobHead {
  const startedAt = 'startedAt' in state ? state.startedAt : undefined;
  return {
    id,
    status: state.status,
    query: { ...request.question, class: 'IN' },
    createdAt: createdAt.toISOString(),
    ...(startedAt === undefined ? {} : { startedAt: startedAt.toISOString() }),
    ...(isEnded(state) ? { finishedAt: state.finishedAt.toISOString() } : {}),
    progress,
    ...(state.status === 'failed' ? { error: state.error } : {}),
  };
}
