import type { Writable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { type EventLog, HEARTBEAT } from '../jobs/event-log.ts';
import type { Timeouts } from '../settings.ts';

/**
 * The open event streams. Each reads its job's log at its own pace, so a slow reader costs no memory
 * and delays nobody. One that has stalled is dropped and may resume with its Last-Event-ID.
 */
export class EventStreams {
  readonly #timeouts: StreamTimeouts;
  readonly #clock: Clock;
  readonly #dropped: () => void;
  readonly #streams = new Map<EventStream, string>();
  #cancelTick: (() => void) | undefined;

  constructor(timeouts: StreamTimeouts, clock: Clock, dropped: () => void) {
    this.#timeouts = timeouts;
    this.#clock = clock;
    this.#dropped = dropped;
  }

  get count(): number {
    return this.#streams.size;
  }

  /** The number of streams that one client has open. */
  countOf(client: string): number {
    return [...this.#streams.values()].filter((one) => one === client).length;
  }

  /** Writes a job's events after the first `after`, and those to come, until the last. */
  start(sink: Writable, events: EventLog, after: number, client: string): void {
    const stream = new EventStream(sink, events, after, this.#clock);
    this.#streams.set(stream, client);
    sink.once('close', () => {
      stream.close();
      this.#streams.delete(stream);
      if (this.count === 0) this.#stopTicking();
    });
    stream.pump();
    this.#cancelTick ??= this.#clock.after(this.#timeouts.heartbeatMs, () => this.#tick());
  }

  #tick(): void {
    for (const stream of this.#streams.keys()) {
      if (stream.stalledMs < this.#timeouts.stallMs) stream.beat();
      else {
        this.#dropped();
        stream.drop();
      }
    }
    this.#cancelTick = this.#clock.after(this.#timeouts.heartbeatMs, () => this.#tick());
  }

  #stopTicking(): void {
    this.#cancelTick?.();
    this.#cancelTick = undefined;
  }
}

/** The interval between comments, and after how long a reader that takes nothing is dropped. */
type StreamTimeouts = Pick<Timeouts, 'heartbeatMs' | 'stallMs'>;

/** Octets handed to a connection at once: no more than this and one event wait in memory for a slow reader. */
const BATCH_BYTES = 16 * 1024;

/** One reader of one job's events. */
class EventStream {
  readonly #sink: Writable;
  readonly #events: EventLog;
  readonly #clock: Clock;
  readonly #unsubscribe: () => void;
  #sent: number;
  /** Since when the connection has taken no more. */
  #fullSince: number | undefined;

  constructor(sink: Writable, events: EventLog, after: number, clock: Clock) {
    this.#sink = sink;
    this.#events = events;
    this.#sent = after;
    this.#clock = clock;
    this.#unsubscribe = events.subscribe(() => this.pump());
    // A connection that breaks also closes, which is handled there.
    sink.on('error', () => {});
    sink.on('drain', () => {
      this.#fullSince = undefined;
      this.pump();
    });
  }

  get stalledMs(): number {
    return this.#fullSince === undefined ? 0 : this.#clock.now() - this.#fullSince;
  }

  /** Writes what there is for as long as the connection takes it. */
  pump(): void {
    while (this.#fullSince === undefined && this.#sent < this.#events.last) {
      const frames = this.#events.framesAfter(this.#sent, BATCH_BYTES);
      this.#sent += frames.length;
      this.#write(frames.join(''));
    }
    if (this.#events.ended && this.#sent >= this.#events.last && !this.#sink.writableEnded) this.#sink.end();
  }

  beat(): void {
    if (this.#fullSince === undefined && !this.#sink.writableEnded) this.#write(HEARTBEAT);
  }

  drop(): void {
    this.#sink.destroy();
  }

  close(): void {
    this.#unsubscribe();
  }

  #write(text: string): void {
    if (!this.#sink.write(text)) this.#fullSince = this.#clock.now();
  }
}
