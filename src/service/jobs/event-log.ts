import { inflateRawSync } from 'node:zlib';
import { deflated } from '../../base/packing.ts';
import type { JobEvent } from '../../document/events.ts';
import type { InflatedBlocks } from './inflated-blocks.ts';

/**
 * The events of one job, kept for late subscribers as long as the job. Their ids count from 1, or go on from those of an
 * earlier process. Events are text: the newest 32 KiB of a running job plain, all others deflated. The log is bounded:
 * `maxQueries` limits the exchange events, `MAX_PROGRESS_BYTES` those of progress.
 */
export class EventLog {
  readonly #before: number;
  readonly #blocks: Block[];
  /** Encoded events that are in no block yet. */
  #frames: string[] = [];
  readonly #wakers = new Set<() => void>();
  #readers: Readers = 'none';
  #tellReaders: (readers: Readers) => void = () => {};
  #last: number;
  #packedBytes: number;
  #plainBytes = 0;
  #progressBytes = 0;
  #ended = false;

  constructor({ before, last, blocks }: KeptEvents = NO_EVENTS) {
    this.#before = before;
    this.#last = last;
    this.#blocks = [...blocks];
    this.#packedBytes = blocks.reduce((sum, { octets }) => sum + octets.length, 0);
  }

  /** The id of the last event so far. */
  get last(): number {
    return this.#last;
  }

  /** All events, for the next process. */
  get kept(): KeptEvents {
    this.#pack();
    return { before: this.#before, last: this.#last, blocks: [...this.#blocks] };
  }

  /** Octets kept. */
  get bytes(): number {
    return this.#packedBytes + this.#plainBytes;
  }

  /** Whether no event can follow. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Adds an event, `data` being JSON text, and wakes the subscribers. After the end it adds nothing. */
  append(event: JobEvent['event'], data: string): void {
    if (this.ended) return;
    const frame = encodeEvent(this.#last + 1, event, data);
    const bytes = Buffer.byteLength(frame);
    if (event === 'progress') {
      if (this.#progressBytes + bytes > MAX_PROGRESS_BYTES) return;
      this.#progressBytes += bytes;
    }
    this.#frames.push(frame);
    this.#last += 1;
    this.#plainBytes += bytes;
    this.#wakeAll();
    // Subscribers that keep up have read them by now.
    if (this.#plainBytes >= BLOCK_BYTES) this.#pack();
  }

  /** Adds a block that another log has packed, whose last event has the id `last`, and wakes the subscribers. */
  adopt(octets: Block['octets'], last: number): void {
    this.#pack();
    this.#blocks.push({ after: this.#last, octets });
    this.#packedBytes += octets.length;
    this.#last = last;
    this.#wakeAll();
  }

  /** Declares that nothing more will come. */
  end(): void {
    this.#ended = true;
    this.#wakeAll();
    this.#wakers.clear();
    this.#pack();
  }

  /** The place of a subscriber that has seen this event: not before the first event, not after the last. */
  placeOf(seen: number): number {
    return Math.min(Math.max(seen, this.#before), this.#last);
  }

  /** The next frames after a place: as many as fit into `bytes`, and at least one if there is one. */
  framesAfter(after: number, bytes: number): readonly string[] {
    const packed = this.#last - this.#frames.length;
    if (after >= packed) return fitting(this.#frames.slice(after - packed), bytes);
    const block = this.#blocks.findLast((one) => one.after <= after);
    if (block === undefined) return [];
    const frames = framesIn(inflateRawSync(block.octets).toString());
    return fitting(frames.slice(after - block.after), bytes);
  }

  /** The same as octets, for one of many readers: what is packed is inflated once for all of them. */
  batchAfter(after: number, bytes: number, inflated: InflatedBlocks): Batch {
    const block = this.#blocks.findLast((one) => one.after <= after);
    const at = after - (block?.after ?? 0);
    const { octets, ends } = block === undefined ? NO_BLOCK : inflated.of(block.octets);
    if (at >= ends.length) {
      const frames = this.framesAfter(after, bytes);
      return { octets: Buffer.from(frames.join('')), events: frames.length };
    }
    const from = ends[at - 1] ?? 0;
    const full = ends.findIndex((end, index) => index >= at && end - from >= bytes);
    const last = full === -1 ? ends.length - 1 : full;
    return { octets: octets.subarray(from, ends[last]), events: last + 1 - at };
  }

  /** Calls `wake` at each event and at the end, until the function it returns is called. */
  subscribe(wake: () => void): () => void {
    this.#wakers.add(wake);
    this.#noteReaders();
    return () => {
      this.#wakers.delete(wake);
      this.#noteReaders();
    };
  }

  /** Calls `tell` from now on when the first subscriber has come, and when the last has left. */
  onReaders(tell: (readers: Readers) => void): void {
    this.#tellReaders = tell;
  }

  #noteReaders(): void {
    const readers = this.#wakers.size > 0 ? 'some' : 'none';
    if (readers === this.#readers) return;
    this.#readers = readers;
    this.#tellReaders(readers);
  }

  #wakeAll(): void {
    for (const wake of this.#wakers) wake();
  }

  #pack(): void {
    if (this.#frames.length === 0) return;
    const octets = deflated(Buffer.from(this.#frames.join('')));
    this.#blocks.push({ after: this.#last - this.#frames.length, octets });
    this.#packedBytes += octets.length;
    this.#frames = [];
    this.#plainBytes = 0;
  }
}

/** Whether a log has subscribers. */
type Readers = 'some' | 'none';

/** Some events as they go over the wire, and how many they are. */
interface Batch {
  readonly octets: Uint8Array;
  readonly events: number;
}

const NO_BLOCK = { octets: Buffer.alloc(0), ends: [] } as const;

/** Consecutive events, deflated. */
interface Block {
  /** The id of the event before the block. */
  readonly after: number;
  readonly octets: Uint8Array<ArrayBuffer>;
}

/** The events of a job so far, in the form that outlives the process. */
export interface KeptEvents {
  /** 0, or the id of the last event of an earlier attempt. */
  readonly before: number;
  /** The id of the last event. */
  readonly last: number;
  readonly blocks: readonly Block[];
}

const NO_EVENTS: KeptEvents = { before: 0, last: 0, blocks: [] };

/** Up to four of them come in a second, for as long as a job runs. */
const MAX_PROGRESS_BYTES = 2 * 1024 * 1024;

/** So many octets are deflated, and inflated, in less than a millisecond. */
const BLOCK_BYTES = 32 * 1024;

function fitting(frames: readonly string[], bytes: number): readonly string[] {
  let end = 0;
  for (let size = 0; end < frames.length && (end === 0 || size < bytes); end += 1)
    size += frames[end]?.length ?? 0;
  return frames.slice(0, end);
}

/**
 * An event as it goes over the wire (WHATWG HTML 9.2.5): one field per line, then a blank line. Data of
 * several lines becomes several fields, which the receiver joins again.
 */
function encodeEvent(id: number, event: string, data: string): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `id: ${id}\nevent: ${event}\n${lines.join('')}\n`;
}

/** The events in text that has nothing else. */
function framesIn(text: string): readonly string[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((frame) => `${frame}\n\n`);
}

/** A comment: receivers ignore it, and proxies see that the stream is alive. */
export const HEARTBEAT = ': still here\n\n';

/**
 * The number in a Last-Event-ID header, which is how many events the receiver has: 0 without the header,
 * and for anything that this service never sends as an id.
 */
export function readLastEventId(header: string | undefined): number {
  return header !== undefined && /^[1-9]\d{0,14}$/.test(header) ? Number(header) : 0;
}
