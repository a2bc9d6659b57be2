/* Handles the requests about jobs: start, read, follow, cancel, and list those of a name. */

import { type Issue, readShape, ShapeError } from '../../base/shape.ts';
import { HISTORY_REQUEST, type HistoryAsked, historyAsked } from '../../document/api/history.ts';
import type { JobCreated } from '../../document/api/jobs.ts';
import type { Problem } from '../../document/api/service-documents.ts';
import { listed } from '../../document/words/lists.ts';
import { FORMATS, formatsIn, isOffered } from '../../report/formats.ts';
import { createCancelToken, mayCancel } from '../cancel-token.ts';
import { blocksOf, clientNetwork } from '../client.ts';
import { readLastEventId } from '../jobs/event-log.ts';
import { isEnded, type Job, jobDocument, jobLinks, pastJobText, resultTexts } from '../jobs/job.ts';
import type { NoRoom, PastJobs } from '../jobs/jobs.ts';
import { readIdempotencyKey } from '../jobs/used-keys.ts';
import { isExchangeId, type RenderedForm, type Rendering, type RenderOrder } from '../renderer.ts';
import { type BodyRead, MAX_BODY_BYTES, readTraversalRequest, traceparentOf } from '../request.ts';
import {
  AWAY,
  busyReply,
  type HttpReply,
  jsonReply,
  noContent,
  problemOf,
  problemReply,
  type ReplyHeaders,
  textReply,
  valueReply,
} from './response.ts';
import { type ApiRequest, type Handler, RESOURCE_PATHS, type ServiceParts } from './router.ts';

/** GET /api/traverse/{id}. With `format`, the result alone in that form. */
export async function getJob(job: Job, parts: ServiceParts, request: ApiRequest): Promise<HttpReply> {
  const [format, ...others] = request.query.getAll('format');
  if (format === undefined) {
    const result = await sentResult(job, request);
    return jsonReply(200, jobDocument(job, await parts.jobs.ahead(job), result));
  }
  return await getJobForm(job, others.length === 0 ? format : 'several', parts, request);
}

/** The result as it is sent: with `?full` with its evidence. */
async function sentResult(job: Job, { query }: ApiRequest) {
  return (await resultTexts(job))?.[query.has('full') ? 'full' : 'brief'];
}

/** DELETE /api/traverse/{id}: replies once the job has ended. */
export async function deleteJob(job: Job, { jobs }: ServiceParts, request: ApiRequest): Promise<HttpReply> {
  if (!mayCancel(job, request)) return problemReply(NOT_YOURS);
  return (await jobs.cancel(job)) === 'away' ? AWAY : noContent();
}

const NOT_YOURS = problemOf(
  403,
  'Only the client that posted the job may cancel it, or a request with its cancel token, as Cancel-Token or ?cancel=.',
);

/** GET /api/traverse/{id}/servers. */
export function getServers(job: Job): HttpReply {
  if (job.servers === undefined) return valueReply(202, { status: 'pending' }, { 'Retry-After': '1' });
  return jsonReply(200, [job.servers]);
}

/** GET /api/traverse/{id}?format=: the result of an ended job alone, in a format. `format` as it was asked for. */
async function getJobForm(
  job: Job,
  format: string,
  parts: ServiceParts,
  request: ApiRequest,
): Promise<HttpReply> {
  if (!isOffered(format, 'api')) return problemReply(UNKNOWN_FORMAT);
  const result = await resultOf(job);
  if (!('kept' in result)) return problemReply(result);
  return format === 'json'
    ? jsonReply(200, [...((await sentResult(job, request)) ?? []), LINE_END])
    : await rendered({ form: format, result: result.kept }, job, parts, request);
}

/** GET /api/traverse/{id}/when. */
export async function getWhen(job: Job, parts: ServiceParts, request: ApiRequest): Promise<HttpReply> {
  const result = await resultOf(job);
  return 'kept' in result
    ? await rendered({ form: 'when', result: result.kept }, job, parts, request)
    : problemReply(result);
}

/** GET /api/traverse/{id}/exchanges/{xid}. */
export async function getExchange(job: Job, parts: ServiceParts, request: ApiRequest): Promise<HttpReply> {
  const { xid } = request;
  if (!isExchangeId(xid)) return problemReply(NO_EXCHANGE);
  const result = await resultOf(job);
  return 'kept' in result
    ? await rendered({ form: xid, result: result.kept }, job, parts, request)
    : problemReply(result);
}

/** What is made of a result, made once: a job that has ended keeps its result. */
async function rendered(
  order: RenderOrder,
  { id }: Job,
  { renderer, forms }: ServiceParts,
  { from }: ApiRequest,
): Promise<HttpReply> {
  const { form } = order;
  const key = `${id} ${form}`;
  const kept = forms.get(key);
  if (kept !== undefined) return replyOf({ kind: 'rendered', text: kept }, form);
  const rendering = await renderer.render(order, blocksOf(clientNetwork(from.client)));
  if (rendering.kind === 'rendered') forms.set(key, rendering.text);
  return replyOf(rendering, form);
}

/** The result of a job, or why there is none. */
async function resultOf(job: Job): Promise<{ readonly kept: RenderOrder['result'] } | Problem> {
  if (!isEnded(job.state)) return NOT_ENDED;
  const kept = (await resultTexts(job))?.full;
  return kept === undefined ? NO_RESULT : { kept };
}

const LINE_END = Buffer.from('\n');

