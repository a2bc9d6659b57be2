import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { HistoryAsked } from '../../document/api/history.ts';
import type { JobCounts } from '../../document/api/service-documents.ts';
import type { SerialisedEvent } from '../../traversal/threads/messages.ts';
import { partyOf, type Requester } from '../client.ts';
import { Fingerprints, identifiedServers } from './fingerprints.ts';
import { type Ended, isEnded, Job, type JobRequest } from './job.ts';
import type {
  JobSettings,
  JobSurroundings,
  LeftJobs,
  PastJobs,
  ServiceJobs,
  ServiceJobsState,
  Submitted,
} from './jobs.ts';
import {
  begun,
  cancelledBefore,
  crowdedOut,
  EVENTS_UNTIL_KEPT,
  ended,
  type FoundJobs,
  givenUp,
  type JobPersistence,
  type KeptJob,
  left,
  MEMORY_ONLY,
  MOST_ATTEMPTS,
  type WaitingJob,
  waiting,
} from './persistence.ts';
import { Retention } from './retention.ts';
import { NOTHING_MET, type RunTrace, runJob } from './run-job.ts';
import { Scheduler } from './scheduler.ts';
import { requestText, UsedKeys } from './used-keys.ts';

/**
 * The jobs of a service that runs as one process. Some run, some wait for their turn, and ended jobs stay for a while: in
 * memory, and where the next process finds them.
 */
export class LocalJobs implements ServiceJobs {
  readonly #settings: JobSettings;
  readonly #around: JobSurroundings;
  readonly #persistence: JobPersistence;
  readonly #jobs = new Map<string, Job>();
  readonly #keys = new UsedKeys();
  readonly #lives = new Map<Job, Life>();
  /** Jobs left to the next process. */
  readonly #left = new Set<Job>();
  readonly #retention: Retention<Job>;
  readonly #scheduler: Scheduler;
  readonly #fingerprints: Fingerprints;
  #found: FoundJobs = NOTHING_FOUND;
  #closing = false;

