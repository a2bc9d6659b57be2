/* The jobs of a service of several instances, which share them in the store. */

import { randomUUID } from 'node:crypto';
import type { HistoryAsked } from '../../../document/api/history.ts';
import { isJobId } from '../../../document/api/jobs.ts';
import type { JobCounts } from '../../../document/api/service-documents.ts';
import { partyOf, type Requester } from '../../client.ts';
import { type Ended, isEnded, Job, type JobRequest } from '../../jobs/job.ts';
import type {
  FoundJob,
  JobPart,
  JobSettings,
  JobSurroundings,
  LeftJobs,
  PastJobs,
  ServiceJobs,
  ServiceJobsState,
  Submitted,
} from '../../jobs/jobs.ts';
import { cancelledBefore, crowdedOut } from '../../jobs/persistence.ts';
import { Scheduler } from '../../jobs/scheduler.ts';
import type { Database } from '../database.ts';
import { Loop, retried } from '../repeating.ts';
import { reached } from '../trouble.ts';
import { Accepting } from './accepting.ts';
import { AfterEnd } from './after-end.ts';
import { Following } from './follower.ts';
import { acceptedFrom, Reading } from './reading.ts';
import { Running, type RunningRules } from './running.ts';
import { Slots } from './slots.ts';
import type { SharedSurroundings } from './surroundings.ts';
import { Unreadable } from './unreadable.ts';
import { type HistoryRules, Upkeep } from './upkeep.ts';

/** The settings of shared jobs. */
interface SharedSettings extends JobSettings, HistoryRules, RunningRules {}

/** For what is known of a job to come in when the service stops it, and to be stored. */
const LAST_WORDS_MS = 1_000;

/** How long a client waits for its job to be let start while the store is away in the middle of that. */
const RELEASE_MS = 8_000;

/** How often an instance looks for jobs that others have left, and for ends that they have not announced. */
const CARE_MS = 2_000;

/** How often it forgets old jobs. */
const FORGET_MS = 60_000;

/** The longest that health and metrics wait for counts of now. */
const COUNT_MS = 500;

/**
 * The jobs of a service of many instances. They are in the store, wait there for an instance that has room,
 * and can be read, followed and cancelled at any.
 */
export class SharedJobs implements ServiceJobs {
  readonly kind = 'postgres';
  readonly retainedBytes = 0;
  readonly #around: SharedSurroundings;
  readonly #database: Database;
  readonly #accepting: Accepting;
  readonly #slots: Slots;
  readonly #afterEnd: AfterEnd;
  readonly #following: Following;
  readonly #upkeep: readonly Loop[];
  /** No reply of the store is waited for any longer. */
  readonly #over = new AbortController();
  /** One job after the other is accepted, and started if it need not wait: so clients take the turns that they take in memory. */
  #submitting: Promise<unknown> = Promise.resolve();
  #counts: JobCounts = { queued: 0, running: 0, retained: 0 };
  #closing = false;