const NAMES = formatsIn('api');
const UNKNOWN_FORMAT = problemOf(
  400,
  `The values of format are ${listed(NAMES, NAMES.length)}; without it, the reply is the job.`,
);
const NOT_ENDED = problemOf(409, 'The job has not ended, so its result has no form yet.');
const NO_RESULT = problemOf(409, 'The job ended without a result.');
const NO_EXCHANGE = problemOf(404, 'The result has no exchange or probe with this identifier.');
const NO_GRAPHVIZ = problemOf(
  501,
  'This service cannot draw: its operator can install the package @viz-js/viz. format=dot is for Graphviz elsewhere.',
);
const TOO_MUCH = problemOf(500, 'To render this result takes too much time or memory.');

function replyOf(rendering: Rendering, form: RenderedForm): HttpReply {
  switch (rendering.kind) {
    case 'rendered':
      return { kind: 'whole', status: 200, headers: headersOf(form), body: [rendering.text] };
    case 'no-exchange':
      return problemReply(NO_EXCHANGE);
    case 'no-graphviz':
      return problemReply(NO_GRAPHVIZ);
    case 'too-much':
      return problemReply(TOO_MUCH);
    case 'busy':
      return busyReply('Other results are being rendered.');
    case 'dropped':
      return busyReply('The service is shutting down.');
  }
}

function headersOf(form: RenderedForm): ReplyHeaders {
  if (form === 'when' || isExchangeId(form)) return { 'Content-Type': 'application/json' };
  const { mediaType, made } = FORMATS[form];
  // An image can be opened like a page; it may do nothing and load nothing. XML says itself how it is encoded.
  if (made.kind === 'picture')
    return { 'Content-Type': mediaType, 'Content-Security-Policy': "default-src 'none'; sandbox" };
  return { 'Content-Type': `${mediaType}; charset=utf-8` };
}

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

/**
 * POST /api/traverse. The rate limit comes first, before the body is read (svc-api(5)): a request that is
 * refused or invalid has used its token.
 */
export const postTraversal: Handler = async (request, parts) => {
  const { settings, limiter, metrics } = parts;
  const { client, exempt } = request.from;
  const bucket = clientNetwork(client, settings.clientPrefix6);
  const taken = exempt ? ({ kind: 'allowed' } as const) : await limiter.take(bucket);
  if (taken.kind === 'refused') {
    metrics.rateLimited.add();
    const retry = { 'Retry-After': `${taken.retryAfterSeconds}` };
    return textReply(429, `rate limit exceeded: ${taken.text}\n`, retry);
  }
  const key = readIdempotencyKey(request.headers['idempotency-key']?.toString());
  if (key === 'invalid') return problemReply(BAD_KEY);
  return await start(await request.readBody(), request, parts, key === 'none' ? undefined : key);
};

const BAD_KEY = problemOf(400, 'Idempotency-Key must be 1 to 255 printable ASCII characters without spaces.');
const KEY_USED = problemOf(
  422,
  'This client has used the Idempotency-Key for another request within a day: send another key.',
);

async function start(
  body: BodyRead,
  { from, headers }: ApiRequest,
  { jobs, settings, metrics, log }: ServiceParts,
  key: string | undefined,
): Promise<HttpReply> {
  if (body.kind === 'cut-off') return { kind: 'none' };
  if (body.kind === 'too-large') {
    return problemReply(problemOf(413, `The body must not exceed ${MAX_BODY_BYTES} octets.`));
  }
  const read = readTraversalRequest(body.bytes, settings.options, settings.views);
  if (read.kind === 'invalid') {
    return problemReply(problemOf(400, 'The body is not a valid request.', read.errors));
  }
  const { token, cancelHash } = createCancelToken(from.client, key);
  const submitted = await jobs.submit(read.request, { ...from, cancelHash }, key);
  if (submitted.kind === 'key-used') return problemReply(KEY_USED);
  // Neither reply would be true. A client without one asks again.
  if (submitted.kind === 'unknown') return { kind: 'none' };
  if (submitted.kind === 'refused') {
    metrics.jobsRefused.add({ reason: submitted.why });
    return BUSY[submitted.why];
  }
  await submitted.stored;
  const { id } = submitted.job;
  const traceparent = traceparentOf(headers, from);
  if (traceparent !== undefined) log.info('job accepted', { job: id, traceparent });
  const created: JobCreated = { id, status: 'queued', links: jobLinks(id), cancel: token };
  return valueReply(202, created, { Location: created.links.self });
}

/** A place in the queue is soon free: with each job that ends. */
const PLACE_SECONDS = 1;

const BUSY: Readonly<Record<NoRoom, HttpReply>> = {
  'queue-full': busyReply('The job queue is full.', PLACE_SECONDS),
  'client-queue-full': busyReply('This client has as many jobs waiting as it may.', PLACE_SECONDS),
  closing: busyReply('The service is shutting down.'),
  away: AWAY,
};

/** GET /api/traversals?name=. */
export const getHistory: Handler = async ({ query }, { jobs }) => {
  const asked = readAsked(query);
  if ('errors' in asked) return problemReply(problemOf(400, 'The query is not valid.', asked.errors));
  const past = await jobs.history(asked);
  if (past === 'away') return AWAY;
  return jsonReply(200, [Buffer.from(historyText(past, query))]);
};

function readAsked(query: URLSearchParams): HistoryAsked | { readonly errors: readonly Issue[] } {
  try {
    return historyAsked(readShape(HISTORY_REQUEST, Object.fromEntries(query)));
  } catch (error) {
    if (error instanceof ShapeError) return { errors: error.issues };
    throw error;
  }
}

function historyText({ jobs, before }: PastJobs, asked: URLSearchParams): string {
  const next = new URLSearchParams(asked);
  if (before !== undefined) next.set('before', before);
  const link = before === undefined ? '' : `,"next":${JSON.stringify(`${RESOURCE_PATHS.history}?${next}`)}`;
  return `{"traversals":[${jobs.map(pastJobText).join(',')}]${link}}`;
}
