import { brief, readReply } from '../../document/api/reply.ts';
import { failed, type RunAnswer, type RunFailure } from '../../document/run-answer.ts';
import type { JobEvents } from './job-events.ts';
import type { Link } from './link.ts';
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
