/* Runs one job of the store at this instance, from its first event to its stored result. */

import { failedEnd, Job } from '../../jobs/job.ts';
import { cancelledBefore, givenUp, MOST_ATTEMPTS } from '../../jobs/persistence.ts';
import { BUG, NOTHING_MET, runJob } from '../../jobs/run-job.ts';
import type { Scheduler } from '../../jobs/scheduler.ts';
import { Outbox } from './outbox.ts';
import { acceptedFrom, type EndedJob } from './reading.ts';
import type { Stored, TakenJob } from './running.ts';
import type { SharedSurroundings } from './surroundings.ts';

/** What running a job needs from outside. `now` is the time of day as the job sees it. */
interface HoldSurroundings extends SharedSurroundings {
  readonly scheduler: Scheduler;
}

/** A job that this instance runs. */
export class HeldJob {
  readonly #job: Job;
  readonly #taken: TakenJob;
  readonly #around: HoldSurroundings;
  readonly #stop = new AbortController();
  readonly #outbox: Outbox;
  #fate: 'to-end' | 'to-leave' | 'lost' = 'to-end';

  constructor(taken: TakenJob, around: HoldSurroundings) {
    const { last, attempts, firstStartedAt, exchanges, head, region } = taken;
    this.#taken = taken;
    this.#around = around;
    this.#job = new Job(acceptedFrom(head), { before: last, last, blocks: [] });
    this.#job.attempts = attempts;
    this.#job.region = region ?? undefined;
    this.#job.firstStartedAt = firstStartedAt;
    this.#job.progress = { exchanges, pending: 0 };
    const told = { lost: () => this.#lose(), cancelled: () => this.cancel() };
    this.#outbox = new Outbox(this.#job, taken, { ...around, ...told });
  }

  cancel(): void {
    this.#stop.abort();
  }

  /** Stops it, for another instance to begin it again. */
  leave(): void {
    if (this.#stop.signal.aborted) return;
    this.#fate = 'to-leave';
    this.#stop.abort();
  }

  /** Somebody follows it at another instance. */
  followed(): void {
    this.#outbox.followed();
  }

  /**
   * Runs it, once `alone` has resolved if it is a suspect. Resolves when its end is stored; undefined if another instance has it
   * next.
   */
  async run(startedAt: Date, alone: Promise<unknown>): Promise<EndedJob | undefined> {
    if (this.#taken.suspect && !(await this.#beginAlone(alone))) this.#lose();
    const ended = await this.#outcome(startedAt);
    await this.#outbox.close();
    switch (this.#fate) {
      case 'to-end':
        return await this.#end(ended, Number.POSITIVE_INFINITY).catch((error: unknown) =>
          this.#fail(ended, error),
        );
      case 'to-leave':
        await this.#putBack();
        return undefined;
      case 'lost':
        return undefined;
    }
  }

  async #beginAlone(alone: Promise<unknown>): Promise<boolean> {
    await alone;
    const { running, now, stored } = this.#around;
    const begun = await stored(() => running.beginAlone(this.#taken, now()));
    return begun === 'begun';
  }

  async #outcome(startedAt: Date): Promise<EndedJob> {
    const job = this.#job;
    const { attempts, cancelled } = this.#taken;
    const { engine, clock, now, notices, scheduler } = this.#around;
    const { signal } = this.#stop;
    const untried = (end: typeof givenUp) => ({ job, state: end(job, now()), trace: NOTHING_MET });
    if (cancelled || signal.aborted) return untried(cancelledBefore);
    if (attempts >= MOST_ATTEMPTS) return untried(givenUp);
    const place = await scheduler.begin(job.party, signal);
    if (typeof place === 'string') return untried(cancelledBefore);
    notices.started(job, startedAt);
    // The outbox keeps the events.
    const around = { engine, clock, now, signal, place, logged: () => {}, failed: notices.failed };
    const { state, ...trace } = await runJob(job, startedAt, around);
    place.end();
    return { job, state, trace };
  }

  /** The store refuses the end through a bug, as it would again: the job has failed, without the events not stored yet. */
  async #fail({ job, state, trace }: EndedJob, error: unknown): Promise<EndedJob | undefined> {
    const { notices, now } = this.#around;
    notices.failed(job, error);
    return await this.#end({ job, state: failedEnd(state.startedAt, now(), BUG), trace }, 0);
  }

  async #end(ended: EndedJob, eventBytes: number): Promise<EndedJob | undefined> {
    const { job, state } = ended;
    job.progress = { ...job.progress, pending: 0 };
    const stored = await this.#around.stored(() => this.#endOnce(ended, eventBytes));
    if (stored !== 'ended') return undefined;
    job.state = state;
    this.#around.notices.ended(job, state);
    return ended;
  }

  async #endOnce(ended: EndedJob, eventBytes: number): Promise<Stored['kind']> {
    for (;;) {
      const stored = await this.#around.running.end(this.#taken, this.#outbox.batch(eventBytes), ended);
      if (stored.kind !== 'elsewhere') return stored.kind;
      this.#outbox.storedTo(stored.last);
    }
  }

  /** That it was stopped is neither an event nor an attempt: the events after the last that is stored are void. */
  async #putBack(): Promise<void> {
    const { running, stored } = this.#around;
    await stored(() => running.leave(this.#taken));
  }

  #lose(): void {
    this.#fate = 'lost';
    this.#stop.abort();
  }
}
