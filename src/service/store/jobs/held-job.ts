/* Runs one job of the store at this instance, from its first event to its stored result. */

import { type Ended, Job } from '../../jobs/job.ts';
import { cancelledBefore, givenUp, MOST_ATTEMPTS } from '../../jobs/persistence.ts';
import { type RunTrace, runJob } from '../../jobs/run-job.ts';
import type { Scheduler } from '../../jobs/scheduler.ts';
import { Outbox } from './outbox.ts';
import { acceptedFrom, type EndedJob } from './reading.ts';
import { NOTHING_MET, type Stored, type TakenJob } from './running.ts';
import type { SharedSurroundings } from './surroundings.ts';

/** What running a job needs from outside. `now` is the time of day as the job sees it. */
interface HoldSurroundings extends SharedSurroundings {
  readonly scheduler: Scheduler;
}

/** What became of a job that this instance ran. */
type Held =
  | ({ readonly kind: 'ended' } & EndedJob)
  /** It waits for another instance. */
  | { readonly kind: 'left' }
  /** Another instance has it by now, or the store could not be told. */
  | { readonly kind: 'lost' };

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

  /** Runs it, once `alone` has resolved if it is a suspect. Resolves when the outcome is stored. */
  async run(startedAt: Date, alone: Promise<unknown>): Promise<Held> {
    if (this.#taken.suspect && !(await this.#beginAlone(alone))) this.#lose();
    const { state, ...trace } = await this.#outcome(startedAt);
    await this.#outbox.close();
    switch (this.#fate) {
      case 'to-end':
        return await this.#end(state, trace);
      case 'to-leave':
        return await this.#putBack();
      case 'lost':
        return { kind: 'lost' };
    }
  }

  async #beginAlone(alone: Promise<unknown>): Promise<boolean> {
    await alone;
    const { running, now, stored } = this.#around;
    const begun = await stored(() => running.beginAlone(this.#taken, now()));
    return begun === 'begun';
  }

  async #outcome(startedAt: Date): Promise<RunTrace & { readonly state: Ended }> {
    const { attempts, cancelled } = this.#taken;
    const { engine, clock, now, notices, scheduler } = this.#around;
    const { signal } = this.#stop;
    if (cancelled || signal.aborted) return { state: cancelledBefore(this.#job, now()), ...NOTHING_MET };
    if (attempts >= MOST_ATTEMPTS) return { state: givenUp(this.#job, now()), ...NOTHING_MET };
    const place = await scheduler.begin(this.#job.party, signal);
    if (typeof place === 'string') return { state: cancelledBefore(this.#job, now()), ...NOTHING_MET };
    notices.started(this.#job, startedAt);
    const { audience } = this.#outbox;
    // The outbox keeps the events.
    const around = { engine, clock, now, signal, audience, place, logged: () => {}, failed: notices.failed };
    const outcome = await runJob(this.#job, startedAt, around);
    place.end();
    return outcome;
  }

  async #end(state: Ended, trace: RunTrace): Promise<Held> {
    const job = this.#job;
    job.progress = { ...job.progress, pending: 0 };
    const stored = await this.#around.stored(() => this.#endOnce(state, trace));
    if (stored !== 'ended') return { kind: 'lost' };
    job.state = state;
    this.#around.notices.ended(job, state);
    return { kind: 'ended', job, state, trace };
  }

  async #endOnce(state: Ended, trace: RunTrace): Promise<Stored['kind']> {
    for (;;) {
      const stored = await this.#around.running.end(this.#taken, this.#outbox.left, this.#job, state, trace);
      if (stored.kind !== 'elsewhere') return stored.kind;
      this.#outbox.storedTo(stored.last);
    }
  }

  /** That it was stopped is neither an event nor an attempt: the events after the last that is stored are void. */
  async #putBack(): Promise<Held> {
    const { running, stored } = this.#around;
    const left = await stored(() => running.leave(this.#taken, this.#taken.attempts));
    return { kind: left === 'left' ? 'left' : 'lost' };
  }

  #lose(): void {
    this.#fate = 'lost';
    this.#stop.abort();
  }
}
