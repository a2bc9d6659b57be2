/* Follows jobs that run at other instances, for readers of their events here. */

import type { Clock } from '../../../base/clock.ts';
import { getOrMake } from '../../../base/memo.ts';
import { isEnded, type Job } from '../../jobs/job.ts';
import { isStoreTrouble } from '../trouble.ts';
import { type Reading, update } from './reading.ts';

/** What following needs from outside. */
interface FollowSurroundings {
  readonly reading: Reading;
  readonly clock: Clock;
  /** Tells the instance that runs the job that somebody follows it. */
  readonly tell: (id: string) => Promise<void>;
  /** A job has ended, and nobody asks its servers which software they run. */
  readonly orphaned: (id: string) => void;
  readonly failed: (error: unknown) => void;
}

/** How often a job is looked at again while nothing is heard of it. */
const AGAIN_MS = 1_000;

/** The jobs whose events somebody reads here while they run elsewhere. */
export class Following {
  readonly #around: FollowSurroundings;
  readonly #followers = new Map<string, Set<Follower>>();

  constructor(around: FollowSurroundings) {
    this.#around = around;
  }

  /** Keeps a job up to date for as long as somebody reads its events. */
  follow(job: Job): void {
    const follower = new Follower(job, this.#around);
    job.events.audience((presence) => {
      if (presence === 'somebody') this.#begin(follower);
      else this.#stop(follower);
    });
  }

  /** There is news of a job; undefined: there may be some of any. */
  wake(id?: string): void {
    const woken = id === undefined ? [...this.#followers.values()] : [this.#followers.get(id) ?? []];
    for (const some of woken) for (const follower of some) follower.wake();
  }

  /** Brings all jobs up to date once more and ends their events here: whoever reads them goes on at another instance. */
  async end(): Promise<void> {
    const all = [...this.#followers.values()].flatMap((some) => [...some]);
    await Promise.all(all.map((follower) => follower.end()));
  }

  #begin(follower: Follower): void {
    if (follower.job.events.ended) return;
    getOrMake(this.#followers, follower.job.id, () => new Set<Follower>()).add(follower);
    follower.wake();
  }

  #stop(follower: Follower): void {
    follower.stop();
    const { id } = follower.job;
    const some = this.#followers.get(id);
    some?.delete(follower);
    if (some?.size === 0) this.#followers.delete(id);
  }
}

class Follower {
  readonly job: Job;
  readonly #around: FollowSurroundings;
  #cancelTimer: () => void = () => {};
  #state: 'idle' | 'looking' | 'look-again' = 'idle';
  #looked: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(job: Job, around: FollowSurroundings) {
    this.job = job;
    this.#around = around;
  }

  wake(): void {
    this.#stopped = false;
    if (this.#state !== 'idle') {
      this.#state = 'look-again';
      return;
    }
    this.#cancelTimer();
    this.#looked = this.#look();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer();
  }

  async end(): Promise<void> {
    this.stop();
    await this.#looked;
    await this.#look();
    this.job.events.end();
  }

  async #look(): Promise<void> {
    const { clock, failed } = this.#around;
    do {
      this.#state = 'looking';
      try {
        await this.#lookOnce();
      } catch (error) {
        if (!isStoreTrouble(error)) failed(error);
      }
    } while (this.#isToLookAgain());
    this.#state = 'idle';
    if (this.#stopped || this.job.events.ended) return;
    this.#cancelTimer = clock.after(AGAIN_MS, () => {
      // What is lost here costs a follower a preliminary summary.
      this.#around.tell(this.job.id).catch(() => {});
      this.wake();
    });
  }

  #isToLookAgain(): boolean {
    return this.#state === 'look-again' && !this.#stopped;
  }

  async #lookOnce(): Promise<void> {
    const { job } = this;
    const { reading, orphaned } = this.#around;
    const stored = await reading.look(job.id, 'events', isEnded(job.state) ? LAST : job.events.last);
    if (stored === undefined) job.events.end();
    else if (update(job, stored) === 'more') this.#state = 'look-again';
    else if (isEnded(job.state) && job.servers === undefined && !stored.attended) orphaned(job.id);
  }
}

/** After the end there are no more events to read. */
const LAST = 2 ** 31 - 1;
