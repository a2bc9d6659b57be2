import type { JobCreated } from '../../document/api/jobs.ts';
import { type Client, clientNetwork } from '../client.ts';
import { jobLinks } from '../job-document.ts';
import type { NoRoom } from '../jobs/jobs.ts';
import { type BodyRead, MAX_BODY_BYTES, readTraversalRequest } from '../request-body.ts';
import type { Handler, ServiceParts } from './handler.ts';
import { AWAY, busyReply, type HttpReply, problemOf, problemReply, textReply, valueReply } from './reply.ts';

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
  return await start(await request.readBody(), request.from, parts);
};

async function start(
  body: BodyRead,
  from: Client,
  { jobs, settings, metrics }: ServiceParts,
): Promise<HttpReply> {
  if (body.kind === 'cut-off') return { kind: 'none' };
  if (body.kind === 'too-large') {
    return problemReply(problemOf(413, `The body must not exceed ${MAX_BODY_BYTES} octets.`));
  }
  const read = readTraversalRequest(body.bytes, settings.options);
  if (read.kind === 'invalid') {
    return problemReply(problemOf(400, 'The body is not a valid request.', read.errors));
  }
  const submitted = await jobs.submit(read.request, from);
  if (submitted.kind === 'refused') {
    metrics.jobsRefused.add({ reason: submitted.why });
    return BUSY[submitted.why];
  }
  await submitted.stored;
  const { id } = submitted.job;
  const created: JobCreated = { id, status: 'queued', links: jobLinks(id) };
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
