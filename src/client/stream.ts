import type { EventSourceFetchInit, FetchLikeResponse } from 'eventsource';
import type { ApiFailure } from './failure.ts';
import { createPatience, type Patience } from './patience.ts';
import { readReply } from './reply.ts';
import { readText } from './request.ts';
import { unreachable } from './unreachable.ts';

/** Octets allowed without the end of an event. */
const LONGEST_EVENT = 64 * 1024 * 1024;

/** Receives the reason why there is no stream, or why it ended. */
type NoteFailure = (failure: ApiFailure) => void;

/**
 * Opens an event stream for an EventSource, which by itself would wait for ever on a dead connection and
 * buffer an event of any size. A connection that is silent for `silenceMs` milliseconds is dead.
 */
export async function openStream(
  url: string | URL,
  init: EventSourceFetchInit,
  silenceMs: number,
  note: NoteFailure,
): Promise<FetchLikeResponse> {
  const patience = createPatience(silenceMs, init.signal);
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: patience.signal });
    const { status, headers, redirected, body } = response;
    const streams = status === 200 && /^text\/event-stream\b/.test(headers.get('content-type') ?? '');
    if (!streams) note(await whyNot(response));
    const guarded = streams && body !== null ? guard(body.getReader(), patience, note) : null;
    if (guarded === null) patience.end();
    return { status, headers, redirected, url: response.url, body: guarded };
  } catch (error) {
    patience.end();
    if (!init.signal.aborted) note(unreachable(error));
    throw error;
  }
}

async function whyNot(response: Response): Promise<ApiFailure> {
  const { status, headers } = response;
  // The reply to a reader that has all events of a job that has ended.
  if (status === 204) return { kind: 'fault', detail: 'the job ended without the expected event' };
  const answer = readReply({ status, headers, body: await readText(response) }, Date.now());
  return answer.kind === 'failed'
    ? answer.failure
    : { kind: 'not-a-service', detail: `it sent ${headers.get('content-type')} instead of events` };
}

/** A body that can be read while data keep coming and events end. */
function guard(reader: ReadableStreamDefaultReader<Uint8Array>, patience: Patience, note: NoteFailure) {
  let unfinished = 0;
  const read = async () => {
    try {
      const { done, value } = await reader.read();
      if (done) {
        patience.end();
        note({ kind: 'unreachable', reason: 'connection closed' });
        return { done };
      }
      patience.renew();
      const end = Buffer.from(value.buffer, value.byteOffset, value.length).lastIndexOf('\n\n');
      unfinished = end < 0 ? unfinished + value.length : value.length - end;
      if (unfinished > LONGEST_EVENT) throw new Error('an event is too long');
      return { done, value };
    } catch (error) {
      patience.end();
      note(unreachable(error));
      throw error;
    }
  };
  return { getReader: () => ({ read, cancel: () => reader.cancel() }) };
}
