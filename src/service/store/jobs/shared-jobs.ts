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
import { isStoreTrouble, reached } from '../trouble.ts';
import { type Accepted, Accepting } from './accepting.ts';
import { Announcements, ServerAsking } from './after-end.ts';
import { Following } from './follower.ts';
import { acceptedFrom, newJob, Reading, update } from './reading.ts';
import { again, retried } from './retrying.ts';
import { NOTHING_MET, Running } from './running.ts';
import { Slots } from './slots.ts';
import { type HistoryRules, Upkeep } from './upkeep.ts';

/** The settings of shared jobs. */
interface SharedSettings extends JobSettings, HistoryRules {
  /** Of this instance. */
  readonly region: string | undefined;
}

/** What sharing jobs needs beside what all homes need. */
interface SharedSurroundings {
  readonly database: Database;
  /** Is told of a bug. */
  readonly failed: (error: unknown) => void;
}

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
  readonly #around: JobSurroundings;
  readonly #database: Database;
  readonly #failedWith: SharedSurroundings['failed'];
  readonly #accepting: Accepting;
  readonly #running: Running;
  readonly #reading: Reading;
  readonly #upkeep: Upkeep;
  readonly #slots: Slots;
  readonly #asking: ServerAsking;
  readonly #announcements: Announcements;
  readonly #following: Following;
  /** No reply of the store is waited for any longer. */
  readonly #over = new AbortController();
  /** One job after the other is accepted, and started if it need not wait: so clients take the turns that they take in memory. */
  #submitting: Promise<unknown> = Promise.resolve();
  #stopUpkeep: readonly (() => void)[] = [];
  #counts: JobCounts = { queued: 0, running: 0, retained: 0 };
  #closing = false;

  constructor(settings: SharedSettings, around: JobSurroundings, { database, failed }: SharedSurroundings) {
    this.#around = around;
    this.#database = database;
    this.#failedWith = failed;
    this.#accepting = new Accepting(database, settings);
    this.#running = new Running(database, settings, around.notices.announce !== undefined);
    this.#reading = new Reading(database);
    this.#upkeep = new Upkeep(database, settings);
    const over = this.#over.signal;
    const common = {
      ...around,
      upkeep: this.#upkeep,
      reading: this.#reading,
      running: this.#running,
      over,
      failed: (error: unknown) => this.#failed(error),
    };
    this.#asking = new ServerAsking(common);
    this.#announcements = new Announcements(common);
    this.#slots = new Slots(new Scheduler(settings, around.clock), common, (job, state, trace) => {
      void this.#announcements.announce(job, state);
      this.#asking.begin(job, trace);
    });
    this.#following = new Following({
      ...common,
      tell: (id) => this.#tell(`follow ${id}`),
      orphaned: (id) => void this.#asking.adopt(id),
    });
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
    const { clock } = this.#around;
    this.#database.onNotice('svc_work', () => this.#slots.fill());
    this.#database.onNotice('svc_job', (message) => this.#hear(message));
    this.#slots.begin();
    this.#stopUpkeep = [
      again(() => this.#quietly(() => this.#care()), CARE_MS, clock),
      again(() => this.#quietly(() => this.#forget()), FORGET_MS, clock),
    ];
  }

  /** A store that does not answer at once is not waited for. */
  async count(): Promise<void> {
    const counted = reached(() => this.#reading.count()).then((counts) => {
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
      void this.#quietly(() => this.#stored(() => this.#accepting.retract(job.id)));
      return { kind: 'refused', why: 'away' };
    }
    switch (accepted.kind) {
      case 'key-used':
        return { kind: 'key-used' };
      case 'earlier':
        this.#slots.fill();
        return { kind: 'queued', job: accepted, stored: Promise.resolve() };
      case 'accepted':
        return await this.#release(job, free > 0);
      case 'too-late':
        return { kind: 'refused', why: 'away' };
      case 'queue-full':
      case 'client-queue-full':
        return { kind: 'refused', why: accepted.kind };
    }
  }

  /** In a full queue other jobs make room, if their blocks of addresses have more of it. */
  async #accept(job: Job, free: number, deadline: number | undefined): Promise<Accepted> {
    for (;;) {
      const accepted = await this.#accepting.accept(job, free, deadline);
      if (accepted.kind !== 'queue-full' || accepted.victim === undefined) return accepted;
      const { head, firstStartedAt } = accepted.victim;
      const victim = new Job(acceptedFrom(head));
      victim.firstStartedAt = firstStartedAt ?? undefined;
      await this.#endWaiting(victim, crowdedOut(victim, this.#around.now()));
    }
  }

  async #endWaiting(job: Job, state: Ended): Promise<'ended' | 'not-waiting'> {
    if ((await this.#running.endWaiting(job, state)) !== 'ended') return 'not-waiting';
    this.#around.notices.ended(job, state);
    void this.#announcements.announce(job, state);
    this.#asking.begin(job, NOTHING_MET);
    return 'ended';
  }

  /** Lets an accepted job start, and so promises it to its client: one that is not let start soon is forgotten. */
  async #release(job: Job, isForHere: boolean): Promise<Submitted> {
    const released = this.#stored(() => this.#accepting.release(job.id, !isForHere)).then((outcome) => {
      this.#slots.fill();
      return outcome;
    });
    switch (await this.#atMost(RELEASE_MS, released)) {
      case 'released':
        return { kind: 'queued', job, stored: Promise.resolve() };
      case 'gone':
        return { kind: 'refused', why: 'away' };
      case undefined:
        void this.#quietly(async () => void (await released));
        return { kind: 'unknown' };
    }
  }

  async find(id: string, part: JobPart): Promise<FoundJob> {
    if (!isJobId(id)) return undefined;
    const stored = await reached(() => this.#reading.look(id, part));
    if (stored === 'away' || stored === undefined) return stored;
    const job = newJob(stored);
    for (let at = stored; update(job, at) === 'more'; ) {
      const next = await reached(() => this.#reading.look(id, part, job.events.last));
      if (next === 'away' || next === undefined) return next;
      at = next;
    }
    if (part === 'events') this.#following.follow(job);
    const isOrphaned = isEnded(job.state) && !stored.attended;
    if (part === 'servers' && job.servers === undefined && isOrphaned) void this.#asking.adopt(id);
    return job;
  }

  async history(asked: HistoryAsked): Promise<PastJobs | 'away'> {
    return await reached(() => this.#reading.history(asked));
  }

  async cancel(job: Job): Promise<'ended' | 'away'> {
    if (isEnded(job.state)) return 'ended';
    const state = cancelledBefore(job, this.#around.now());
    const ended = await reached(() => this.#endWaiting(job, state));
    if (ended !== 'not-waiting') return ended;
    const told = await reached(() => this.#running.wishEnd(job.id));
    if (told === 'told') return await this.#untilEnded(job.id);
    return told === 'away' ? 'away' : 'ended';
  }

  async ahead(job: Job): Promise<number | undefined> {
    if (job.state.status !== 'queued') return undefined;
    const ahead = await reached(() => this.#reading.ahead(job.id));
    return ahead === 'away' ? undefined : ahead;
  }

  async drain(graceMs: number): Promise<void> {
    this.#closing = true;
    for (const stop of this.#stopUpkeep) stop();
    const { clock, engine } = this.#around;
    const cancelStop = clock.after(graceMs, () => {
      this.#slots.leave();
      this.#asking.stop();
    });
    const cancelClose = clock.after(graceMs + LAST_WORDS_MS, () => {
      this.#over.abort();
      void engine.close();
    });
    await this.#slots.close();
    await this.#asking.settled();
    cancelStop();
    await this.#atMost(LAST_WORDS_MS, this.#following.end());
    cancelClose();
    this.#over.abort();
    await engine.close();
  }

  async #care(): Promise<void> {
    if ((await this.#slots.takeBack(this.#upkeep)) > 0) this.#slots.fill();
    await this.#announcements.announceOwed();
  }

  async #forget(): Promise<void> {
    const crowdedOut = await this.#upkeep.forget();
    for (let count = 0; count < crowdedOut; count += 1) this.#around.notices.crowdedOut();
  }

  async #untilEnded(id: string): Promise<'ended' | 'away'> {
    const job = await this.find(id, 'events');
    if (job === undefined) return 'ended';
    if (job === 'away') return 'away';
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

  async #tell(message: string): Promise<void> {
    await this.#database.query(`SELECT pg_notify('svc_job', $1)`, [message]);
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

  async #stored<T>(what: () => Promise<T>): Promise<T | undefined> {
    return await retried(what, this.#around.clock, this.#over.signal);
  }

  /** Does what nobody waits for; while the store is away it is left. */
  async #quietly(what: () => Promise<void>): Promise<void> {
    await what().catch((error: unknown) => this.#failed(error));
  }

  #failed(error: unknown): void {
    if (!isStoreTrouble(error)) this.#failedWith(error);
  }
}
