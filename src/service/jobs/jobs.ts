import { randomUUID } from 'node:crypto';
import type { JobCounts } from '../../document/api/health.ts';
import type { Clock } from '../../exchange/clock.ts';
import { withoutResult } from '../../reading/conclusion.ts';
import { serialisedConclusion } from '../../work/evaluation.ts';
import type { Engine, JobRequest } from '../engine/engine.ts';
import { Admission, type AdmissionRules, type FullQueue, type Requester } from './admission.ts';
import { Fingerprints } from './fingerprints.ts';
import { identify } from './identify.ts';
import { type Ended, isEnded, Job } from './job.ts';
import { type FoundJobs, IN_MEMORY, type JobStore, type KeptJob, type WaitingJob } from './job-store.ts';
import { begun, ended, givenUp, left, MOST_ATTEMPTS, waiting } from './kept-job.ts';
import { Retention, type RetentionRules } from './retention.ts';
import { type RunTrace, runJob } from './run.ts';
import { timepiece } from './timepiece.ts';

/** How many jobs there may be. */
export interface JobSettings extends RetentionRules, AdmissionRules {}

/** Who is told what becomes of jobs. None of these may throw. */
export interface JobNotices {
  readonly started: (job: Job, startedAt: Date) => void;
  /** `state` is the job's. A job that was cancelled in the queue has no `startedAt`. */
  readonly ended: (job: Job, state: Ended) => void;
  /** An ended job is gone before its time: there was no room for it. */
  readonly crowdedOut: (job: Job) => void;
  /** Something failed through a bug. */
  readonly failed: (job: Job, error: unknown) => void;
}

/** What jobs need from outside. */
interface JobSurroundings {
  readonly engine: Engine;
  readonly clock: Clock;
  /** The time of day. */
  readonly now: () => Date;
  readonly notices: JobNotices;
  readonly store?: JobStore;
}

/** What became of a request for a job. */
type Submitted =
  /** `stored`: once the job is where it is to be kept. */
  | { readonly kind: 'queued'; readonly job: Job; readonly stored: Promise<void> }
  | { readonly kind: 'refused'; readonly why: NoRoom };

/** Why a job is not accepted. */
export type NoRoom = FullQueue | 'closing';

/** What a job still has to do. */
interface Life {
  readonly cancel: AbortController;
  /** Stops the fingerprinting too. */
  readonly drop: AbortController;
  /** The end of the traversal. */
  readonly ended: Promise<void>;
  readonly over: Promise<void>;
}

/** The time of day as a job sees it, and what stops it. */
interface RunTime {
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** For what is known of a job to come in when the service stops it. */
const LAST_WORDS_MS = 1_000;

/** All jobs of a service. Some run, some wait for their turn, and those that ended are kept for a while. */
export class Jobs {
  readonly #retainMs: number;
  readonly #around: JobSurroundings;
  readonly #store: JobStore;
  readonly #jobs = new Map<string, Job>();
  readonly #lives = new Map<Job, Life>();
  /** Those that the next process goes on with. */
  readonly #left = new Set<Job>();
  readonly #retention: Retention<Job>;
  readonly #admission: Admission;
  readonly #fingerprints: Fingerprints;
  #closing = false;

