/* Follows jobs that run at other instances, for readers of their events here. */

import { isEnded, type Job } from '../../jobs/job.ts';
import { Loop } from '../repeating.ts';
import type { SharedSurroundings } from './surroundings.ts';

/** What following needs from outside. */
interface FollowSurroundings extends Pick<SharedSurroundings, 'reading' | 'clock' | 'failed'> {
  /** Tells the instance that runs the job that somebody follows it. */
  readonly tell: (id: string) => Promise<void>;
  /** A job has ended, and nobody asks its servers which software they run. */
  readonly orphaned: (id: string) => void;
}

/** How often a job is looked at again while nothing is heard of it. */
const AGAIN_MS = 1_000;

/** The jobs whose events somebody reads here while they run elsewhere. */
export class Following {
  readonly #around: FollowSurroundings;
  readonly #followers = new Set<Follower>();

  constructor(around: FollowSurroundings) {
    this.#around = around;
  }

  /** Keeps a job up to date for as long as somebody reads its events. */
  follow(job: Job): void {
    let follower: Follower | undefined;
    job.events.audience((presence) => {
      if (follower !== undefined) {
        this.#followers.delete(follower);
        void follower.stop();
        follower = undefined;
      }
      if (presence === 'nobody' || job.events.ended) return;
      follower = new Follower(job, this.#around);
      this.#followers.add(follower);
      follower.wake();
    });
  }

  /** There is news of a job; undefined: there may be some of any. */
  wake(id?: string): void {
    for (const follower of this.#followers) if (id === undefined || follower.job.id === id) follower.wake();
  }

  /** Brings all jobs up to date once more and ends their events here: whoever reads them goes on at another instance. */
  async end(): Promise<void> {
    await Promise.all([...this.#followers].map((follower) => follower.end()));
  }
}

class Follower {
  readonly job: Job;
  readonly #around: FollowSurroundings;
  readonly #looking: Loop;
  #toldAt: number;

  constructor(job: Job, around: FollowSurroundings) {
    this.job = job;
    this.#around = around;
    this.#toldAt = around.clock.now();
    this.#looking = new Loop(() => this.#look(), { ...around, everyMs: () => AGAIN_MS });
  }

  wake(): void {
    this.#looking.wake();
  }

  stop(): Promise<void> {
    return this.#looking.stop();
  }

  async end(): Promise<void> {
    await this.stop();
    await this.#look().catch(this.#around.failed);
    this.job.events.end();
  }

  async #look(): Promise<void> {
    const { job } = this;
    const { reading, orphaned } = this.#around;
    this.#tell();
    const stored = await reading.refresh(job, 'events');
    if (stored === undefined) job.events.end();
    else if (isEnded(job.state) && job.servers === undefined && !stored.attended) orphaned(job.id);
  }

  #tell(): void {
    const now = this.#around.clock.now();
    if (now - this.#toldAt < AGAIN_MS) return;
    this.#toldAt = now;
    // What is lost here costs a follower a preliminary summary.
    this.#around.tell(this.job.id).catch(() => {});
  }
}