  constructor(settings: JobSettings, around: JobSurroundings, persistence = MEMORY_ONLY) {
    this.#settings = settings;
    this.#around = around;
    this.#persistence = persistence;
    this.#retention = new Retention(settings, around.clock, (job, why) => {
      if (why === 'no-room') around.notices.crowdedOut();
      this.#forget(job);
    });
    this.#scheduler = new Scheduler(settings, around.clock);
    this.#fingerprints = new Fingerprints(around.engine, around.clock);
  }

  async open(): Promise<LeftJobs> {
    this.#found = await this.#persistence.load();
    const { waiting, ended } = this.#found;
    for (const { id, request, attempts } of waiting) {
      // A job that is left by a process that was asked to stop loses the attempt.
      if (attempts > 0) this.#around.notices.interrupted({ id, ...request.question, attempts });
    }
    return { begun: waiting.length, kept: ended.length };
  }

  /** Goes on with what an earlier process left. */
  begin(): void {
    const { waiting, ended } = this.#found;
    this.#found = NOTHING_FOUND;
    for (const found of ended) this.#keepAgain(found);
    for (const found of waiting) this.#beginAgain(found);
  }

  /**
   * Accepts a job, which starts when its client's turn comes, unless the queue or the client's part of it is
   * full.
   */
  submit(request: JobRequest, client: Requester, key?: string): Submitted<Job> {
    const earlier = key === undefined ? undefined : this.#keys.jobOf(client.client, key, this.#around.now());
    if (earlier !== undefined && requestText(earlier.request) !== requestText(request))
      return { kind: 'key-used' };
    if (earlier !== undefined) return { kind: 'queued', job: earlier, stored: Promise.resolve() };
    const party = partyOf(client);
    const why = this.#closing ? 'closing' : this.#scheduler.makeRoom(party);
    if (why !== undefined) return { kind: 'refused', why };
    const now = this.#clockOfJob();
    const { exempt: _exempt, ...requester } = client;
    const owner = { ...requester, party };
    const job = new Job({ id: randomUUID(), request, owner, createdAt: now(), key });
    const stored = this.#persistence.keepWaiting(waiting(job));
    this.#start(job, now);
    return { kind: 'queued', job, stored };
  }

  find(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  history({ name, type, before, limit }: HistoryAsked): PastJobs {
    const ended = [...this.#retention.kept];
    const earlier = ended
      .slice(0, endOf(before, ended))
      .filter(
        ({ request: { question } }) =>
          question.name === name && (type === undefined || question.type === type),
      )
      .reverse();
    const jobs = earlier.slice(0, limit);
    return { jobs, before: earlier.length > limit ? jobs.at(-1)?.id : undefined };
  }

  /** Cancels a job, and resolves once its traversal has ended. Does nothing to one that already had. */
  async cancel(job: Job): Promise<'ended'> {
    const life = this.#lives.get(job);
    life?.cancel.abort();
    await life?.ended;
    return 'ended';
  }

  async count(): Promise<void> {}

  /** How many jobs start before a waiting one; undefined if it does not wait. */
  ahead(job: Job): number | undefined {
    const life = this.#lives.get(job);
    return life && this.#scheduler.ahead(life.cancel.signal);
  }

  get counts(): JobCounts {
    const { count: retained } = this.#retention;
    const { waiting: queued } = this.#scheduler;
    return { queued, running: this.#jobs.size - retained - queued, retained };
  }

  /** Octets of the ended jobs. */
  get retainedBytes(): number {
    return this.#retention.bytes;
  }

  get kind(): JobPersistence['kind'] {
    return this.#persistence.kind;
  }

  get state(): ServiceJobsState {
    const { state } = this.#persistence;
    return state === 'ok' ? { status: state } : { status: state, reason: 'disk' };
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
    await Promise.all([engine.close(), this.#persistence.settled()]);
  }

  #stopAll(): void {
    for (const [job, { cancel, drop }] of this.#lives) {
      if (!isEnded(job.state)) this.#stop(job, cancel);
      drop.abort();
    }
  }

  #stop(job: Job, cancel: AbortController): void {
    if (this.#persistence.kind !== 'memory' && !cancel.signal.aborted) this.#left.add(job);
    cancel.abort();
  }

  #clockOfJob(): () => Date {
    return steadyTime(this.#around.now, this.#around.clock);
  }

  #start(job: Job, now: () => Date): void {
    this.#add(job);
    this.#live(job, (signal) => this.#traverse(job, now, signal));
  }

  /** Runs a job to its end, and then identifies its servers. */
  #live(job: Job, toEnd: (signal: AbortSignal) => Promise<RunTrace>): void {
    const [cancel, drop] = [new AbortController(), new AbortController()];
    const trace = toEnd(cancel.signal);
    const over = trace.then((met) => this.#identify(job, met, drop.signal));
    this.#lives.set(job, { cancel, drop, ended: trace.then(() => {}), over });
  }

  #beginAgain(found: WaitingJob): void {
    const job = new Job(found, { before: found.lastEvent, last: found.lastEvent, blocks: [] });
    job.attempts = found.attempts;
    job.firstStartedAt = found.firstStartedAt;
    const now = this.#clockOfJob();
    if (job.attempts < MOST_ATTEMPTS) {
      this.#start(job, now);
      return;
    }
    this.#add(job);
    this.#live(job, () => this.#end(job, givenUp(job, now()), NOTHING_MET));
  }

  #keepAgain(found: KeptJob): void {
    const { state, servers, owed } = found;
    const { retainMs } = this.#settings;
    const keptUntil = state.finishedAt.getTime() + retainMs;
    const leftMs = Math.max(keptUntil - this.#around.now().getTime(), owed ? OWED_MS : 0);
    if (leftMs <= 0) {
      void this.#persistence.forget(found.id);
      return;
    }
    const job = new Job(found, found.events);
    job.progress = found.progress;
    if (owed) void this.#announce(job, state);
    this.#recordEnd(job, state);
    this.#add(job);
    this.#retention.keep(job, Math.min(leftMs, Math.max(retainMs, OWED_MS)));
    if (servers === undefined) this.#live(job, () => Promise.resolve(found.trace));
    else this.#recordServers(job, servers);
  }

  async #traverse(job: Job, now: () => Date, signal: AbortSignal): Promise<RunTrace> {
    const place = await this.#scheduler.begin(job.party, signal);
    const { engine, clock, notices } = this.#around;
    if (place === 'gone') return await this.#end(job, cancelledBefore(job, now()), NOTHING_MET);
    if (place === 'crowded-out') return await this.#end(job, crowdedOut(job, now()), NOTHING_MET);
    const startedAt = now();
    job.firstStartedAt ??= startedAt;
    notices.started(job, startedAt);
    let keptAt = 0;
    const logged = (event: SerialisedEvent['event']) => {
      if (event !== 'started' && job.events.last - keptAt < EVENTS_UNTIL_KEPT) return;
      keptAt = job.events.last;
      void this.#persistence.keepWaiting(begun(job));
    };
    const around = { engine, clock, now, signal, place, logged, failed: notices.failed };
    const { state, ...trace } = await runJob(job, startedAt, around);
    place.end();
    return await this.#end(job, state, trace);
  }

  /** An end is reported only when it is stored, so that it can be read after a restart. */
  async #end(job: Job, state: Ended, trace: RunTrace): Promise<RunTrace> {
    if (this.#left.has(job)) {
      void this.#persistence.keepWaiting(left(job));
      return NOTHING_MET;
    }
    job.progress = { ...job.progress, pending: 0 };
    const owed = this.#around.notices.announce !== undefined && state.startedAt !== undefined;
    await this.#persistence.keepEnded(ended(job, state, trace, owed));
    this.#recordEnd(job, state);
    this.#around.notices.ended(job, state);
    if (owed) void this.#announce(job, state);
    this.#retention.keep(job);
    return trace;
  }

  /** What the service is cut off from announcing, the next process announces. */
  async #announce(job: Job, state: Ended): Promise<void> {
    const outcome = await this.#around.notices.announce?.(job, state);
    if (outcome !== 'cut-off') await this.#persistence.keepAnnounced(job.id);
  }

  #recordEnd(job: Job, state: Ended): void {
    job.state = state;
    job.events.append('complete', state.conclusion.data);
  }

  /** Identifies the servers that the job met. Nobody waits for this. */
  async #identify(job: Job, trace: RunTrace, signal: AbortSignal): Promise<void> {
    const { engine, clock, notices } = this.#around;
    const around = { engine, clock, fingerprints: this.#fingerprints, failed: notices.failed };
    const servers = await identifiedServers(job, trace, around, signal);
    if (servers === undefined || this.#left.has(job)) {
      job.events.end();
    } else {
      await this.#persistence.keepServers(job.id, servers);
      this.#recordServers(job, servers);
    }
    this.#lives.delete(job);
  }

  #recordServers(job: Job, servers: Buffer): void {
    job.servers = servers;
    job.events.append('servers', servers.toString());
    job.events.end();
    this.#retention.weigh(job);
  }

  #add(job: Job): void {
    this.#jobs.set(job.id, job);
    this.#keys.add(job);
  }

  #forget(job: Job): void {
    this.#jobs.delete(job.id);
    this.#keys.remove(job);
    this.#lives.get(job)?.drop.abort();
    void this.#persistence.forget(job.id);
  }
}