  /** `failed`: is told why something failed that nobody waits for. */
  constructor(
    settings: SharedSettings,
    around: JobSurroundings,
    database: Database,
    failed: (error: unknown) => void,
  ) {
    const { clock, notices } = around;
    const unreadable = new Unreadable(failed);
    this.#database = database;
    this.#accepting = new Accepting(database, settings, unreadable);
    this.#around = {
      ...around,
      failed,
      running: new Running(database, settings, notices.announce !== undefined),
      reading: new Reading(database, unreadable),
      upkeep: new Upkeep(database, settings),
      unreadable,
      stored: (what) => retried(what, clock, this.#over.signal),
    };
    this.#afterEnd = new AfterEnd(this.#around);
    this.#slots = new Slots(new Scheduler(settings, clock), this.#around, (job) => this.#afterEnd.begin(job));
    this.#following = new Following({ ...this.#around, orphaned: (id) => this.#afterEnd.adopt(id) });
    this.#upkeep = [
      new Loop(() => this.#care(), { ...this.#around, everyMs: () => CARE_MS }),
      new Loop(() => this.#forget(), { ...this.#around, everyMs: () => FORGET_MS }),
    ];
  }

  get state(): ServiceJobsState {
    const { state } = this.#database;
    return state.kind === 'ok' ? { status: 'ok' } : { status: 'degraded', reason: state.why };
  }

  get counts(): JobCounts {
    return this.#counts;
  }

  async open(): Promise<LeftJobs> {
    await this.count();
    const { queued, running, retained } = this.#counts;
    return { begun: queued + running, kept: retained };
  }

  begin(): void {
    this.#database.onNotice('svc_work', () => this.#slots.fill());
    this.#database.onNotice('svc_job', (message) => this.#hear(message));
    this.#slots.begin();
    this.#following.begin();
    for (const loop of this.#upkeep) loop.begin();
  }

  /** A store that does not answer at once is not waited for. */
  async count(): Promise<void> {
    const counted = reached(() => this.#around.reading.count()).then((counts) => {
      if (counts !== 'away') this.#counts = counts;
    });
    await this.#atMost(COUNT_MS, counted);
  }

  async submit(request: JobRequest, requester: Requester, key?: string): Promise<Submitted> {
    if (this.#closing) return { kind: 'refused', why: 'closing' };
    const { client, cancelHash } = requester;
    const createdAt = this.#around.now();
    const owner = { client, party: partyOf(requester), ...(cancelHash !== undefined && { cancelHash }) };
    const job = new Job({ id: randomUUID(), request, owner, createdAt, key });
    const { deadline } = this.#accepting;
    const submitted = this.#submitting.then(() => this.#submit(job, deadline));
    this.#submitting = submitted.then(
      () => this.#slots.filled,
      () => {},
    );
    return await submitted;
  }

  async #submit(job: Job, deadline: number | undefined): Promise<Submitted> {
    const { free } = this.#slots;
    const accepted = await reached(() => this.#accept(job, free, deadline));
    if (accepted === 'away') {
      // The statement may have been carried out all the same.
      this.#around.stored(() => this.#accepting.retract(job.id)).catch(this.#around.failed);
      return { kind: 'refused', why: 'away' };
    }
    if (accepted.kind === 'accepted') return await this.#release(job, free > 0);
    if (accepted.kind !== 'earlier') return accepted;
    this.#slots.fill();
    return { kind: 'queued', job: accepted, stored: Promise.resolve() };
  }

  /** In a full queue other jobs make room, if their blocks of addresses have more of it. */
  async #accept(job: Job, free: number, deadline: number | undefined) {
    for (;;) {
      const accepted = await this.#accepting.accept(job, free, deadline);
      if (accepted.kind !== 'crowded') return accepted;
      const { id, head, firstStartedAt } = accepted.victim;
      const victim = this.#around.unreadable.read(id, () => new Job(acceptedFrom(head)));
      if (victim === undefined) continue;
      victim.firstStartedAt = firstStartedAt ?? undefined;
      await this.#endWaiting(victim, crowdedOut(victim, this.#around.now()));
    }
  }

