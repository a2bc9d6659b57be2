import { EventSource } from 'eventsource';
import { onAbort } from '../abort.ts';
import { ShapeError } from '../shape/shape.ts';
import { type ApiAnswer, type ApiFailure, failed, ok } from './failure.ts';
import type { Follower } from './follower.ts';
import { Link } from './link.ts';
import { EVENT_READERS, type ReadEvent } from './read-event.ts';
import { resourceUrl } from './server-url.ts';
import { openStream } from './stream.ts';

/** How long to wait for what may never come. */
interface FollowingTimes {
  /** A connection that is silent for this long is dead. */
  readonly silenceMs: number;
  /** For this long, attempts are made to restore a lost connection. */
  readonly lostMs: number;
}

/** A server sends a comment every 15 s. */
const TIMES: FollowingTimes = { silenceMs: 45_000, lostMs: 60_000 };

/**
 * Follows the events of a job from the first until its follower has seen enough. If the connection breaks
 * or ends early, it reconnects and continues after the last event (WHATWG HTML 9.2). Fails if there is no
 * such job, if the first connection fails, or if none can be restored for a minute.
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
  /** Called when it is over. */
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
    for (const [name, read] of Object.entries(EVENT_READERS)) {
      this.#source.addEventListener(name, (message) => this.#hear(name, read, message));
    }
  }

  end(answer: ApiAnswer<void>): void {
    // A normal end of the stream makes an EventSource reconnect unless it is closed.
    this.#source.close();
    this.ended();
    this.#settle.resolve(answer);
  }

  #broke(): void {
    const isGivenUp = this.#source.readyState === EventSource.CLOSED || !this.#link.isWorthWaiting();
    if (isGivenUp) this.end(failed(this.#why));
    else this.#link.down();
  }

  #hear(name: string, read: ReadEvent, { data, lastEventId }: MessageEvent): void {
    if (this.#source.readyState === EventSource.CLOSED) return;
    const number = Number(lastEventId);
    if (number > this.#seen) {
      this.#seen = number;
      this.#link.heard();
      this.#tell(name, read, data);
    } else if (!(number > 0)) {
      this.end(strange(name, 'it has no id'));
    }
  }

  #tell(name: string, read: ReadEvent, data: string): void {
    try {
      if (this.#follower.event(read(JSON.parse(data))) === 'enough') this.end(ok(undefined));
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
