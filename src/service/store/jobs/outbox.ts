import type { Clock } from '../../../base/clock.ts';
import { deflated } from '../../../base/packing.ts';
import type { FollowerPresence, Followers } from '../../../traversal/threads/messages.ts';
import type { Job } from '../../jobs/job.ts';
import { isStoreTrouble } from '../connection/trouble.ts';
import type { EventBlock, JobRecords, Term } from './job-records.ts';
import type { Appended } from './life-scripts.ts';

/** Who is told what the store says when it is given events. */
interface OutboxListener {
  /** The job is no longer this instance's. */
  readonly lost: () => void;
  /** Somebody has cancelled it. */
  readonly cancelled: () => void;
  readonly failed: (error: unknown) => void;
}

/** How often events are stored while there are any. */
const EVERY_MS = 100;

/** Octets of events, before they are deflated, that are stored at once. */
const BATCH_BYTES = 64 * 1024;

/** Passes the events of a running job on to the store, a batch at a time. While the store is away they wait here. */
export class Outbox {
  readonly #job: Job;
  readonly #term: Term;
  readonly #records: JobRecords;
  readonly #clock: Clock;
  readonly #listener: OutboxListener;
  readonly #tellers = new Set<(presence: FollowerPresence) => void>();
  #presence: FollowerPresence = 'nobody';
  #sent: number;
  #cancelTimer: () => void = () => {};
  #sending: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(job: Job, term: Term, around: { records: JobRecords; clock: Clock }, listener: OutboxListener) {
    this.#job = job;
    this.#term = term;
    this.#records = around.records;
    this.#clock = around.clock;
    this.#listener = listener;
    this.#sent = job.events.last;
    this.#schedule();
  }

  /** Whether somebody follows the job, at whichever instance. */
  readonly audience: Followers = (tell) => {
    this.#tellers.add(tell);
    tell(this.#presence);
    return () => {
      this.#tellers.delete(tell);
    };
  };

  /** Somebody has begun to follow the job. */
  followed(): void {
    this.#attend('somebody');
  }

  /** Stops passing events on. What is left over is for the caller to store. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer();
    await this.#sending;
  }

  /** All events that have not been stored. */
  get left(): EventBlock {
    return this.#block(Number.POSITIVE_INFINITY);
  }

  /** The store says which event is the last that it has. */
  storedTo(last: number): void {
    this.#sent = last;
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#cancelTimer = this.#clock.after(EVERY_MS, () => {
      this.#sending = this.#send().then(() => this.#schedule());
    });
  }

  async #send(): Promise<void> {
    while (!this.#closed && this.#sent < this.#job.events.last) {
      const block = this.#block(BATCH_BYTES);
      try {
        const appended = await this.#records.append(this.#term, block, this.#job);
        this.#note(appended, block);
      } catch (error) {
        if (!isStoreTrouble(error)) this.#listener.failed(error);
        return;
      }
    }
  }

  #note(appended: Appended, { last }: EventBlock): void {
    switch (appended.kind) {
      case 'kept':
        this.#sent = last;
        this.#attend(appended.followers > 0 ? 'somebody' : 'nobody');
        if (appended.wish === 'cancel') this.#listener.cancelled();
        return;
      case 'elsewhere':
        this.#sent = appended.last;
        return;
      case 'lost':
        this.#closed = true;
        this.#listener.lost();
    }
  }

  /** Events that have not been stored, no more than fit into so many octets, but at least one if there is one. */
  #block(bytes: number): EventBlock {
    const { events } = this.#job;
    const frames: string[] = [];
    let size = 0;
    for (let at = this.#sent; at < events.last && size < bytes; at = this.#sent + frames.length) {
      const more = events.framesAfter(at, bytes - size);
      frames.push(...more);
      size += more.reduce((sum, frame) => sum + frame.length, 0);
    }
    const octets =
      frames.length === 0 ? Buffer.alloc(0) : Buffer.from(deflated(Buffer.from(frames.join(''))));
    return { after: this.#sent, last: this.#sent + frames.length, octets };
  }

  #attend(presence: FollowerPresence): void {
    if (presence === this.#presence) return;
    this.#presence = presence;
    for (const tell of this.#tellers) tell(presence);
  }
}
