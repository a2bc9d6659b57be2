/* Passes the events of a running job on to the store, in batches. */

import type { Job } from '../../jobs/job.ts';
import { Loop } from '../repeating.ts';
import type { EventBatch, Stored, Term } from './running.ts';
import type { SharedSurroundings } from './surroundings.ts';

/** What an outbox needs from outside. */
interface OutboxSurroundings extends Pick<SharedSurroundings, 'running' | 'clock' | 'failed'> {
  /** The job is no longer this instance's. */
  readonly lost: () => void;
  /** Somebody has cancelled it. */
  readonly cancelled: () => void;
}

/** How often events are stored while somebody follows the job, and while nobody does. */
const [FOLLOWED_EVERY_MS, EVERY_MS] = [100, 500];

/** A follower tells every second that it is there; NOTIFY may lose that. */
const FOLLOWED_MS = 5_000;

/** Octets of events, before they are deflated, that are stored at once. */
const BATCH_BYTES = 64 * 1024;

/** Passes the events of a running job on to the store, a batch at a time. While the store is away they wait here. */
export class Outbox {
  readonly #job: Job;
  readonly #term: Term;
  readonly #around: OutboxSurroundings;
  readonly #sending: Loop;
  #followedUntil = 0;
  #sent: number;

  constructor(job: Job, term: Term, around: OutboxSurroundings) {
    this.#job = job;
    this.#term = term;
    this.#around = around;
    this.#sent = job.events.last;
    this.#sending = new Loop(() => this.#send(), {
      ...around,
      everyMs: () => (this.#isFollowed ? FOLLOWED_EVERY_MS : EVERY_MS),
    });
    this.#sending.begin();
  }

  /** Somebody follows the job. */
  followed(): void {
    const wasFollowed = this.#isFollowed;
    this.#followedUntil = this.#around.clock.now() + FOLLOWED_MS;
    if (!wasFollowed) this.#sending.wake();
  }

  /** Stops passing events on. What is left over is for the caller to store. */
  async close(): Promise<void> {
    await this.#sending.stop();
  }

  /** Events that are not stored yet: at most `bytes` octets, but at least one event; none if `bytes` is 0. */
  batch(bytes: number): EventBatch {
    const { events } = this.#job;
    const frames: string[] = [];
    let size = 0;
    for (let at = this.#sent; at < events.last && size < bytes; at = this.#sent + frames.length) {
      const more = events.framesAfter(at, bytes - size);
      frames.push(...more);
      size += more.reduce((sum, frame) => sum + frame.length, 0);
    }
    return { after: this.#sent, last: this.#sent + frames.length, text: frames.join('') };
  }

  /** The store says which event is the last that it has. */
  storedTo(last: number): void {
    this.#sent = last;
  }

  async #send(): Promise<void> {
    while (!this.#sending.stopped && this.#sent < this.#job.events.last) {
      const batch = this.batch(BATCH_BYTES);
      const { running } = this.#around;
      this.#note(await running.append(this.#term, batch, this.#job, this.#isFollowed), batch);
    }
  }

  /** At whichever instance. */
  get #isFollowed(): boolean {
    return this.#around.clock.now() < this.#followedUntil;
  }

  #note(stored: Stored, { last }: EventBatch): void {
    switch (stored.kind) {
      case 'stored':
        this.#sent = last;
        if (stored.cancelled) this.#around.cancelled();
        return;
      case 'elsewhere':
        this.#sent = stored.last;
        return;
      case 'ended':
      case 'lost':
        void this.#sending.stop();
        this.#around.lost();
    }
  }
}
