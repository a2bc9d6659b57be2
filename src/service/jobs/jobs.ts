import { randomUUID } from 'node:crypto';
import type { JobCounts } from '../../document/api/health.ts';
import type { Clock } from '../../exchange/clock.ts';
import { withoutResult } from '../../reading/conclusion.ts';
import { serialisedConclusion } from '../../work/evaluation.ts';
import type { Client } from '../clients/client-ip.ts';
import { clientNetwork } from '../clients/client-network.ts';
import type { Engine, JobRequest } from '../engine/engine.ts';
import { type Bidder, Slots } from '../slots.ts';
import { Fingerprints } from './fingerprints.ts';
import { identify } from './identify.ts';
import { type Ended, Job } from './job.ts';
import { Retention, type RetentionRules } from './retention.ts';
import { type RunTrace, runJob } from './run.ts';
import { timepiece } from './timepiece.ts';

/** How many jobs there may be. */
export interface JobSettings extends RetentionRules {
  readonly maxJobs: number;
  /** Of one client, unless it is exempt. */
  readonly maxJobsPerClient: number;
  readonly maxQueue: number;
  /** Of one client, unless it is exempt. */
  readonly maxQueuePerClient: number;
}

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
}

/** Who asks for a job. */
type Requester = Pick<Client, 'client' | 'exempt'>;

/** What became of a request for a job. */
type Submitted =
  | { readonly kind: 'queued'; readonly job: Job }
  | { readonly kind: 'refused'; readonly why: NoRoom };

/** Why a job is not accepted. */
export type NoRoom = 'queue-full' | 'client-queue-full' | 'closing';

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

/** The party of exempt clients, which nobody can join by claiming an address. */
const THIS_HOST = 'this host';

/** For what is known of a job to come in when the service stops it. */
const LAST_WORDS_MS = 1_000;

/** All jobs of a service. Some run, some wait for their turn, and those that ended are kept for a while. */
export class Jobs {
  readonly #settings: JobSettings;
  readonly #around: JobSurroundings;
  readonly #jobs = new Map<string, Job>();
  readonly #lives = new Map<Job, Life>();
  readonly #retention: Retention<Job>;
  readonly #traversals: Slots;
  readonly #fingerprints: Fingerprints;
  #closing = false;

  constructor(settings: JobSettings, around: JobSurroundings) {
    this.#settings = settings;
    this.#around = around;
    this.#retention = new Retention(settings, around.clock, (job, why) => {
      if (why === 'no-room') around.notices.crowdedOut(job);
      this.#forget(job);
    });
    this.#traversals = new Slots(settings.maxJobs);
    this.#fingerprints = new Fingerprints(around.engine, around.clock);
  }

  /**
   * Accepts a job, which starts when its client's turn comes, unless the queue or the client's part of it is
   * full. Exempt clients take turns like all others, but only the bounds of the whole service hold for them.
   */
  submit(request: JobRequest, client: Requester): Submitted {
    const bidder = this.#bidderFor(client);
    const why = this.#noRoom(bidder, client);
    if (why !== undefined) return { kind: 'refused', why };
    const owner = { client: client.client, party: bidder.party };
    const now = timepiece(this.#around.now, this.#around.clock);
    const job = new Job(randomUUID(), request, owner, now());
    this.#jobs.set(job.id, job);
    const [cancel, drop] = [new AbortController(), new AbortController()];
    const trace = this.#traverse(job, bidder, { now, signal: cancel.signal });
    const over = trace.then((left) => this.#identify(job, left, drop.signal));
    this.#lives.set(job, { cancel, drop, ended: trace.then(() => {}), over });
    return { kind: 'queued', job };
  }

  #bidderFor({ client, exempt }: Requester): Bidder {
    const { maxJobs, maxJobsPerClient } = this.#settings;
    if (exempt) return { party: THIS_HOST, most: maxJobs };
    return { party: clientNetwork(client), most: maxJobsPerClient };
  }

  #noRoom(bidder: Bidder, { exempt }: Requester): NoRoom | undefined {
    const { maxQueue, maxQueuePerClient } = this.#settings;
    const slots = this.#traversals;
    if (this.#closing) return 'closing';
    if (!slots.mustWait(bidder)) return undefined;
    if (slots.waiting >= maxQueue) return 'queue-full';
    return !exempt && slots.waitingOf(bidder.party) >= maxQueuePerClient ? 'client-queue-full' : undefined;
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
    const { waiting: queued } = this.#traversals;
    return { queued, running: this.#jobs.size - retained - queued, retained };
  }

  /** Octets of the ended jobs. */
  get retainedBytes(): number {
    return this.#retention.bytes;
  }

  /**
   * Accepts no more jobs, cancels those in the queue, and resolves when all the others are done, the engine
   * too. Whatever still runs after `graceMs` is stopped, and has `LAST_WORDS_MS` to say what it knows.
   */
  async drain(graceMs: number): Promise<void> {
    this.#closing = true;
    const { clock, engine } = this.#around;
    for (const [job, { cancel }] of this.#lives) if (job.state.status === 'queued') cancel.abort();
    const cancelStop = clock.after(graceMs, () => this.#stop());
    const cancelClose = clock.after(graceMs + LAST_WORDS_MS, () => void engine.close());
    await Promise.all([...this.#lives.values()].map(({ over }) => over));
    cancelStop();
    cancelClose();
    this.#retention.stop();
    await engine.close();
  }

  #stop(): void {
    for (const { cancel, drop } of this.#lives.values()) {
      cancel.abort();
      drop.abort();
    }
  }

  async #traverse(job: Job, bidder: Bidder, { now, signal }: RunTime): Promise<RunTrace> {
    const release = await this.#traversals.take(bidder, signal);
    const { engine, notices } = this.#around;
    if (release === undefined) {
      this.#end(job, {
        status: 'cancelled',
        finishedAt: now(),
        conclusion: serialisedConclusion(withoutResult('cancelled', 0)),
      });
      return { met: [], packets: 0 };
    }
    const startedAt = now();
    notices.started(job, startedAt);
    const { state, ...trace } = await runJob(job, startedAt, { engine, now, signal, failed: notices.failed });
    release();
    this.#end(job, state);
    return trace;
  }

  #end(job: Job, state: Ended): void {
    job.state = state;
    job.progress = { ...job.progress, pending: 0 };
    job.events.append('complete', state.conclusion.data);
    this.#around.notices.ended(job, state);
    this.#retention.keep(job);
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
    if (list !== undefined) {
      const text = JSON.stringify(list);
      job.servers = Buffer.from(text);
      job.events.append('servers', text);
    }
    job.events.end();
    this.#retention.weigh(job);
    this.#lives.delete(job);
  }

  #forget(job: Job): void {
    this.#jobs.delete(job.id);
    this.#lives.get(job)?.drop.abort();
  }
}
