/* Passes the events of a running job on to the store, in batches. */

import type { Clock } from '../../../base/clock.ts';
import type { FollowerPresence, Followers } from '../../../traversal/threads/messages.ts';
import type { Job } from '../../jobs/job.ts';
import { isStoreTrouble } from '../trouble.ts';
import type { EventBatch, Running, Stored, Term } from './running.ts';

/** Who is told what the store says when it is given events. */
interface OutboxListener {
  /** The job is no longer this instance's. */
  readonly lost: () => void;
  /** Somebody has cancelled it. */
  readonly cancelled: () => void;
  readonly failed: (error: unknown) => void;
}

/** How often events are stored while somebody follows the job, and while nobody does. */
const EVERY_MS: Readonly<Record<FollowerPresence, number>> = { somebody: 100, nobody: 500 };

/** A follower tells every two seconds that it is there; NOTIFY may lose that. */
const FOLLOWED_MS = 5_000;

/** Octets of events, before they are deflated, that are stored at once. */
const BATCH_BYTES = 64 * 1024;

/** Passes the events of a running job on to the store, a batch at a time. While the store is away they wait here. */
export class Outbox {
  readonly #job: Job;
  readonly #term: Term;
  readonly #running: Running;
  readonly #clock: Clock;
  readonly #listener: OutboxListener;
  readonly #tellers = new Set<(presence: FollowerPresence) => void>();
  #presence: FollowerPresence = 'nobody';
  #followedUntil = 0;
  #sent: number;
  #cancelTimer: () => void = () => {};
  #sending: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(job: Job, term: Term, around: { running: Running; clock: Clock }, listener: OutboxListener) {
    this.#job = job;
    this.#term = term;
    this.#running = around.running;
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

  /** Somebody follows the job. */
  followed(): void {
    this.#followedUntil = this.#clock.now() + FOLLOWED_MS;
    if (this.#presence === 'somebody') return;
    this.#attend('somebody');
    this.#sendSoon();
  }

  /** Stops passing events on. What is left over is for the caller to store. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer();
    await this.#sending;
  }

  /** All events that have not been stored. */
  get left(): EventBatch {
    return this.#batch(Number.POSITIVE_INFINITY);
  }

  /** The store says which event is the last that it has. */
  storedTo(last: number): void {
    this.#sent = last;
  }

  #schedule(): void {
    this.#cancelTimer();
    if (this.#closed) return;
    this.#cancelTimer = this.#clock.after(EVERY_MS[this.#presence], () => this.#sendSoon());
  }

  #sendSoon(): void {
    this.#sending = this.#sending.then(() => this.#send()).then(() => this.#schedule());
  }

  async #send(): Promise<void> {
    if (this.#clock.now() >= this.#followedUntil) this.#attend('nobody');
    while (!this.#closed && this.#sent < this.#job.events.last) {
      const batch = this.#batch(BATCH_BYTES);
      try {
        this.#note(
          await this.#running.append(this.#term, batch, this.#job, this.#presence === 'somebody'),
          batch,
        );
      } catch (error) {
        if (!isStoreTrouble(error)) this.#listener.failed(error);
        return;
      }
    }
  }

  #note(stored: Stored, { last }: EventBatch): void {
    switch (stored.kind) {
      case 'stored':
        this.#sent = last;
        if (stored.cancelled) this.#listener.cancelled();
        return;
      case 'elsewhere':
        this.#sent = stored.last;
        return;
      case 'ended':
      case 'lost':
        this.#closed = true;
        this.#listener.lost();
    }
  }

  /** Events that have not been stored, no more than fit into so many octets, but at least one if there is one. */
  #batch(bytes: number): EventBatch {
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

  #attend(presence: FollowerPresence): void {
    if (presence === this.#presence) return;
    this.#presence = presence;
    for (const tell of this.#tellers) tell(presence);
  }
}
