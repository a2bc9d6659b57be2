import { encodeEvent } from './event-frame.ts';

/**
 * The events of one job, numbered from 1, kept for late subscribers as long as the job. Each is
 * serialised once. What a job can log is bounded: an event for each exchange, of which its budget has so
 * many, and progress only up to `MAX_PROGRESS_BYTES`.
 */
export class JobEvents {
  readonly #frames: string[] = [];
  readonly #wakers = new Set<() => void>();
  #bytes = 0;
  #progressBytes = 0;
  #ended = false;

  /** How many there are so far: the last one's id. */
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

  /** Adds an event, its data being JSON text, and wakes the subscribers. After the end nothing is added any more. */
  append(event: string, data: string): void {
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

  /** Says that nothing more will come. */
  end(): void {
    this.#ended = true;
    this.#wakeAll();
    this.#wakers.clear();
  }

  /** The events behind the first `after` ones, as they go over the wire: at least one, and no more than fit into `bytes`. */
  framesAfter(after: number, bytes: number): readonly string[] {
    let end = after;
    let size = 0;
    while (end < this.count && (end === after || size < bytes)) {
      size += this.#frames[end]?.length ?? 0;
      end += 1;
    }
    return this.#frames.slice(after, end);
  }

  /** Calls `wake` whenever there is more, or the end; the function it returns prevents that. */
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

/** A preliminary summary can be long, and there are up to four a second of them. */
const MAX_PROGRESS_BYTES = 2 * 1024 * 1024;