/** How many jobs, in the order in which they ended, ended before a moment or another of them. */
function endOf(before: HistoryAsked['before'], ended: readonly Job[]): number {
  if (before === undefined) return ended.length;
  const isLate = ({ id, state }: Job) =>
    before.kind === 'job' ? id === before.id : isEnded(state) && state.finishedAt >= before.at;
  const late = ended.findIndex(isLate);
  return late < 0 && before.kind === 'time' ? ended.length : Math.max(0, late);
}

/** The switches and promises of a job that is not done. */
interface Life {
  readonly cancel: AbortController;
  /** Stops the fingerprinting too. */
  readonly drop: AbortController;
  /** The end of the traversal. */
  readonly ended: Promise<void>;
  readonly over: Promise<void>;
}

/** How long a job that the service stops has to report what it knows. */
const LAST_WORDS_MS = 1_000;

/** How long an ended job whose webhook is owed stays at least: longer than all attempts at delivering it take. */
const OWED_MS = 60_000;

const NOTHING_FOUND: FoundJobs = { waiting: [], ended: [] };

/**
 * Reads the time of day once and counts on from there, so that setting the host's clock neither changes how
 * long something took nor has it end before it began.
 */
export function steadyTime(now: () => Date, clock: Clock): () => Date {
  const day = now().getTime() - clock.now();
  return () => new Date(day + clock.now());
}
