/* Takes waiting jobs from the store and runs as many as this instance has slots for. */

import { steadyTime } from '../../jobs/local-jobs.ts';
import type { Scheduler } from '../../jobs/scheduler.ts';
import { Loop } from '../repeating.ts';
import { HeldJob } from './held-job.ts';
import type { EndedJob } from './reading.ts';
import type { SharedSurroundings } from './surroundings.ts';

/** How often an instance with a free slot looks for a job: NOTIFY may lose a hint. */
const LOOK_MS = 500;

/** The jobs that this instance runs: as many as it has slots, and more that only wait for replies (`Scheduler`). */
export class Slots {
  readonly #scheduler: Scheduler;
  readonly #around: SharedSurroundings;
  readonly #ended: (job: EndedJob) => void;
  /** Those that run, with their ends. */
  readonly #held = new Map<string, { readonly job: HeldJob; readonly over: Promise<unknown> }>();
  /** Jobs that ran here and whose end the store refused, even as failed. Attempts at them count. */
  readonly #refused = new Set<string>();
  readonly #looking: Loop;
  /** A suspect runs, or waits to run, alone. */
  #isAlone = false;
  #isToTakeBack = false;
  #open = false;

  constructor(scheduler: Scheduler, around: SharedSurroundings, ended: (job: EndedJob) => void) {
    this.#scheduler = scheduler;
    this.#around = around;
    this.#ended = ended;
    this.#looking = new Loop(() => this.#look(), { ...around, everyMs: () => LOOK_MS });
  }

  /** How many jobs it could take. */
  get free(): number {
    return this.#open && !this.#isAlone ? this.#scheduler.room : 0;
  }

  /** Resolves when nothing is being taken. */
  get filled(): Promise<void> {
    return this.#looking.idle;
  }

  /** The ids of the jobs that run here. */
  get ids(): readonly string[] {
    return [...this.#held.keys()];
  }

  /** A job that runs here. */
  held(id: string): HeldJob | undefined {
    return this.#held.get(id)?.job;
  }

  begin(): void {
    this.#open = true;
    this.#looking.wake();
  }

  /** Takes as many jobs as there are and have room. */
  fill(): void {
    if (this.free > 0) this.#looking.wake();
  }

  /** Has jobs wait again that nobody runs. */
  takeBack(): void {
    this.#isToTakeBack = true;
    this.#looking.wake();
  }

  /** Stops all that run, for other instances to begin them again. */
  leave(): void {
    for (const { job } of this.#held.values()) job.leave();
  }

  /** Takes nothing more. Resolves when all that ran have ended, or are left. */
  async close(): Promise<void> {
    this.#open = false;
    await this.#looking.stop();
    while (this.#held.size > 0) await Promise.allSettled([...this.#held.values()].map(({ over }) => over));
  }

  /** Takes back first, and never while a job is being taken, which it would not know. */
  async #look(): Promise<void> {
    if (this.#isToTakeBack) {
      this.#isToTakeBack = false;
      const { upkeep, notices } = this.#around;
      for (const job of await upkeep.takeBack(this.ids, [...this.#refused])) notices.interrupted(job);
    }
    while (this.free > 0 && (await this.#take()));
  }

  async #take(): Promise<boolean> {
    const { running, clock, unreadable, failed } = this.#around;
    const now = steadyTime(this.#around.now, clock);
    const startedAt = now();
    const taken = await running.take(startedAt, unreadable.ids);
    if (taken === undefined) return false;
    const others = Promise.allSettled([...this.#held.values()].map(({ over }) => over));
    const around = { ...this.#around, scheduler: this.#scheduler, now };
    const job = unreadable.read(taken.id, () => new HeldJob(taken, around));
    if (job === undefined) {
      await running.leave(taken);
      return true;
    }
    this.#isAlone = taken.suspect;
    if (!this.#open) job.leave();
    const run = async () => {
      const ended = await job.run(startedAt, others).catch((error: unknown) => {
        this.#refused.add(taken.id);
        throw error;
      });
      // Before it is forgotten here, so that at every moment somebody here knows of its end.
      if (ended !== undefined) this.#ended(ended);
    };
    const over = run().finally(() => {
      this.#held.delete(taken.id);
      if (taken.suspect) this.#isAlone = false;
      this.fill();
    });
    this.#held.set(taken.id, { job, over });
    over.catch(failed);
    return true;
  }
}
