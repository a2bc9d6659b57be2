/* Listens to a stream of server-sent events until it ends or breaks. */

import { brief, readReply } from '../../document/api/reply.ts';
import { failed, type RunAnswer, type RunFailure } from '../../document/run-answer.ts';
import type { Follower, JobEvents } from './job-events.ts';
import { type ReplyTimeout, readReplyBody, startTimeout, unreachable } from './request.ts';

/** Where an event stream comes from, and who reads it. */
export interface StreamSource {
  readonly url: URL;
  readonly events: JobEvents;
  readonly bounds: { readonly silenceMs: number };
  readonly signal: AbortSignal;
}

/** What came of one connection. */
type Listened =
  /** Nothing is left to hear. */
  | { readonly kind: 'over'; readonly answer: RunAnswer<void> }
  | { readonly kind: 'broken'; readonly why: RunFailure };

/** Opens an event stream and listens until it ends, breaks, is dead or has told enough. */
export async function listen({ url, events, bounds, signal }: StreamSource, link: Link): Promise<Listened> {
  const timeout = startTimeout(bounds.silenceMs, signal);
  try {
    const opened = await open(url, events.headers, timeout.signal);
    if (opened.kind !== 'open') return opened;
    link.up();
    return await hear(opened.reader, events, link, timeout);
  } finally {
    timeout.end();
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function open(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Listened | { readonly kind: 'open'; readonly reader: Reader }> {
  try {
    const response = await fetch(url, { headers, signal, redirect: 'manual' });
    const { status, body } = response;
    const streams = /^text\/event-stream\b/.test(response.headers.get('content-type') ?? '');
    if (status === 200 && streams && body !== null) return { kind: 'open', reader: body.getReader() };
    return notNow(await whyNot(response));
  } catch (error) {
    return broken(error);
  }
}

/** A service that has no room, or is not behind its proxy, may be back soon. */
function notNow(why: RunFailure): Listened {
  const isTemporary = why.kind === 'busy' || why.kind === 'unreachable';
  return isTemporary ? { kind: 'broken', why } : { kind: 'over', answer: failed(why) };
}

async function whyNot(response: Response): Promise<RunFailure> {
  const { status, headers } = response;
  // The reply to a reader that has all events of a job that has ended.
  if (status === 204) return { kind: 'fault', detail: 'the job ended without the expected event' };
  const answer = readReply({ status, headers, body: await readReplyBody(response) }, Date.now());
  return answer.kind === 'failed'
    ? answer.failure
    : {
        kind: 'not-a-service',
        detail: `it sent ${brief(headers.get('content-type') ?? '')} instead of events`,
      };
}

async function hear(reader: Reader, events: JobEvents, link: Link, timeout: ReplyTimeout): Promise<Listened> {
  events.connected();
  for (;;) {
    const next = await reader.read().catch(broken);
    if ('kind' in next) return next;
    if (next.done) return { kind: 'broken', why: { kind: 'unreachable', reason: 'connection closed' } };
    const { news, pace, over } = events.read(next.value);
    if (news === 'something') link.heard();
    if (pace === 'moving') timeout.renew();
    if (over !== undefined) {
      await reader.cancel().catch(broken);
      return { kind: 'over', answer: over };
    }
  }
}

function broken(error: unknown): Listened {
  return { kind: 'broken', why: unreachable(error) };
}

/** A connection that lasts this long was not accepted only to be closed. */
const LASTING_MS = 5_000;

/** Whether there is a connection, or since when it has been lost. */
export class Link {
  readonly #follower: Follower;
  readonly #lostMs: number;
  readonly #now: () => number;
  #state: 'new' | 'up' | 'down';
  #brought: 'nothing' | 'something' = 'nothing';
  #upAt: number;
  #lostAt: number;

  /** `state`: "up" if the server has just replied to something else. */
  constructor(follower: Follower, lostMs: number, now: () => number, state: 'new' | 'up' = 'new') {
    this.#follower = follower;
    this.#lostMs = lostMs;
    this.#now = now;
    this.#state = state;
    this.#upAt = now();
    this.#lostAt = now();
  }

  up(): void {
    if (this.#state === 'down') this.#follower.connection('back');
    this.#state = 'up';
    this.#brought = 'nothing';
    this.#upAt = this.#now();
  }

  /** A new event came. */
  heard(): void {
    this.#brought = 'something';
  }

  down(): void {
    if (this.#state === 'up') {
      // A server that accepts connections and sends nothing gets no more time than one that is down.
      if (this.#wasOfUse()) this.#lostAt = this.#now();
      this.#follower.connection('lost');
    }
    this.#state = 'down';
  }

  /** Whether to wait for the connection to be restored. Not if there never was one. */
  isWorthWaiting(): boolean {
    if (this.#state === 'new') return false;
    if (this.#state === 'up' && this.#wasOfUse()) return true;
    return this.#now() - this.#lostAt < this.#lostMs;
  }

  /** A queued job sends nothing for a long time: then it is enough that the connection lasted. */
  #wasOfUse(): boolean {
    return this.#brought === 'something' || this.#now() - this.#upAt >= LASTING_MS;
  }
}
