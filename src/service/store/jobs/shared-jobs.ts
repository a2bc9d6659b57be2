import { randomUUID } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import { isJobId } from '../../../document/api/jobs.ts';
import type { JobCounts } from '../../../document/api/service-documents.ts';
import { partyOf, type Requester } from '../../client.ts';
import { isEnded, Job, type JobRequest } from '../../jobs/job.ts';
import type {
  FoundJob,
  JobPart,
  JobSettings,
  JobSurroundings,
  LeftJobs,
  ServiceJobs,
  ServiceJobsState,
  Submitted,
} from '../../jobs/jobs.ts';
import { steadyTime } from '../../jobs/local-jobs.ts';
import { cancelledBefore } from '../../jobs/persistence.ts';
import type { StoreConnection } from '../connection/connect.ts';
import { storeKey } from '../connection/script.ts';
import { isStoreTrouble, reached } from '../connection/trouble.ts';
import { Announcements, ServerAsking } from './after-end.ts';
import { type Followers, follow, News } from './follower.ts';
import { HeldJob } from './held-job.ts';
import { JobRecords, NOTHING_MET } from './job-records.ts';
import type { JobTurn } from './life-scripts.ts';
import { mirror, newJob } from './mirror.ts';
import { retried, Sweeper } from './retrying.ts';
import { type HandedOver, WorkQueue } from './work-queue.ts';

/** What sharing jobs needs beside what all homes need. */
interface SharedSurroundings {
  readonly connection: StoreConnection;
  /** Is told of a bug. */
  readonly failed: (error: unknown) => void;
}

/** For what is known of a job to come in when the service stops it, and to be stored. */
const LAST_WORDS_MS = 1_000;

/**
 * The jobs of a service of many instances. They are in the store, wait there for an instance that has room,
 * and can be read, followed and cancelled at any.
 */
export class SharedJobs implements ServiceJobs {
  readonly kind = 'redis';
  readonly retainedBytes = 0;
  readonly #settings: JobSettings;
  readonly #around: JobSurroundings;
  readonly #connection: StoreConnection;
  readonly #failedWith: SharedSurroundings['failed'];
  readonly #records: JobRecords;
  readonly #queue: WorkQueue;
  readonly #news: News;
  readonly #asking: ServerAsking;
  readonly #announcements: Announcements;
  /** Those that this instance runs, with their ends. */
  readonly #held = new Map<string, { readonly job: HeldJob; readonly over: Promise<unknown> }>();
  readonly #followers: Followers = new Set();
  /** No reply of the store is waited for any longer. */
  readonly #over = new AbortController();
  #sweeper: Sweeper | undefined;
  #counts: JobCounts = { queued: 0, running: 0, retained: 0 };
  #closing = false;

