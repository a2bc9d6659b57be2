import { type Clock, systemClock } from '../base/clock.ts';
import type { WebhookEvent } from '../document/api/jobs.ts';
import {
  attemptWebhook,
  type Delivery,
  type WebhookOutcome,
  type WebhookReceiver,
} from './webhook-request.ts';

/** Delivers events in the background. */
export interface Webhooks {
  /**
   * Takes an event. Resolves once nothing more is done for it: it was delivered, given up after its attempts, or not even that
   * because the service stopped before. Never rejects: events that cannot be delivered are counted.
   */
  deliver(event: WebhookEvent): Promise<'done' | 'cut-off'>;
  /** For the metrics. */
  counts(): WebhookCounts;
  /**
   * Resolves when nothing is left to deliver. What is left after `ms` milliseconds is dropped, and so is
   * every later event.
   */
  drain(ms: number): Promise<void>;
}

/** All events so far by what became of them, and those still to deliver. */
export interface WebhookCounts {
  /** Events that the receiver accepted. */
  readonly delivered: number;
  /** Events whose two attempts both failed. */
  readonly failed: number;
  /** Events never attempted, or cut off by the shutdown. */
  readonly dropped: number;
  /** Requests made. */
  readonly attempts: number;
  readonly waiting: number;
  readonly inFlight: number;
}

/** An event that will never be delivered, for the log. The reason contains neither address nor secret. */
export interface Undelivered {
  readonly event: WebhookEvent['event'];
  readonly id: string;
  readonly reason: string;
}

interface WebhookSettings extends WebhookReceiver {
  /** For a whole attempt. */
  readonly timeoutMs?: number;
  /** Simultaneous requests. */
  readonly mostInFlight?: number;
  /** Waiting events; the oldest is dropped for one more. */
  readonly mostWaiting?: number;
  /** Octets of the waiting events. */
  readonly mostWaitingBytes?: number;
  readonly clock?: Clock;
  readonly onUndelivered?: (undelivered: Undelivered) => void;
}

/** For a service without a receiver. */
export const NO_WEBHOOKS: Webhooks = {
  deliver: () => Promise.resolve('done'),
  counts: () => ({ delivered: 0, failed: 0, dropped: 0, attempts: 0, waiting: 0, inFlight: 0 }),
  drain: () => Promise.resolve(),
};

/**
 * Webhooks as svc-api(5) has them: fire and forget, five seconds for each attempt, and exactly one retry
 * after a failed one. The events of one job go out one after the other.
 */
export function createWebhooks(settings: WebhookSettings): Webhooks {
  return new Deliveries(settings);
}

const DEFAULTS = {
  timeoutMs: 5_000,
  mostInFlight: 8,
  mostWaiting: 1_000,
  mostWaitingBytes: 16 * 1024 * 1024,
  clock: systemClock,
  onUndelivered: () => {},
} as const;

interface Waiting extends Delivery {
  readonly event: WebhookEvent['event'];
  readonly id: string;
  readonly over: (outcome: 'done' | 'cut-off') => void;
}

class Deliveries implements Webhooks {
  readonly #settings: WebhookReceiver & Required<Omit<WebhookSettings, 'secret'>>;
  /** Oldest first. */
  readonly #waiting = new Set<Waiting>();
  /** The jobs that have an event in flight. */
  readonly #busy = new Set<string>();
  readonly #shutdown = new AbortController();
  readonly #drained = new Set<() => void>();
  readonly #counts = { delivered: 0, failed: 0, dropped: 0, attempts: 0 };
  #waitingBytes = 0;

  constructor(settings: WebhookSettings) {
    this.#settings = { ...DEFAULTS, ...settings };
  }

  deliver(event: WebhookEvent): Promise<'done' | 'cut-off'> {
    const body = Buffer.from(JSON.stringify(event));
    return new Promise((over) => {
      const waiting = { event: event.event, id: event.id, delivery: deliveryOf(event), body, over };
      if (this.#shutdown.signal.aborted) this.#drop(waiting, 'shutdown');
      else this.#enqueue(waiting);
    });
  }

  counts(): WebhookCounts {
    return { ...this.#counts, waiting: this.#waiting.size, inFlight: this.#busy.size };
  }

  async drain(ms: number): Promise<void> {
    const cancelTimer = this.#settings.clock.after(ms, () => this.#giveUp());
    if (this.#waiting.size + this.#busy.size > 0) {
      await new Promise<void>((resolve) => this.#drained.add(resolve));
    }
    cancelTimer();
    this.#shutdown.abort();
  }

  #enqueue(waiting: Waiting): void {
    this.#waiting.add(waiting);
    this.#waitingBytes += waiting.body.length;
    this.#serve();
    this.#makeRoom();
  }

  #serve(): void {
    for (const next of this.#waiting) {
      if (this.#busy.size >= this.#settings.mostInFlight) return;
      if (this.#busy.has(next.id)) continue;
      this.#take(next);
      void this.#carryOut(next);
    }
  }

  #take(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    this.#waitingBytes -= waiting.body.length;
  }

  #makeRoom(): void {
    const { mostWaiting, mostWaitingBytes } = this.#settings;
    for (const oldest of this.#waiting) {
      if (this.#waiting.size <= mostWaiting && this.#waitingBytes <= mostWaitingBytes) return;
      this.#take(oldest);
      this.#drop(oldest, 'queue full');
    }
  }

  async #carryOut(waiting: Waiting): Promise<void> {
    this.#busy.add(waiting.id);
    const first = await this.#attempt(waiting);
    const again = first.kind === 'failed' && !this.#shutdown.signal.aborted;
    this.#conclude(waiting, again ? await this.#attempt(waiting) : first);
    this.#busy.delete(waiting.id);
    this.#serve();
    if (this.#busy.size === 0) for (const resolve of this.#drained) resolve();
  }

  #attempt(waiting: Waiting): Promise<WebhookOutcome> {
    this.#counts.attempts += 1;
    return attemptWebhook(this.#settings, waiting, this.#settings, this.#shutdown.signal);
  }

  #conclude(waiting: Waiting, outcome: WebhookOutcome): void {
    if (outcome.kind === 'delivered') {
      this.#counts.delivered += 1;
      waiting.over('done');
    } else if (this.#shutdown.signal.aborted) {
      this.#drop(waiting, outcome.reason);
    } else {
      this.#counts.failed += 1;
      waiting.over('done');
      this.#settings.onUndelivered({ event: waiting.event, id: waiting.id, reason: outcome.reason });
    }
  }

  #drop({ event, id, over }: Waiting, reason: string): void {
    this.#counts.dropped += 1;
    over(this.#shutdown.signal.aborted || reason === 'shutdown' ? 'cut-off' : 'done');
    this.#settings.onUndelivered({ event, id, reason });
  }

  #giveUp(): void {
    for (const waiting of this.#waiting) {
      this.#take(waiting);
      this.#drop(waiting, 'shutdown');
    }
    this.#shutdown.abort();
  }
}

/** Not the number of the attempt: what an instance leaves when it is asked to stop is begun again under the same. */
function deliveryOf(event: WebhookEvent): string {
  switch (event.event) {
    case 'start':
      return `${event.id}.start.${Date.parse(event.at)}`;
    case 'complete':
      return `${event.id}.complete`;
  }
}
