/* Follows jobs that run at other instances, for readers of their events here. */

import { isEnded, type Job } from '../../jobs/job.ts';
import { Loop } from '../repeating.ts';
import type { SharedSurroundings } from './surroundings.ts';

/** What following needs from outside. */
interface FollowSurroundings extends Pick<SharedSurroundings, 'reading' | 'running' | 'clock' | 'failed'> {
  /** A job has ended, and nobody asks its servers which software they run. */
  readonly orphaned: (id: string) => void;
}

/** How often a job is looked at again while nothing is heard of it, and its instance is told that somebody follows it. */
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
        void this.#stop(follower);
        follower = undefined;
      }
      if (presence === 'nobody' || job.events.ended) return;
      follower = this.#start(job);
      this.#followers.add(follower);
    });
  }

  /** There is news of a job; undefined: there may be some of any. */
  wake(id?: string): void {
    for (const { job, looking } of this.#followers) if (id === undefined || job.id === id) looking.wake();
  }

  /** Brings all jobs up to date once more and ends their events here: whoever reads them goes on at another instance. */
  async end(): Promise<void> {
    const ended = [...this.#followers].map(async (follower) => {
      await this.#stop(follower);
      await this.#look(follower.job).catch(this.#around.failed);
      follower.job.events.end();
    });
    await Promise.all(ended);
  }

  #start(job: Job): Follower {
    const around = { ...this.#around, everyMs: () => AGAIN_MS };
    const looking = new Loop(() => this.#look(job), around);
    const telling = new Loop(() => this.#around.running.tellFollowed(job.id), around);
    looking.wake();
    telling.begin();
    return { job, looking, telling };
  }

  async #stop({ looking, telling }: Follower): Promise<void> {
    await Promise.all([looking.stop(), telling.stop()]);
  }

  async #look(job: Job): Promise<void> {
    const { reading, orphaned } = this.#around;
    const stored = await reading.refresh(job, 'events');
    if (stored === undefined) job.events.end();
    else if (isEnded(job.state) && job.servers === undefined && !stored.attended) orphaned(job.id);
  }
}

/** A reader of a job's events. */
interface Follower {
  readonly job: Job;
  readonly looking: Loop;
  readonly telling: Loop;
}
