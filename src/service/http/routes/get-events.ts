import { clientNetwork } from '../../clients/client-network.ts';
import { readLastEventId } from '../../jobs/event-frame.ts';
import { isEnded, type Job } from '../../jobs/job.ts';
import type { ApiRequest } from '../api-request.ts';
import { type HttpReply, noContent } from '../http-reply.ts';
import type { ServiceParts } from '../parts.ts';
import { busyReply } from '../problem.ts';

/** GET /api/traverse/{id}/events. */
export function getEvents(job: Job, parts: ServiceParts, request: ApiRequest): HttpReply {
  const { events } = job;
  const { streams, settings } = parts;
  const seen = readLastEventId(request.headers['last-event-id']?.toString());
  // WHATWG HTML 9.2.2: 204 stops an EventSource from reconnecting.
  if (events.ended && seen >= events.last) {
    // What a service that stops leaves to the next one is not over.
    return isEnded(job.state) ? noContent() : busyReply('The service is shutting down.');
  }
  const party = clientNetwork(request.from.client);
  if (!request.from.exempt && streams.countOf(party) >= settings.maxStreamsPerClient) {
    return busyReply('This client has too many event streams open.');
  }
  return {
    kind: 'stream',
    status: 200,
    headers: STREAM_HEADERS,
    start: (response) => streams.start(response, events, events.placeOf(seen), party),
    live: () => !events.ended,
  };
}

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  // Some proxies buffer responses unless told not to.
  'X-Accel-Buffering': 'no',
};