  constructor(settings: JobSettings, around: JobSurroundings) {
    this.#retainMs = settings.retainMs;
    this.#around = around;
    this.#store = around.store ?? IN_MEMORY;
    this.#retention = new Retention(settings, around.clock, (job, why) => {
      if (why === 'no-room') around.notices.crowdedOut(job);
      this.#forget(job);
    });
    this.#admission = new Admission(settings);
    this.#fingerprints = new Fingerprints(around.engine, around.clock);
  }

  /** Goes on with what an earlier process left. */
  resume({ waiting, ended }: FoundJobs): void {
    for (const found of ended) this.#keepAgain(found);
    for (const found of waiting) this.#beginAgain(found);
  }

  /**
   * Accepts a job, which starts when its client's turn comes, unless the queue or the client's part of it is
   * full.
   */
  submit(request: JobRequest, client: Requester): Submitted {
    const party = this.#admission.partyOf(client);
    const why = this.#closing ? 'closing' : this.#admission.refusal(party);
    if (why !== undefined) return { kind: 'refused', why };
    const now = this.#timepiece();
    const owner = { client: client.client, party };
    const job = new Job({ id: randomUUID(), request, owner, createdAt: now() });
    const stored = this.#store.keepWaiting(waiting(job));
    this.#begin(job, now);
    return { kind: 'queued', job, stored };
  }

  find(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  /** Cancels a job, and resolves once its traversal has ended. Does nothing to one that already had. */
  async cancel(job: Job): Promise<void> {
    const life = this.#lives.get(job);
    life?.cancel.abort();
    await life?.ended;
  }

  get counts(): JobCounts {
    const { count: retained } = this.#retention;
    const { waiting: queued } = this.#admission;
    return { queued, running: this.#jobs.size - retained - queued, retained };
  }

  /** Octets of the ended jobs. */
  get retainedBytes(): number {
    return this.#retention.bytes;
  }

  /** Where jobs are kept, and whether that works. */
  get store(): Pick<JobStore, 'kind' | 'state'> {
    return this.#store;
  }

  /**
   * Accepts no more jobs, stops those in the queue, and resolves when all the others are done, the engine
   * too. Whatever still runs after `graceMs` is stopped, and has `LAST_WORDS_MS` to say what it knows. What
   * is stopped is cancelled, unless the next process can go on with it.
   */
  async drain(graceMs: number): Promise<void> {
    this.#closing = true;
    const { clock, engine } = this.#around;
    for (const [job, { cancel }] of this.#lives) if (job.state.status === 'queued') this.#stop(job, cancel);
    const cancelStop = clock.after(graceMs, () => this.#stopAll());
    const cancelClose = clock.after(graceMs + LAST_WORDS_MS, () => void engine.close());
    await Promise.all([...this.#lives.values()].map(({ over }) => over));
    cancelStop();
    cancelClose();
    this.#retention.stop();
    await Promise.all([engine.close(), this.#store.settled()]);
  }

  #stopAll(): void {
    for (const [job, { cancel, drop }] of this.#lives) {
      if (!isEnded(job.state)) this.#stop(job, cancel);
      drop.abort();
    }
  }

  #stop(job: Job, cancel: AbortController): void {
    if (this.#store.kind !== 'memory' && !cancel.signal.aborted) this.#left.add(job);
    cancel.abort();
  }

  #timepiece(): () => Date {
    return timepiece(this.#around.now, this.#around.clock);
  }

  #begin(job: Job, now: () => Date): void {
    this.#jobs.set(job.id, job);
    this.#live(job, (signal) => this.#traverse(job, { now, signal }));
  }

  /** Sees a job to its end, and then asks what its servers are. */
  #live(job: Job, toEnd: (signal: AbortSignal) => Promise<RunTrace>): void {
    const [cancel, drop] = [new AbortController(), new AbortController()];
    const trace = toEnd(cancel.signal);
    const over = trace.then((met) => this.#identify(job, met, drop.signal));
    this.#lives.set(job, { cancel, drop, ended: trace.then(() => {}), over });
  }

  #beginAgain(found: WaitingJob): void {
    const job = new Job(found, { before: found.lastEvent, last: found.lastEvent, blocks: [] });
    job.attempts = found.attempts;
    const now = this.#timepiece();
    if (job.attempts < MOST_ATTEMPTS) {
      this.#begin(job, now);
      return;
    }
    this.#jobs.set(job.id, job);
    this.#live(job, () => this.#end(job, givenUp(now()), NOTHING_MET));
  }

  #keepAgain(found: KeptJob): void {
    const { state, servers } = found;
    const leftMs = state.finishedAt.getTime() + this.#retainMs - this.#around.now().getTime();
    if (leftMs <= 0) {
      void this.#store.forget(found.id);
      return;
    }
    const job = new Job(found, found.events);
    job.progress = found.progress;
    this.#tellEnd(job, state);
    this.#jobs.set(job.id, job);
    this.#retention.keep(job, Math.min(leftMs, this.#retainMs));
    if (servers === undefined) this.#live(job, () => Promise.resolve(found.trace));
    else this.#tellServers(job, servers);
  }

  async #traverse(job: Job, { now, signal }: RunTime): Promise<RunTrace> {
    const release = await this.#admission.take(job.party, signal);
    const { engine, notices } = this.#around;
    if (release === undefined) {
      const conclusion = serialisedConclusion(withoutResult('cancelled', 0));
      return await this.#end(job, { status: 'cancelled', finishedAt: now(), conclusion }, NOTHING_MET);
    }
    const startedAt = now();
    notices.started(job, startedAt);
    const began = () => void this.#store.keepWaiting(begun(job));
    const around = { engine, now, signal, began, failed: notices.failed };
    const { state, ...trace } = await runJob(job, startedAt, around);
    release();
    return await this.#end(job, state, trace);
  }

  /** Nobody is told of an end before it is stored: whoever has seen it can read it after a restart. */
  async #end(job: Job, state: Ended, trace: RunTrace): Promise<RunTrace> {
    if (this.#left.has(job)) {
      void this.#store.keepWaiting(left(job));
      return NOTHING_MET;
    }
    job.progress = { ...job.progress, pending: 0 };
    await this.#store.keepEnded(ended(job, state, trace));
    this.#tellEnd(job, state);
    this.#around.notices.ended(job, state);
    this.#retention.keep(job);
    return trace;
  }

  #tellEnd(job: Job, state: Ended): void {
    job.state = state;
    job.events.append('complete', state.conclusion.data);
  }

  /** Asks the servers that the job met what they are. Nobody waits for this. */
  async #identify(job: Job, { met, packets: sent }: RunTrace, signal: AbortSignal): Promise<void> {
    const { engine, clock, notices } = this.#around;
    const { maxPackets = Number.POSITIVE_INFINITY } = job.request.options;
    const list = await identify(met, {
      fingerprints: this.#fingerprints,
      party: job.party,
      packets: maxPackets - sent,
      packetsForOne: engine.fingerprintPackets,
      clock,
      signal,
      failed: (error) => notices.failed(job, error),
    });
    if (list === undefined || this.#left.has(job)) {
      job.events.end();
    } else {
      const servers = Buffer.from(JSON.stringify(list));
      await this.#store.keepServers(job.id, servers);
      this.#tellServers(job, servers);
    }
    this.#lives.delete(job);
  }

  #tellServers(job: Job, servers: Buffer): void {
    job.servers = servers;
    job.events.append('servers', servers.toString());
    job.events.end();
    this.#retention.weigh(job);
  }

  #forget(job: Job): void {
    this.#jobs.delete(job.id);
    this.#lives.get(job)?.drop.abort();
    void this.#store.forget(job.id);
  }
}

const NOTHING_MET: RunTrace = { met: [], packets: 0 };
