import type { JobEvent } from '../../document/events.ts';
import { encodeEvent } from './event-frame.ts';

/**
 * The events of one job, numbered from 1, kept for late subscribers as long as the job. They come as
 * text, and stay text. The log is bounded: one event for each exchange, whose number `maxQueries` limits, and
 * progress up to `MAX_PROGRESS_BYTES`.
 */
export class EventLog {
  readonly #frames: string[] = [];
  readonly #wakers = new Set<() => void>();
  #bytes = 0;
  #progressBytes = 0;
  #ended = false;

  /** How many there are so far; also the id of the last. */
  get count(): number {
    return this.#frames.length;
  }

  /** Octets kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether no event can follow. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Adds an event, `data` being JSON text, and wakes the subscribers. After the end it adds nothing. */
  append(event: JobEvent['event'], data: string): void {
    if (this.ended) return;
    const frame = encodeEvent({ id: this.count + 1, event, data });
    const bytes = Buffer.byteLength(frame);
    if (event === 'progress') {
      if (this.#progressBytes + bytes > MAX_PROGRESS_BYTES) return;
      this.#progressBytes += bytes;
    }
    this.#frames.push(frame);
    this.#bytes += bytes;
    this.#wakeAll();
  }

  /** Declares that nothing more will come. */
  end(): void {
    this.#ended = true;
    this.#wakeAll();
    this.#wakers.clear();
  }

  /** The frames after the first `after`: no more than fit into `bytes`, but at least one if there is one. */
  framesAfter(after: number, bytes: number): readonly string[] {
    let end = after;
    let size = 0;
    while (end < this.count && (end === after || size < bytes)) {
      size += this.#frames[end]?.length ?? 0;
      end += 1;
    }
    return this.#frames.slice(after, end);
  }

  /** Calls `wake` at each event and at the end, until the function it returns is called. */
  subscribe(wake: () => void): () => void {
    this.#wakers.add(wake);
    return () => {
      this.#wakers.delete(wake);
    };
  }

  #wakeAll(): void {
    for (const wake of this.#wakers) wake();
  }
}

/** Preliminary summaries can be long, and up to four of them come in a second. */
const MAX_PROGRESS_BYTES = 2 * 1024 * 1024;
