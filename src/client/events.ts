import { EventSource } from 'eventsource';
import { ShapeError } from '../shape.ts';
import { type Answer, type Failure, failed, ok } from './failure.ts';
import type { JobEvent } from './job-event.ts';
import { EVENTS } from './read-event.ts';
import { resourceUrl } from './server-url.ts';
import { openStream } from './stream.ts';

/** Who follows a job's events. */
export interface Follower {
  /** Is told each event once, in their order; says when it has seen enough. */
  readonly event: (event: JobEvent) => 'go-on' | 'enough';
  /** The connection is lost and looked for again, or back. */
  readonly connection: (state: 'lost' | 'back') => void;
}

/** A connection that was lost is looked for again for so long. */
const PATIENCE_MS = 60_000;

/**
 * Follows the events of a job from the first to the one that its follower says is enough. A connection
 * that breaks, or ends early, is made again and goes on behind the last event (WHATWG HTML 9.2). It
 * fails if there is no such job or no connection to begin with, or none again for a minute.
 */
export function followEvents(
  server: URL,
  id: string,
  follower: Follower,
  signal: AbortSignal,
): Promise<Answer<void>> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve(failed({ kind: 'stopped' }));
    let why: Failure = { kind: 'unreachable', reason: 'no connection' };
    const noteFailure = (failure: Failure) => {
      why = failure;
    };
    const source = new EventSource(resourceUrl(server, `api/traverse/${id}/events`), {
      fetch: (url, init) => openStream(url, init, noteFailure),
    });
    const end = (answer: Answer<void>) => {
      // A normal end of the stream makes it connect again, unless it is closed.
      source.close();
      signal.removeEventListener('abort', stopped);
      resolve(answer);
    };
    const stopped = () => end(failed({ kind: 'stopped' }));
    signal.addEventListener('abort', stopped);
    const link = new Link(follower);
    source.addEventListener('open', () => link.up());
    source.addEventListener('error', () => {
      const given = source.readyState === EventSource.CLOSED || !link.worthWaiting();
      if (given) end(failed(why));
      else link.down();
    });
    let seen = 0;
    for (const [name, shape] of Object.entries(EVENTS)) {
      source.addEventListener(name, ({ data, lastEventId }) => {
        const number = Number(lastEventId);
        if (number <= seen || source.readyState === EventSource.CLOSED) return;
        seen = number;
        try {
          if (follower.event(shape(JSON.parse(data), '')) === 'enough') end(ok(undefined));
        } catch (error) {
          if (error instanceof ShapeError || error instanceof SyntaxError) {
            end(failed({ kind: 'not-a-service', detail: `event "${name}": ${error.message}` }));
            return;
          }
          source.close();
          reject(error);
        }
      });
    }
  });
}

/** Whether there is a connection, and since when not. */
class Link {
  readonly #follower: Follower;
  #state: 'new' | 'up' | 'down' = 'new';
  #lostAt = 0;

  constructor(follower: Follower) {
    this.#follower = follower;
  }

  up(): void {
    if (this.#state === 'down') this.#follower.connection('back');
    this.#state = 'up';
  }

  down(): void {
    if (this.#state === 'up') {
      this.#lostAt = performance.now();
      this.#follower.connection('lost');
    }
    this.#state = 'down';
  }

  /** Whether a connection that failed now may be had again: not if there never was one. */
  worthWaiting(): boolean {
    if (this.#state === 'down') return performance.now() - this.#lostAt < PATIENCE_MS;
    return this.#state === 'up';
  }
}
