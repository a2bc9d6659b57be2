/* Takes waiting jobs from the store and runs as many as this instance has slots for. */

import type { Clock } from '../../../base/clock.ts';
import type { Ended, Engine, Job } from '../../jobs/job.ts';
import type { JobNotices } from '../../jobs/jobs.ts';
import { steadyTime } from '../../jobs/local-jobs.ts';
import type { RunTrace } from '../../jobs/run-job.ts';
import type { Scheduler } from '../../jobs/scheduler.ts';
import { isStoreTrouble } from '../trouble.ts';
import { HeldJob } from './held-job.ts';
import { again } from './retrying.ts';
import type { Running } from './running.ts';
import type { Upkeep } from './upkeep.ts';

/** What slots need from outside. */
interface SlotSurroundings {
  readonly engine: Engine;
  readonly clock: Clock;
  /** The time of day. */
  readonly now: () => Date;
  readonly notices: JobNotices;
  readonly running: Running;
  /** No reply of the store is waited for any longer. */
  readonly over: AbortSignal;
  readonly failed: (error: unknown) => void;
}

/** How often an instance with a free slot looks for a job: NOTIFY may lose a hint. */
const LOOK_MS = 500;

/** The jobs that this instance runs: as many as it has slots, and more that only wait for replies (`Scheduler`). */
export class Slots {
  readonly #scheduler: Scheduler;
  readonly #around: SlotSurroundings;
  readonly #ended: (job: Job, state: Ended, trace: RunTrace) => void;
  /** Those that run, with their ends. */
  readonly #held = new Map<string, { readonly job: HeldJob; readonly over: Promise<unknown> }>();
  /** A suspect runs, or waits to run, alone. */
  #isAlone = false;
  /** Taking jobs, and whatever must not happen at the same time. */
  #taking: Promise<unknown> = Promise.resolve();
  #isToTake: 'no' | 'soon' = 'no';
  #stopLooking: () => void = () => {};
  #open = false;

  constructor(
    scheduler: Scheduler,
    around: SlotSurroundings,
    ended: (job: Job, state: Ended, trace: RunTrace) => void,
  ) {
    this.#scheduler = scheduler;
    this.#around = around;
    this.#ended = ended;
  }

  /** How many jobs it could take. */
  get free(): number {
    return this.#open && !this.#isAlone ? this.#scheduler.room : 0;
  }

  /** Resolves when nothing is being taken. */
  get filled(): Promise<unknown> {
    return this.#taking;
  }

  /** A job that runs here. */
  held(id: string): HeldJob | undefined {
    return this.#held.get(id)?.job;
  }

  begin(): void {
    this.#open = true;
    this.fill();
    this.#stopLooking = again(async () => this.fill(), LOOK_MS, this.#around.clock);
  }

  /** Takes as many jobs as there are and have room. */
  fill(): void {
    if (this.#isToTake === 'soon' || this.free === 0) return;
    this.#isToTake = 'soon';
    this.#inTurn(async () => {
      this.#isToTake = 'no';
      while (this.free > 0 && (await this.#take()));
    });
  }

  /** Has jobs wait again that nobody runs. Returns how many. */
  takeBack(upkeep: Upkeep): Promise<number> {
    return this.#inTurn(async () => {
      const { count, interrupted } = await upkeep.takeBack([...this.#held.keys()]);
      for (const job of interrupted) this.#around.notices.interrupted(job);
      return count;
    });
  }

  /** Stops all that run, for other instances to begin them again. */
  leave(): void {
    for (const { job } of this.#held.values()) job.leave();
  }

  /** Takes nothing more. Resolves when all that ran have ended, or are left. */
  async close(): Promise<void> {
    this.#open = false;
    this.#stopLooking();
    await this.#taking;
    while (this.#held.size > 0) await Promise.allSettled([...this.#held.values()].map(({ over }) => over));
  }

  async #inTurn<T>(what: () => Promise<T>): Promise<T | 0> {
    const done = this.#taking.then(what).catch((error: unknown) => {
      if (!isStoreTrouble(error)) this.#around.failed(error);
      return 0 as const;
    });
    this.#taking = done;
    return await done;
  }

  async #take(): Promise<boolean> {
    const { running, clock, over: signal } = this.#around;
    const now = steadyTime(this.#around.now, clock);
    const startedAt = now();
    const taken = await running.take(startedAt);
    if (taken === undefined) return false;
    const others = Promise.allSettled([...this.#held.values()].map(({ over }) => over));
    const job = new HeldJob(taken, { ...this.#around, scheduler: this.#scheduler, now, signal });
    this.#isAlone = taken.suspect;
    if (!this.#open) job.leave();
    const over = job.run(startedAt, others).finally(() => {
      this.#held.delete(taken.id);
      if (taken.suspect) this.#isAlone = false;
      this.fill();
    });
    this.#held.set(taken.id, { job, over });
    over.then(
      (held) => {
        if (held.kind === 'ended') this.#ended(held.job, held.state, held.trace);
      },
      (error: unknown) => this.#around.failed(error),
    );
    return true;
  }
}
