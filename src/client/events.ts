import { EventSource } from 'eventsource';
import { onAbort } from '../abort.ts';
import type { JobEvent } from '../service/jobs/job-event.ts';
import { type Shape, ShapeError } from '../shape.ts';
import { type ApiAnswer, type ApiFailure, failed, ok } from './failure.ts';
import type { Follower } from './follower.ts';
import { Link } from './link.ts';
import { EVENTS } from './read-event.ts';
import { resourceUrl } from './server-url.ts';
import { openStream } from './stream.ts';

/** How long one waits for what may never come. */
export interface FollowingTimes {
  /** A connection on which nothing comes for so long is dead. */
  readonly silenceMs: number;
  /** One that was lost is looked for again for so long. */
  readonly lostMs: number;
}

/** A server sends a comment every 15 s. */
const TIMES: FollowingTimes = { silenceMs: 45_000, lostMs: 60_000 };

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
  times: FollowingTimes = TIMES,
): Promise<ApiAnswer<void>> {
  if (signal.aborted) return Promise.resolve(failed({ kind: 'stopped' }));
  const url = resourceUrl(server, `api/traverse/${id}/events`);
  return new Promise((resolve, reject) => {
    const following = new Following(url, follower, times, { resolve, reject });
    const forget = onAbort(signal, () => following.end(failed({ kind: 'stopped' })));
    following.ended = forget;
  });
}

interface Settle {
  readonly resolve: (answer: ApiAnswer<void>) => void;
  readonly reject: (error: unknown) => void;
}

class Following {
  readonly #source: EventSource;
  readonly #follower: Follower;
  readonly #link: Link;
  readonly #settle: Settle;
  #seen = 0;
  #why: ApiFailure = { kind: 'unreachable', reason: 'no connection' };
  /** Is called when it is over. */
  ended = () => {};

  constructor(url: URL, follower: Follower, { silenceMs, lostMs }: FollowingTimes, settle: Settle) {
    this.#follower = follower;
    this.#settle = settle;
    this.#link = new Link(follower, lostMs);
    const noteFailure = (failure: ApiFailure) => {
      this.#why = failure;
    };
    this.#source = new EventSource(url, {
      fetch: (target, init) => openStream(target, init, silenceMs, noteFailure),
    });
    this.#source.addEventListener('open', () => this.#link.up());
    this.#source.addEventListener('error', () => this.#broke());
    for (const [name, shape] of Object.entries(EVENTS)) {
      this.#source.addEventListener(name, (message) => this.#hear(name, shape, message));
    }
  }

  end(answer: ApiAnswer<void>): void {
    // A normal end of the stream makes it connect again, unless it is closed.
    this.#source.close();
    this.ended();
    this.#settle.resolve(answer);
  }

  #broke(): void {
    const isGivenUp = this.#source.readyState === EventSource.CLOSED || !this.#link.isWorthWaiting();
    if (isGivenUp) this.end(failed(this.#why));
    else this.#link.down();
  }

  #hear(name: string, shape: Shape<JobEvent>, { data, lastEventId }: MessageEvent): void {
    if (this.#source.readyState === EventSource.CLOSED) return;
    const number = Number(lastEventId);
    if (number > this.#seen) {
      this.#seen = number;
      this.#link.heard();
      this.#tell(name, shape, data);
    } else if (!(number > 0)) {
      this.end(strange(name, 'it has no number'));
    }
  }

  #tell(name: string, shape: Shape<JobEvent>, data: string): void {
    try {
      if (this.#follower.event(shape(JSON.parse(data), '')) === 'enough') this.end(ok(undefined));
    } catch (error) {
      if (error instanceof ShapeError || error instanceof SyntaxError) {
        this.end(strange(name, error.message));
        return;
      }
      this.#source.close();
      this.ended();
      this.#settle.reject(error);
    }
  }
}

function strange(event: string, detail: string): ApiAnswer<never> {
  return failed({ kind: 'not-a-service', detail: `event "${event}": ${detail}` });
}