  constructor(settings: JobSettings, around: JobSurroundings, { connection, failed }: SharedSurroundings) {
    this.#settings = settings;
    this.#around = around;
    this.#connection = connection;
    this.#failedWith = failed;
    this.#records = new JobRecords(connection, {
      ...settings,
      ends: around.notices.announce === undefined ? 'untold' : 'announced',
    });
    this.#news = new News(connection);
    const common = { ...around, records: this.#records, failed: (error: unknown) => this.#failed(error) };
    this.#asking = new ServerAsking({ ...common, over: this.#over.signal });
    this.#announcements = new Announcements(common);
    this.#queue = new WorkQueue(connection, {
      run: (id) => this.#run(id),
      failed: (error) => this.#failed(error),
    });
  }

  get state(): ServiceJobsState {
    const { state } = this.#connection;
    return state.kind === 'ok' ? { status: 'ok' } : { status: 'degraded', reason: state.why };
  }

  get counts(): JobCounts {
    return this.#counts;
  }

  async open(): Promise<LeftJobs> {
    this.#news.listen(storeKey('to', this.#connection.instance), (message) => this.#hear(message));
    await this.count();
    const { queued, running, retained } = this.#counts;
    return { begun: queued + running, kept: retained };
  }

  begin(): void {
    this.#queue.begin(this.#settings.maxJobs);
    this.#sweeper = new Sweeper(() => this.#sweep(), this.#around.clock);
  }

  async count(): Promise<void> {
    const counts = await reached(() => this.#records.count());
    if (counts !== 'away') this.#counts = counts;
  }

  async submit(request: JobRequest, { client, exempt }: Requester): Promise<Submitted> {
    if (this.#closing) return { kind: 'refused', why: 'closing' };
    const party = partyOf({ client, exempt });
    const createdAt = this.#around.now();
    const job = new Job({ id: randomUUID(), request, owner: { client, party }, createdAt });
    const room = Math.max(0, this.#settings.maxJobs - this.#held.size);
    const accepted = await reached(async () => {
      const submitted = await this.#records.submit(job, room);
      if (submitted.kind !== 'accepted') return submitted;
      return (await this.#enqueue(job.id, submitted.turns)) === 'waits' ? submitted : 'away';
    });
    if (accepted === 'away') return { kind: 'refused', why: 'away' };
    if (accepted.kind !== 'accepted') return { kind: 'refused', why: accepted.kind };
    return { kind: 'queued', job, stored: Promise.resolve() };
  }

  /** Whoever is told that a job was not accepted may ask for it again: what can be taken back is not run, too. */
  async #enqueue(id: string, turns: readonly JobTurn[]): Promise<'waits' | 'away'> {
    try {
      for (const turn of turns) await this.#queue.add(turn);
      return 'waits';
    } catch (error) {
      if (!isStoreTrouble(error)) throw error;
      return (await this.#records.retract(id)) === 'begun' ? 'waits' : 'away';
    }
  }

  async find(id: string, part: JobPart): Promise<FoundJob> {
    if (!isJobId(id)) return undefined;
    const stored = await reached(() => this.#records.look(id, part));
    if (stored === 'away' || stored === undefined) return stored;
    const job = newJob(stored);
    for (let at = stored; mirror(at, job) === 'more'; ) {
      const next = await reached(() => this.#records.look(id, part, job.events.last));
      if (next === 'away' || next === undefined) return next;
      at = next;
    }
    if (part === 'events') this.#follow(job);
    const isOrphaned = isEnded(job.state) && stored.identifying === 'nobody';
    if (part === 'servers' && job.servers === undefined && isOrphaned) void this.#asking.adopt(id);
    return job;
  }

  async cancel(job: Job): Promise<'ended' | 'away'> {
    if (isEnded(job.state)) return 'ended';
    const state = cancelledBefore(job, this.#around.now());
    const cancelled = await reached(() => this.#records.cancel(job, state));
    if (cancelled === 'away') return 'away';
    switch (cancelled.kind) {
      case 'over':
        return 'ended';
      case 'ended':
        this.#around.notices.ended(job, state);
        void this.#announcements.announce(job, state);
        this.#asking.begin(job, NOTHING_MET);
        await reached(() => this.#queue.remove(job.id));
        await this.#call(cancelled.turns);
        return 'ended';
      case 'told':
        return await this.#untilEnded(job.id);
    }
  }

  async ahead(job: Job): Promise<number | undefined> {
    if (job.state.status !== 'queued') return undefined;
    const ahead = await reached(() => this.#records.ahead(job.id, this.#queue.key));
    return ahead === 'away' ? undefined : ahead;
  }

  async drain(graceMs: number): Promise<void> {
    this.#closing = true;
    this.#sweeper?.stop();
    const { clock, engine } = this.#around;
    await this.#queue.pause();
    const cancelStop = clock.after(graceMs, () => this.#stopAll());
    const cancelClose = clock.after(graceMs + LAST_WORDS_MS, () => {
      this.#over.abort();
      void engine.close();
    });
    while (this.#held.size + this.#asking.count > 0) {
      await Promise.allSettled([...this.#held.values()].map(({ over }) => over));
      await this.#asking.settled();
    }
    cancelStop();
    const left = [this.#queue.close(), ...[...this.#followers].map((follower) => follower.end())];
    await Promise.race([Promise.all(left), passed(LAST_WORDS_MS, undefined, { ref: false })]);
    cancelClose();
    this.#over.abort();
    this.#news.close();
    await engine.close();
  }

  #stopAll(): void {
    for (const { job } of this.#held.values()) job.leave();
    this.#asking.stop();
  }

  /** Runs a job that the queue hands over. */
  async #run(id: string): Promise<HandedOver> {
    const held = this.#held.get(id);
    if (held !== undefined) {
      // The store was away for so long that the job passed for abandoned.
      await held.over;
      return 'done';
    }
    if (this.#closing) return 'left';
    const { clock } = this.#around;
    const now = steadyTime(this.#around.now, clock);
    const startedAt = now();
    const { signal } = this.#over;
    const claim = await retried(() => this.#records.claim(id, startedAt), clock, signal);
    if (claim === undefined) return 'left';
    switch (claim.kind) {
      case 'over':
        return 'done';
      case 'held':
        return 'held';
      case 'claimed': {
        const job = new HeldJob(claim, { ...this.#around, records: this.#records, now, signal });
        return await this.#hold(id, job, startedAt);
      }
    }
  }

  async #hold(id: string, job: HeldJob, startedAt: Date): Promise<HandedOver> {
    const over = job.run(startedAt);
    this.#held.set(id, { job, over });
    const held = await over.finally(() => this.#held.delete(id));
    if (held.kind === 'ended') {
      void this.#announcements.announce(held.job, held.state);
      this.#asking.begin(held.job, held.trace);
      await this.#call(held.turns);
    }
    return held.kind === 'left' ? 'left' : 'done';
  }

  /** Lets jobs wait in the queue whose turn it is. If the store is away, some instance will do it later. */
  async #call(turns: readonly JobTurn[]): Promise<void> {
    await reached(async () => {
      for (const turn of turns) await this.#queue.add(turn);
    }).catch((error: unknown) => this.#failed(error));
  }

  /** Lets jobs wait in the queue that should be there and are not. */
  async #sweep(): Promise<void> {
    await reached(async () => {
      for (const turn of await this.#records.sweep(this.#queue.key)) await this.#queue.add(turn);
      await this.#announcements.announceOwed();
    }).catch((error: unknown) => this.#failed(error));
  }

  #follow(job: Job): void {
    follow(job, {
      followers: this.#followers,
      records: this.#records,
      news: this.#news,
      clock: this.#around.clock,
      orphaned: (id) => void this.#asking.adopt(id),
      failed: (error) => this.#failed(error),
    });
  }

  async #untilEnded(id: string): Promise<'ended' | 'away'> {
    const job = await this.find(id, 'events');
    if (job === undefined) return 'ended';
    if (job === 'away') return 'away';
    return await new Promise((resolve) => {
      const stop = job.events.subscribe(() => {
        if (!isEnded(job.state) && !job.events.ended) return;
        stop();
        resolve('ended');
      });
      if (isEnded(job.state)) {
        stop();
        resolve('ended');
      }
    });
  }

  /** What another instance says to this one. */
  #hear(message = ''): void {
    const [word, id = ''] = message.split(' ');
    if (word === 'cancel') this.#held.get(id)?.job.cancel();
    if (word === 'follow') this.#held.get(id)?.job.followed();
  }

  #failed(error: unknown): void {
    if (!isStoreTrouble(error)) this.#failedWith(error);
  }
}