  async #endWaiting(job: Job, state: Ended): Promise<'ended' | 'not-waiting'> {
    const { running, notices } = this.#around;
    if ((await running.endWaiting(job, state)) !== 'ended') return 'not-waiting';
    notices.ended(job, state);
    this.#afterEnd.announce(job, state);
    return 'ended';
  }

  /** Lets an accepted job start, and so promises it to its client: one that is not let start soon is forgotten. */
  async #release(job: Job, isForHere: boolean): Promise<Submitted> {
    const { stored, failed } = this.#around;
    const released = stored(() => this.#accepting.release(job.id, !isForHere)).then((outcome) => {
      this.#slots.fill();
      return outcome;
    });
    switch (await this.#atMost(RELEASE_MS, released)) {
      case 'released':
        return { kind: 'queued', job, stored: Promise.resolve() };
      case 'gone':
        return { kind: 'refused', why: 'away' };
      case undefined:
        released.catch(failed);
        return { kind: 'unknown' };
    }
  }

  async find(id: string, part: JobPart): Promise<FoundJob> {
    if (!isJobId(id)) return undefined;
    const { reading } = this.#around;
    if (part === 'events') return await this.#findFollowed(id);
    const found = await reached(() => reading.find(id, part));
    if (typeof found !== 'object') return found;
    const { job, attended } = found;
    if (part === 'servers' && isEnded(job.state) && job.servers === undefined && !attended)
      this.#afterEnd.adopt(id);
    return job;
  }

  /** A job that is kept up to date: the same one for all who read its events here. */
  async #findFollowed(id: string): Promise<FoundJob> {
    for (;;) {
      const followed = this.#following.followed(id);
      const found = await reached(() => this.#around.reading.find(id, 'events', followed));
      if (typeof found !== 'object') return found;
      const { job } = found;
      if (job === followed) return job;
      // Somebody else may have begun to follow it meanwhile.
      if (this.#following.followed(id) !== undefined) continue;
      this.#following.follow(job);
      return job;
    }
  }

  async history(asked: HistoryAsked): Promise<PastJobs | 'away'> {
    return await reached(() => this.#around.reading.history(asked));
  }

  async cancel(job: Job): Promise<'ended' | 'away'> {
    if (isEnded(job.state)) return 'ended';
    const state = cancelledBefore(job, this.#around.now());
    const ended = await reached(() => this.#endWaiting(job, state));
    if (ended !== 'not-waiting') return ended;
    const told = await reached(() => this.#around.running.wishEnd(job.id));
    if (told === 'told') return await this.#untilEnded(job.id);
    return told === 'away' ? 'away' : 'ended';
  }

  async ahead(job: Job): Promise<number | undefined> {
    if (job.state.status !== 'queued') return undefined;
    const ahead = await reached(() => this.#around.reading.ahead(job.id));
    return ahead === 'away' ? undefined : ahead;
  }

  async drain(graceMs: number): Promise<void> {
    this.#closing = true;
    for (const loop of this.#upkeep) void loop.stop();
    const { clock, engine } = this.#around;
    const cancelStop = clock.after(graceMs, () => {
      this.#slots.leave();
      this.#afterEnd.stop();
    });
    const cancelClose = clock.after(graceMs + LAST_WORDS_MS, () => {
      this.#over.abort();
      void engine.close();
    });
    await this.#slots.close();
    await this.#afterEnd.settled();
    cancelStop();
    await this.#atMost(LAST_WORDS_MS, this.#following.end());
    cancelClose();
    this.#over.abort();
    await engine.close();
  }

  async #care(): Promise<void> {
    this.#slots.takeBack();
    await this.#afterEnd.announceOwed(this.#slots.ids);
  }

  async #forget(): Promise<void> {
    const crowdedOut = await this.#around.upkeep.forget();
    for (let count = 0; count < crowdedOut; count += 1) this.#around.notices.crowdedOut();
  }

  async #untilEnded(id: string): Promise<'ended' | 'away'> {
    const job = await this.find(id, 'events');
    if (job === 'away') return 'away';
    if (job === undefined || job === 'unreadable') return 'ended';
    return await new Promise((resolve) => {
      const look = () => {
        if (!isEnded(job.state) && !job.events.ended) return;
        stop();
        resolve('ended');
      };
      const stop = job.events.subscribe(look);
      look();
    });
  }

  /** What another instance tells all; empty if something may be lost. */
  #hear(message: string): void {
    const [word, id] = message.split(' ');
    if (word === 'news' || word === '') this.#following.wake(id);
    if (id !== undefined && word === 'cancel') this.#slots.held(id)?.cancel();
    if (id !== undefined && word === 'follow') this.#slots.held(id)?.followed();
  }

  /** Waits for something, but no longer than so long; undefined after that. */
  async #atMost<T>(ms: number, done: Promise<T>): Promise<T | undefined> {
    let cancelTimer = () => {};
    const late = new Promise<undefined>((resolve) => {
      cancelTimer = this.#around.clock.after(ms, () => resolve(undefined));
    });
    try {
      return await Promise.race([done, late]);
    } finally {
      cancelTimer();
    }
  }
}
