import { randomUUID } from 'node:crypto';
import type { Clock } from '../../exchange/clock.ts';
import type { MetServer } from '../../fingerprint/servers-met.ts';
import { withoutResult } from '../../reading/conclusion.ts';
import type { Engine } from '../engine/engine.ts';
import { Slots } from '../slots.ts';
import { type Ended, Job, type JobRequest } from './job.ts';
import { type Retaining, Retention } from './retention.ts';
import { runJob } from './run.ts';

/** How many jobs there may be. */
export interface JobSettings extends Retaining {
  readonly maxJobs: number;
  readonly maxQueue: number;
}

/** What others are told of jobs; must not throw. */
export interface JobNotices {
  readonly started: (job: Job, startedAt: Date) => void;
  /** `state` is the job's. A job that was cancelled while it waited has no `startedAt`. */
  readonly ended: (job: Job, state: Ended) => void;
  /** Something failed that must not: a bug. */
  readonly failed: (job: Job, error: unknown) => void;
}

/** What jobs need from outside. */
export interface JobSurroundings {
  readonly engine: Engine;
  readonly clock: Clock;
  /** The time of day. */
  readonly now: () => Date;
  readonly notices: JobNotices;
}

/** What became of a request for a job. */
export type Submitted =
  | { readonly kind: 'queued'; readonly job: Job }
  | { readonly kind: 'refused'; readonly why: 'queue-full' | 'closing' };

/** Numbers of jobs. `retained` counts those that ended. */
export interface JobCounts {
  readonly queued: number;
  readonly running: number;
  readonly retained: number;
}

/** A job that is not yet done with everything. */
interface Life {
  readonly cancel: AbortController;
  /** Stops even the fingerprinting. */
  readonly drop: AbortController;
  /** The traversal's end. */
  readonly ended: Promise<void>;
  readonly over: Promise<void>;
}

/** All jobs of a service: so many run at once, so many wait, and the ended ones are kept for a while. */
export class Jobs {
  readonly #settings: JobSettings;
  readonly #around: JobSurroundings;
  readonly #jobs = new Map<string, Job>();
  readonly #lives = new Map<Job, Life>();
  readonly #retention: Retention<Job>;
  readonly #traversals: Slots;
  /** Apart from the traversals', so that neither waits for the other. */
  readonly #fingerprints: Slots;
  #closing = false;

  constructor(settings: JobSettings, around: JobSurroundings) {
    this.#settings = settings;
    this.#around = around;
    this.#retention = new Retention(settings, around.clock, (job) => this.#forget(job));
    this.#traversals = new Slots(settings.maxJobs);
    this.#fingerprints = new Slots(settings.maxJobs);
  }

  /** Takes a job in; it starts when its turn comes. */
  submit(request: JobRequest, client: string): Submitted {
    if (this.#closing) return { kind: 'refused', why: 'closing' };
    const { full, waiting } = this.#traversals;
    if (full && waiting >= this.#settings.maxQueue) return { kind: 'refused', why: 'queue-full' };
    const job = new Job(randomUUID(), request, client, this.#around.now());
    this.#jobs.set(job.id, job);
    const [cancel, drop] = [new AbortController(), new AbortController()];
    const met = this.#traverse(job, cancel.signal);
    const over = met.then((servers) => this.#identify(job, servers, drop.signal));
    this.#lives.set(job, { cancel, drop, ended: met.then(() => {}), over });
    return { kind: 'queued', job };
  }

  find(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  /** Cancels a job that has not ended, and waits until it has. */
  async cancel(job: Job): Promise<void> {
    const life = this.#lives.get(job);
    life?.cancel.abort();
    await life?.ended;
  }

  get counts(): JobCounts {
    const { count: retained } = this.#retention;
    const { waiting: queued } = this.#traversals;
    return { queued, running: this.#jobs.size - retained - queued, retained };
  }

  /** Octets that the ended jobs take. */
  get retainedBytes(): number {
    return this.#retention.bytes;
  }

  /**
   * Takes no more jobs, gives up those that wait, and resolves when all the others are done; what is
   * still to do after `graceMs` is stopped.
   */
  async drain(graceMs: number): Promise<void> {
    this.#closing = true;
    for (const [job, { cancel }] of this.#lives) if (job.state.status === 'queued') cancel.abort();
    const cancelTimer = this.#around.clock.after(graceMs, () => this.stop());
    await Promise.all([...this.#lives.values()].map(({ over }) => over));
    cancelTimer();
    this.#retention.stop();
  }

  /** Stops all that jobs still do. */
  stop(): void {
    for (const { cancel, drop } of this.#lives.values()) {
      cancel.abort();
      drop.abort();
    }
  }

  async #traverse(job: Job, signal: AbortSignal): Promise<readonly MetServer[]> {
    const release = await this.#traversals.take(signal);
    if (release === undefined) {
      const finishedAt = this.#around.now();
      this.#end(job, { status: 'cancelled', finishedAt, conclusion: withoutResult('cancelled', 0) });
      return [];
    }
    const { engine, now, notices } = this.#around;
    const startedAt = now();
    notices.started(job, startedAt);
    const { state, met } = await runJob(job, startedAt, { engine, now, signal, failed: notices.failed });
    release();
    this.#end(job, state);
    return met;
  }

  #end(job: Job, state: Ended): void {
    job.state = state;
    job.progress = { ...job.progress, pending: 0 };
    job.events.append('complete', JSON.stringify(state.conclusion));
    this.#around.notices.ended(job, state);
    this.#retention.keep(job);
  }

  /** Fingerprints what the job met, which nobody waits for. */
  async #identify(job: Job, met: readonly MetServer[], signal: AbortSignal): Promise<void> {
    const servers = met.length === 0 ? [] : await this.#ask(job, met, signal);
    if (servers !== undefined) {
      const list = JSON.stringify({ status: 'ready', servers });
      job.servers = Buffer.from(list);
      job.events.append('servers', list);
    }
    job.events.end();
    this.#retention.weigh(job);
    this.#lives.delete(job);
  }

  /** The rows of the list; undefined when nobody wants them any more. */
  async #ask(
    job: Job,
    met: readonly MetServer[],
    signal: AbortSignal,
  ): Promise<readonly object[] | undefined> {
    const release = await this.#fingerprints.take(signal);
    if (release === undefined) return undefined;
    const { engine, notices } = this.#around;
    try {
      return await engine.fingerprint(met, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      notices.failed(job, error);
      return met.map((server) => ({ ...server, versionBind: { status: 'error' } }));
    } finally {
      release();
    }
  }

  #forget(job: Job): void {
    this.#jobs.delete(job.id);
    this.#lives.get(job)?.drop.abort();
  }
}
