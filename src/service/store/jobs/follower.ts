import type { Clock } from '../../../base/clock.ts';
import { getOrMake } from '../../../base/memo.ts';
import { isEnded, type Job } from '../../jobs/job.ts';
import type { StoreConnection } from '../connection/connect.ts';
import { storeKey } from '../connection/script.ts';
import type { StoreClient } from '../connection/store-client.ts';
import { isStoreTrouble } from '../connection/trouble.ts';
import type { JobRecords } from './job-records.ts';
import { mirror } from './mirror.ts';

/** What is kept up to date because somebody reads its events here. */
export type Followers = Set<Pick<Follower, 'end'>>;

/** What following needs from outside. */
interface FollowSurroundings {
  /** Those who follow at the moment. */
  readonly followers: Followers;
  readonly records: JobRecords;
  readonly news: News;
  readonly clock: Clock;
  /** A job has ended, and nobody asks what its servers are. */
  readonly orphaned: (id: string) => void;
  readonly failed: (error: unknown) => void;
}

/** How often a job is looked at again while nothing is heard of it. */
const AGAIN_MS = 2_000;

/** Keeps a job that is run elsewhere up to date, for as long as somebody reads its events. */
export function follow(job: Job, around: FollowSurroundings): void {
  const follower = new Follower(job, around);
  job.events.audience((presence) => {
    if (presence === 'somebody') follower.begin();
    else follower.stop();
  });
}

class Follower {
  readonly #job: Job;
  readonly #around: FollowSurroundings;
  #unlisten: (() => void) | undefined;
  #cancelTimer: () => void = () => {};
  #state: 'idle' | 'looking' | 'look-again' = 'idle';
  #looked: Promise<void> = Promise.resolve();

  constructor(job: Job, around: FollowSurroundings) {
    this.#job = job;
    this.#around = around;
  }

  begin(): void {
    if (this.#unlisten !== undefined || this.#job.events.ended) return;
    this.#around.followers.add(this);
    this.#unlisten = this.#around.news.listen(storeKey('news', this.#job.id), () => this.#wake());
  }

  /** Brings the job up to date once more and ends its events here: whoever reads them goes on at another instance. */
  async end(): Promise<void> {
    this.stop();
    await this.#looked;
    await this.#look();
    this.#job.events.end();
  }

  stop(): void {
    this.#around.followers.delete(this);
    this.#unlisten?.();
    this.#unlisten = undefined;
    this.#cancelTimer();
  }

  #wake(): void {
    if (this.#state !== 'idle') {
      this.#state = 'look-again';
      return;
    }
    this.#cancelTimer();
    this.#looked = this.#look();
  }

  async #look(): Promise<void> {
    do {
      this.#state = 'looking';
      try {
        await this.#lookOnce();
      } catch (error) {
        if (!isStoreTrouble(error)) this.#around.failed(error);
      }
    } while (this.#isToLookAgain());
    this.#state = 'idle';
    if (this.#job.events.ended) this.stop();
    else if (this.#unlisten !== undefined)
      this.#cancelTimer = this.#around.clock.after(AGAIN_MS, () => this.#wake());
  }

  #isToLookAgain(): boolean {
    return this.#state === 'look-again' && this.#unlisten !== undefined;
  }

  async #lookOnce(): Promise<void> {
    const job = this.#job;
    const stored = await this.#around.records.look(
      job.id,
      'events',
      isEnded(job.state) ? LAST : job.events.last,
    );
    if (stored === undefined) {
      job.events.end();
      return;
    }
    if (mirror(stored, job) === 'more') this.#state = 'look-again';
    else if (isEnded(job.state) && job.servers === undefined && stored.identifying === 'nobody')
      this.#around.orphaned(job.id);
  }
}

/** After the end there are no more events to fetch. */
const LAST = Number.MAX_SAFE_INTEGER;

/** Is told a message, or undefined when some may have been missed. */
type Listener = (message: string | undefined) => void;

/** What instances tell each other through the store. It is not kept: whoever was away has missed it. */
export class News {
  readonly #client: StoreClient;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(connection: StoreConnection) {
    this.#client = connection.openPatient();
    this.#client.on('message', (channel: string, message: string) => this.#tell(channel, message));
    this.#client.on('ready', () => {
      for (const channel of this.#listeners.keys()) void this.#subscribe(channel);
    });
  }

  /** Listens to a channel until the function it returns is called. `told` is called with undefined once it does. */
  listen(channel: string, told: Listener): () => void {
    const listeners = getOrMake(this.#listeners, channel, () => new Set<Listener>());
    listeners.add(told);
    void this.#subscribe(channel);
    return () => {
      listeners.delete(told);
      if (listeners.size > 0 || this.#listeners.get(channel) !== listeners) return;
      this.#listeners.delete(channel);
      this.#client.unsubscribe(channel).catch(() => {});
    };
  }

  close(): void {
    this.#listeners.clear();
    this.#client.disconnect();
  }

  async #subscribe(channel: string): Promise<void> {
    try {
      await this.#client.subscribe(channel);
    } catch {
      // The connection is closed, or will be ready again, and then it is tried again.
      return;
    }
    this.#tell(channel, undefined);
  }

  #tell(channel: string, message: string | undefined): void {
    for (const told of this.#listeners.get(channel) ?? []) told(message);
  }
}
