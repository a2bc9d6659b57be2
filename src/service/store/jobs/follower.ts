/* Follows jobs that run at other instances, for readers of their events here. */

import { isEnded, type Job } from '../../jobs/job.ts';
import { Loop } from '../repeating.ts';
import type { Reading } from './reading.ts';
import type { Running } from './running.ts';
import type { SharedSurroundings } from './surroundings.ts';

/** What following needs from outside. */
interface FollowSurroundings extends Pick<SharedSurroundings, 'clock' | 'failed'> {
  readonly reading: Pick<Reading, 'find'>;
  readonly running: Pick<Running, 'tellFollowed'>;
  /** A job has ended, and nobody asks its servers which software they run. */
  readonly orphaned: (id: string) => void;
}

/** How often a job is looked at again while nothing is heard of it, and other instances are told which jobs somebody follows. */
const AGAIN_MS = 1_000;

/** The jobs whose events somebody reads here while they run elsewhere. */
export class Following {
  readonly #around: FollowSurroundings;
  readonly #followers = new Set<Follower>();
  readonly #telling: Loop;

  constructor(around: FollowSurroundings) {
    this.#around = around;
    this.#telling = new Loop(() => this.#tell(), { ...around, everyMs: () => AGAIN_MS });
  }

  /** Begins to tell other instances. */
  begin(): void {
    this.#telling.begin();
  }

  /** The job with this id if somebody reads its events here, as it was at the last look. */
  followed(id: string): Job | undefined {
    return [...this.#followers].find(({ job }) => job.id === id)?.job;
  }

  /** Keeps a job up to date for as long as somebody reads its events. */
  follow(job: Job): void {
    let follower: Follower | undefined;
    job.events.onReaders((readers) => {
      if (follower !== undefined) {
        this.#followers.delete(follower);
        void follower.looking.stop();
        follower = undefined;
      }
      if (readers === 'none' || job.events.ended) return;
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
    const ended = [...this.#followers].map(async ({ job, looking }) => {
      await looking.stop();
      await this.#look(job).catch(this.#around.failed);
      job.events.end();
    });
    await Promise.all([this.#telling.stop(), ...ended]);
  }

  #start(job: Job): Follower {
    const look = async () => {
      await this.#look(job);
      // A slow reader may still be there.
      if (job.events.ended) void looking.stop();
    };
    const looking = new Loop(look, { ...this.#around, everyMs: () => AGAIN_MS });
    looking.wake();
    return { job, looking };
  }

  /** However many follow a job here, its instance is told once. */
  async #tell(): Promise<void> {
    const jobs = [...this.#followers].map(({ job }) => job).filter(({ state }) => !isEnded(state));
    const ids = new Set(jobs.map(({ id }) => id));
    if (ids.size > 0) await this.#around.running.tellFollowed([...ids]);
  }

  async #look(job: Job): Promise<void> {
    const { reading, orphaned } = this.#around;
    const found = await reading.find(job.id, 'events', job);
    if (found === undefined || found === 'unreadable') job.events.end();
    else if (isEnded(job.state) && job.servers === undefined && !found.attended) orphaned(job.id);
  }
}

/** A reader of a job's events. */
interface Follower {
  readonly job: Job;
  readonly looking: Loop;
}
