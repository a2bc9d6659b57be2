import type { Writable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { type EventLog, HEARTBEAT } from '../jobs/event-log.ts';
import { InflatedBlocks } from '../jobs/inflated-blocks.ts';
import type { Timeouts } from '../settings.ts';

/**
 * The open event streams. Each reads its job's log at its own pace, so a slow reader costs no memory and delays nobody.
 * One that has stalled is dropped and may resume with its Last-Event-ID. Streams with something to write take turns, and
 * the event loop goes round between the turns: however many are opened at once, all other requests are answered meanwhile.
 */
export class EventStreams {
  readonly #timeouts: StreamTimeouts;
  readonly #clock: Clock;
  readonly #notices: StreamNotices;
  readonly #inflated = new InflatedBlocks(INFLATED_BYTES);
  readonly #streams = new Map<Writable, { readonly stream: EventStream; readonly client: string }>();
  /** The streams that may have something to write; the next turn is that of the first. */
  readonly #ready = new Set<EventStream>();
  #isTurnDue = false;
  #cancelTick: (() => void) | undefined;

  constructor(timeouts: StreamTimeouts, clock: Clock, notices: StreamNotices) {
    this.#timeouts = timeouts;
    this.#clock = clock;
    this.#notices = notices;
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
    const stream = new EventStream({ sink, events, clock: this.#clock, inflated: this.#inflated }, after);
    const ready = () => this.#wait(stream);
    this.#streams.set(sink, { stream, client });
    const leave = events.subscribe(ready);
    sink.on('drain', () => {
      stream.drained();
      ready();
    });
    // A connection that breaks also closes.
    sink.on('error', () => {});
    sink.once('close', () => {
      leave();
      this.#end(sink, stream);
    });
    ready();
    this.#cancelTick ??= this.#clock.after(this.#timeouts.heartbeatMs, () => this.#tick());
  }

  #end(sink: Writable, stream: EventStream): void {
    this.#streams.delete(sink);
    this.#ready.delete(stream);
    if (this.count > 0) return;
    this.#cancelTick?.();
    this.#cancelTick = undefined;
  }

  #wait(stream: EventStream): void {
    this.#ready.add(stream);
    this.#scheduleTurn();
  }

  #scheduleTurn(): void {
    if (this.#isTurnDue) return;
    this.#isTurnDue = true;
    setImmediate(() => this.#takeTurns());
  }

  /** One batch for each stream in turn, until this turn of the event loop has written enough. */
  #takeTurns(): void {
    this.#isTurnDue = false;
    let room = TURN_BYTES;
    for (const stream of this.#ready) {
      this.#ready.delete(stream);
      room -= Math.max(LEAST_COST, this.#write(stream));
      if (stream.hasMore) this.#ready.add(stream);
      if (room <= 0) break;
    }
    if (this.#ready.size > 0) this.#scheduleTurn();
  }

  /** Writes a batch. In a shared store events can be damaged, or packed by a newer version: the connection is closed. */
  #write(stream: EventStream): number {
    try {
      return stream.write(BATCH_BYTES);
    } catch (error) {
      this.#notices.failed(error);
      stream.close();
      return 0;
    }
  }

  #tick(): void {
    for (const { stream } of this.#streams.values()) {
      if (stream.stalledMs() < this.#timeouts.stallMs) stream.beat();
      else {
        this.#notices.dropped();
        stream.close();
      }
    }
    this.#cancelTick = this.#clock.after(this.#timeouts.heartbeatMs, () => this.#tick());
  }
}

/** Is told that a reader which has stalled is dropped, and that events cannot be read. */
interface StreamNotices {
  readonly dropped: () => void;
  readonly failed: (error: unknown) => void;
}

/** The interval between comments, and after how long a reader that takes nothing is dropped. */
type StreamTimeouts = Pick<Timeouts, 'heartbeatMs' | 'stallMs'>;

/** Octets handed to a connection at once: no more than this and one event wait in memory for a slow reader. */
const BATCH_BYTES = 16 * 1024;

/** Octets written in one turn of the event loop, which takes some milliseconds. */
const TURN_BYTES = 512 * 1024;

/** A small write takes as long as one of so many octets. */
const LEAST_COST = 4 * 1024;

/** Octets of inflated blocks that readers share. */
const INFLATED_BYTES = 4 * 1024 * 1024;

/** A reader's connection and the log that it reads. */
interface Reading {
  readonly sink: Writable;
  readonly events: EventLog;
  readonly clock: Clock;
  readonly inflated: InflatedBlocks;
}

/** One reader of one job's events. */
class EventStream {
  readonly #reading: Reading;
  /** The events that it has. */
  #sent: number;
  /** Since when the connection has taken no more. */
  #fullSince: number | undefined;

  constructor(reading: Reading, after: number) {
    this.#reading = reading;
    this.#sent = after;
  }

  /** Whether there are events that the connection would take. */
  get hasMore(): boolean {
    return this.#fullSince === undefined && this.#sent < this.#reading.events.last;
  }

  /** Writes the next events, if the connection takes them, and ends after the last. How many octets that was. */
  write(bytes: number): number {
    const { sink, events, inflated } = this.#reading;
    let written = 0;
    if (this.hasMore) {
      const batch = events.batchAfter(this.#sent, bytes, inflated);
      this.#sent += batch.events;
      this.#send(batch.octets);
      written = batch.octets.length;
    }
    if (events.ended && this.#sent >= events.last && !sink.writableEnded) sink.end();
    return written;
  }

  /** Closes the connection. */
  close(): void {
    this.#reading.sink.destroy();
  }

  /** For how long the reader has taken nothing. */
  stalledMs(): number {
    return this.#fullSince === undefined ? 0 : this.#reading.clock.now() - this.#fullSince;
  }

  drained(): void {
    this.#fullSince = undefined;
  }

  beat(): void {
    if (this.#fullSince === undefined && !this.#reading.sink.writableEnded) this.#send(HEARTBEAT);
  }

  #send(data: Uint8Array | string): void {
    const { sink, clock } = this.#reading;
    if (!sink.write(data)) this.#fullSince = clock.now();
  }
}
