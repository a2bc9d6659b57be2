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
  readonly #streams = new Map<Writable, { readonly stream: EventStream; readonly client: string }>();
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
    return [...this.#streams.values()].filter((one) => one.client === client).length;
  }

  /** Writes a job's events after the first `after`, and those to come, until the last. */
  start(sink: Writable, events: EventLog, after: number, client: string): void {
    this.#streams.set(sink, { stream: openStream(sink, events, after, this.#clock), client });
    sink.once('close', () => {
      this.#streams.delete(sink);
      if (this.count > 0) return;
      this.#cancelTick?.();
      this.#cancelTick = undefined;
    });
    this.#cancelTick ??= this.#clock.after(this.#timeouts.heartbeatMs, () => this.#tick());
  }

  #tick(): void {
    for (const [sink, { stream }] of this.#streams) {
      if (stream.stalledMs() < this.#timeouts.stallMs) stream.beat();
      else {
        this.#dropped();
        sink.destroy();
      }
    }
    this.#cancelTick = this.#clock.after(this.#timeouts.heartbeatMs, () => this.#tick());
  }
}

/** The interval between comments, and after how long a reader that takes nothing is dropped. */
type StreamTimeouts = Pick<Timeouts, 'heartbeatMs' | 'stallMs'>;

/** Octets handed to a connection at once: no more than this and one event wait in memory for a slow reader. */
const BATCH_BYTES = 16 * 1024;

/** One reader of one job's events. */
interface EventStream {
  /** For how long the reader has taken nothing. */
  readonly stalledMs: () => number;
  readonly beat: () => void;
}

/** Writes events to a connection for as long as the connection takes them. */
function openStream(sink: Writable, events: EventLog, after: number, clock: Clock): EventStream {
  let sent = after;
  /** Since when the connection has taken no more. */
  let fullSince: number | undefined;
  const write = (text: string) => {
    if (!sink.write(text)) fullSince = clock.now();
  };
  const pump = () => {
    while (fullSince === undefined && sent < events.last) {
      const frames = events.framesAfter(sent, BATCH_BYTES);
      sent += frames.length;
      write(frames.join(''));
    }
    if (events.ended && sent >= events.last && !sink.writableEnded) sink.end();
  };
  sink.once('close', events.subscribe(pump));
  // A connection that breaks also closes.
  sink.on('error', () => {});
  sink.on('drain', () => {
    fullSince = undefined;
    pump();
  });
  pump();
  return {
    stalledMs: () => (fullSince === undefined ? 0 : clock.now() - fullSince),
    beat: () => {
      if (fullSince === undefined && !sink.writableEnded) write(HEARTBEAT);
    },
  };
}
