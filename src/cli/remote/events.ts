import { pause } from '../../base/abort.ts';
import { LIMITS } from '../../base/limits.ts';
import { MOST_OCTETS } from '../../base/octets.ts';
import { failed, type RunAnswer } from '../../document/run-answer.ts';
import { Link, listen, type StreamSource } from './event-stream.ts';
import { type EventBounds, type Follower, JobEvents } from './job-events.ts';
import { resourceUrl, startTimeout } from './request.ts';

/**
 * Follows the events of a job from the first until its follower has seen enough. If the connection breaks
 * or ends early, it reconnects and continues after the last event. Fails if there is no such job, if the
 * first connection fails and nothing was heard of the service before, if none can be restored for a minute,
 * and if the server never comes to an end.
 */
export async function followEvents(
  { server, id, contact }: JobAtServer,
  follower: Follower,
  { signal, bounds: others, now = () => performance.now() }: HowLong,
): Promise<RunAnswer<void>> {
  if (signal.aborted) return STOPPED;
  const bounds = { ...BOUNDS, ...others };
  const { totalMs, afterAskingMs } = bounds;
  const since = now();
  const deadline = startTimeout(totalMs, signal);
  const events = new JobEvents(follower, bounds, ({ maxTimeMs }) =>
    deadline.renew(Math.min(maxTimeMs + afterAskingMs, totalMs - (now() - since))),
  );
  const url = resourceUrl(server, `api/traverse/${id}/events`);
  try {
    const link = new Link(follower, bounds.lostMs, now, contact === 'made' ? 'up' : 'new');
    const answer = await stayConnected({ url, events, bounds, signal: deadline.signal }, link);
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
  /** Milliseconds since some moment; absent: the machine's. */
  readonly now?: () => number;
}

const STOPPED = failed({ kind: 'stopped' });
const TOO_LATE = failed({ kind: 'fault', detail: 'the job goes on for longer than any can' });

interface Following extends StreamSource {
  readonly bounds: FollowingBounds;
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
