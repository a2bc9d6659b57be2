import { DelayedError, Queue, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import type { StoreConnection } from '../connection/connect.ts';
import { STORE_PREFIX } from '../connection/script.ts';
import type { JobTurn } from './life-scripts.ts';

/** What came of handing a job to this instance. */
export type HandedOver =
  /** Nothing more is to be done. */
  | 'done'
  /** It cannot be run now: look again after a while. */
  | 'held'
  /** It is to wait for another instance. */
  | 'left';

/** What is told of a queue. */
interface QueueListener {
  readonly run: (id: string) => Promise<HandedOver>;
  readonly failed: (error: Error) => void;
}

const NAME = 'traversals';

/** The greatest that BullMQ takes: what has a greater number waits longer. */
const MOST_PRIORITY = 2_097_152;

/** An instance that does not renew its claim for so long is held to be dead. */
const LOCK_MS = 5_000;

/** How often an instance renews its claims. */
const RENEW_MS = 1_500;

/** How often somebody looks for jobs of dead instances. */
const STALLED_EVERY_MS = 1_500;

/** When a job is looked at again that cannot be run. */
const HELD_MS = 1_000;

/** Attempts are counted elsewhere. */
const ANY_NUMBER = 1_000_000;

/** The queue in which jobs wait for an instance that has room: BullMQ's. It knows them by their identifiers alone. */
export class WorkQueue {
  readonly #connection: StoreConnection;
  readonly #listener: QueueListener;
  readonly #queue: Queue;
  #worker: Worker | undefined;
  /** What is handed over, with the token that claims it. */
  readonly #claimed = new Map<string, string>();
  #renewing: NodeJS.Timeout | undefined;

  constructor(connection: StoreConnection, listener: QueueListener) {
    this.#connection = connection;
    this.#listener = listener;
    this.#queue = new Queue(NAME, {
      ...COMMON,
      connection: connection.commands,
      streams: { events: { maxLen: 100 } },
    });
    this.#queue.on('error', (error) => this.#tell(error));
  }

  /** Lets a job wait. A party is the later served the more it has in the queue and running. */
  async add({ id, ofParty }: JobTurn): Promise<void> {
    const priority = Math.min(Math.max(1, ofParty), MOST_PRIORITY);
    await this.#queue.add(
      'traverse',
      {},
      { jobId: id, priority, removeOnComplete: true, removeOnFail: true },
    );
  }

  /** Takes a job out that waits no longer. One that somebody is about to run stays. */
  async remove(id: string): Promise<void> {
    await this.#queue.remove(id);
  }

  /** What the keys of all jobs in the queue begin with. */
  get key(): string {
    return this.#queue.toKey('');
  }

  /** Runs jobs from now on, so many at once. */
  begin(concurrency: number): void {
    const worker = new Worker(NAME, async (job, token) => await this.#process(job, token), {
      ...COMMON,
      connection: this.#connection.openPatient(),
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_EVERY_MS,
      maxStalledCount: ANY_NUMBER,
      runRetryDelay: 500,
      // BullMQ would go on with it until it has heard of the store once more, and the process with it.
      skipLockRenewal: true,
    });
    worker.on('error', (error) => this.#tell(error));
    this.#worker = worker;
    this.#renewing = setInterval(() => void this.#renew(worker), RENEW_MS);
  }

  /** Takes no more jobs; those that run go on. */
  async pause(): Promise<void> {
    await this.#worker?.pause(true);
  }

  /** Resolves once all that was handed over is done with. */
  async close(): Promise<void> {
    clearInterval(this.#renewing);
    await this.#worker?.close();
    await this.#queue.close();
  }

  async #renew(worker: Worker): Promise<void> {
    if (this.#claimed.size === 0) return;
    const tokens = [...this.#claimed.values()];
    await worker
      .extendJobLocks([...this.#claimed.keys()], tokens, LOCK_MS)
      .catch((error: Error) => this.#tell(error));
  }

  #tell(error: Error): void {
    if (!TAKEN_OVER.test(error.message)) this.#listener.failed(error);
  }

  async #process(job: QueuedJob, token: string | undefined): Promise<void> {
    const { id } = job;
    if (id === undefined || token === undefined) throw new UnrecoverableError('a job without an identifier');
    this.#claimed.set(id, token);
    const handed = await this.#listener.run(id).finally(() => {
      if (this.#claimed.get(id) === token) this.#claimed.delete(id);
    });
    switch (handed) {
      case 'done':
        return;
      case 'held':
        await job.moveToDelayed(Date.now() + HELD_MS, token);
        throw new DelayedError();
      case 'left':
        await job.moveToWait(token);
        throw new WaitingError();
    }
  }
}

/**
 * What BullMQ says when an instance was late in renewing its claim, and another has taken a job over or is done with it. That
 * harms nothing: whose job it is the store decides at every write.
 */
const TAKEN_OVER =
  /^(could not renew lock|Missing (key|lock)|Lock mismatch|Job .* is not in the active state)/;

/** What BullMQ hands over. */
interface QueuedJob {
  readonly id?: string | undefined;
  readonly moveToDelayed: (timestamp: number, token?: string) => Promise<void>;
  readonly moveToWait: (token?: string) => Promise<number>;
}

const COMMON = {
  prefix: `${STORE_PREFIX}:queue`,
  // Looked at when the service started.
  skipVersionCheck: true,
};
