import { onAbort, pause } from '../../base/abort.ts';
import { LIMITS } from '../../base/limits.ts';
import { MOST_OCTETS } from '../../base/octets.ts';
import { brief, readReply } from '../../document/api/read-response.ts';
import { failed, type RunAnswer, type RunFailure } from '../../document/run-answer.ts';
import { type EventBounds, type Follower, JobEvents } from './job-events.ts';
import { type ReplyTimeout, readReplyBody, resourceUrl, startTimeout, unreachable } from './request.ts';

/**
 * Follows the events of a job from the first until its follower has seen enough. If the connection breaks
 * or ends early, it reconnects and continues after the last event. Fails if there is no such job, if the
 * first connection fails and nothing was heard of the service before, if none can be restored for a minute,
 * and if the server never comes to an end.
 */
export async function followEvents(
  { server, id, contact }: JobAtServer,
  follower: Follower,
  { signal, bounds: others }: HowLong,
): Promise<RunAnswer<void>> {
  if (signal.aborted) return STOPPED;
  const bounds = { ...BOUNDS, ...others };
  const { totalMs, afterAskingMs } = bounds;
  const until = performance.now() + totalMs;
  const deadline = startTimeout(totalMs, signal);
  const events = new JobEvents(follower, bounds, ({ maxTimeMs }) =>
    deadline.renew(Math.min(maxTimeMs + afterAskingMs, until - performance.now())),
  );
  const url = resourceUrl(server, `api/traverse/${id}/events`);
  try {
    const link = new Link(
      follower,
      bounds.lostMs,
      () => performance.now(),
      contact === 'made' ? 'up' : 'new',
    );
    const answer = await stayConnected({ url, events, follower, bounds, signal: deadline.signal }, link);
    if (deadline.state() === 'expired') return TOO_LATE;
    return signal.aborted ? STOPPED : answer;
  } finally {
    deadline.end();
  }
}

/** What a server that is followed may take: none is trusted to come to an end. Times are milliseconds. */
export interface FollowingBounds extends EventBounds {
  /** A connection on which nothing is brought to an end for this long is dead. */
  readonly silenceMs: number;
  /** For this long, attempts are made to restore a lost connection. */
  readonly lostMs: number;
  /** The shortest and longest pause between two attempts, whatever the server asks for. */
  readonly retryMs: readonly [least: number, most: number];
  /** How long a job may take, with the wait for its turn. */
  readonly totalMs: number;
  /** How long a job may go on once it can ask no more: for its evaluation and its servers. */
  readonly afterAskingMs: number;
}

const MINUTE_MS = 60_000;

/** A service sends a comment every 15 s, a job has at most an event for each question, and four a second. */
const BOUNDS: FollowingBounds = {
  silenceMs: 45_000,
  lostMs: MINUTE_MS,
  retryMs: [1_000, 15_000],
  totalMs: 24 * 60 * MINUTE_MS,
  afterAskingMs: 10 * MINUTE_MS,
  eventOctets: MOST_OCTETS.event,
  octets: MOST_OCTETS.events,
  events: 2 * LIMITS.maxQueries.most,
};

/** How long to wait before connecting again, unless the server says otherwise (WHATWG HTML 9.2). */
const USUAL_RETRY_MS = 3_000;

/** That a service can be reached is known from what it replied. */
export type ServerContact = 'made';

/** A job, and the service that has it. */
interface JobAtServer {
  readonly server: URL;
  readonly id: string;
  /** The service replied a moment ago, so a first connection that fails is one that broke. */
  readonly contact?: ServerContact | undefined;
}

/** How long to follow: until the signal is aborted, and within bounds. */
interface HowLong {
  readonly signal: AbortSignal;
  /** Other bounds than the usual. */
  readonly bounds?: Partial<FollowingBounds>;
}

const STOPPED = failed({ kind: 'stopped' });
const TOO_LATE = failed({ kind: 'fault', detail: 'the job goes on for longer than any can' });

/** Where an event stream comes from, who reads it, and for how long. */
interface Following {
  readonly url: URL;
  readonly events: JobEvents;
  readonly follower: Follower;
  readonly bounds: FollowingBounds;
  readonly signal: AbortSignal;
}

async function stayConnected(following: Following, link: Link): Promise<RunAnswer<void>> {
  const { events, bounds, signal } = following;
  const [least, most] = bounds.retryMs;
  for (;;) {
    const heard = await listen(following, link);
    if (heard.kind === 'over') return heard.answer;
    if (signal.aborted || !link.isWorthWaiting()) return failed(heard.why);
    link.down();
    await pause(Math.min(Math.max(events.retryMs ?? USUAL_RETRY_MS, least), most), signal);
  }
}

/** What came of one connection. */
type Listened =
  /** Nothing is left to hear. */
  | { readonly kind: 'over'; readonly answer: RunAnswer<void> }
  | { readonly kind: 'broken'; readonly why: RunFailure };

/** Opens an event stream and listens until it ends, breaks, is dead or has told enough. */
async function listen(following: Following, link: Link): Promise<Listened> {
  const { url, events, bounds, signal } = following;
  const timeout = startTimeout(bounds.silenceMs, signal);
  try {
    const opened = await open(url, events.headers, timeout.signal);
    if (opened.kind !== 'open') return opened;
    link.up();
    return await hear(opened.reader, following, link, timeout);
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

async function hear(
  reader: Reader,
  { events, follower, bounds }: Following,
  link: Link,
  timeout: ReplyTimeout,
): Promise<Listened> {
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
    const room = follower.room?.();
    if (room !== undefined) await waitFor(room, bounds.totalMs, timeout);
  }
}

/** Waits until a follower takes more. That is not the server's silence. */
async function waitFor(room: Promise<void>, mostMs: number, timeout: ReplyTimeout): Promise<void> {
  timeout.renew(mostMs);
  await new Promise<void>((resolve) => {
    const forget = onAbort(timeout.signal, resolve);
    void room.then(forget).then(resolve);
  });
  timeout.renew();
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
