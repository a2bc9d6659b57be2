import type { EventSourceFetchInit, FetchLikeResponse } from 'eventsource';
import type { ApiFailure } from './failure.ts';
import { createPatience, type Patience } from './patience.ts';
import { readReply } from './reply.ts';
import { readText } from './request.ts';
import { unreachable } from './unreachable.ts';

/** Octets without the end of an event. */
const LONGEST_EVENT = 64 * 1024 * 1024;

/** Is told why there is no stream, or no more of it. */
export type NoteFailure = (failure: ApiFailure) => void;

/**
 * Opens an event stream for an EventSource, which itself would wait for ever on a dead connection, and
 * keep in memory whatever comes. A connection on which nothing comes for `silenceMs` is dead.
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
  // What a server says to one that has all events of a job that has ended.
  if (status === 204) return { kind: 'fault', detail: 'the job ended before the event that was waited for' };
  const answer = readReply({ status, headers, body: await readText(response) }, Date.now());
  return answer.kind === 'failed'
    ? answer.failure
    : { kind: 'not-a-service', detail: `no events, but ${headers.get('content-type')}` };
}

/** Reads on while something comes, and events end. */
function guard(reader: ReadableStreamDefaultReader<Uint8Array>, patience: Patience, note: NoteFailure) {
  let unfinished = 0;
  const read = async () => {
    try {
      const { done, value } = await reader.read();
      if (done) {
        patience.end();
        note({ kind: 'unreachable', reason: 'the connection was closed' });
        return { done };
      }
      patience.renew();
      const end = Buffer.from(value.buffer, value.byteOffset, value.length).lastIndexOf('\n\n');
      unfinished = end < 0 ? unfinished + value.length : value.length - end;
      if (unfinished > LONGEST_EVENT) throw new Error('an event does not end');
      return { done, value };
    } catch (error) {
      patience.end();
      note(unreachable(error));
      throw error;
    }
  };
  return { getReader: () => ({ read, cancel: () => reader.cancel() }) };
}
