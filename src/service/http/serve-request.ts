import type { IncomingMessage, ServerResponse } from 'node:http';
import { identifyClient } from '../clients/client-ip.ts';
import type { Log } from '../log.ts';
import { answer, type RoutedReply } from './answer.ts';
import type { Connection } from './connection.ts';
import { type Expects, objectionTo } from './objection.ts';
import type { ServiceParts } from './parts.ts';
import { problemOf, problemReply } from './problem.ts';
import { readBody } from './request-body.ts';
import { type Afterwards, send } from './send.ts';

/** One request as node:http delivers it. */
export interface Delivered {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly expects: Expects;
  readonly connection: Connection;
}

interface ServeSurroundings {
  readonly parts: ServiceParts;
  readonly log: Log;
  /** `close` while the service stops. */
  readonly afterwards: () => Afterwards;
}

/** Answers one request, counts it, and never rejects: an error of ours is a 500 and an entry in the log. */
export async function serveRequest(delivered: Delivered, around: ServeSurroundings): Promise<void> {
  const { message, response, expects, connection } = delivered;
  const { parts, log, afterwards } = around;
  await turnOf(response);
  let body: 'sent' | 'withheld' = expects === 'nothing' ? 'sent' : 'withheld';
  const begin = () => {
    body = 'sent';
    if (expects === 'continue') response.writeContinue();
  };
  const { reply, resource } = await replyTo(delivered, begin, parts).catch((error: unknown) => {
    log.error('request failed', { error: error instanceof Error ? error.stack : String(error) });
    return INTERNAL_ERROR;
  });
  const { method = '' } = message;
  const status = reply.kind === 'none' ? 'none' : `${reply.status}`;
  parts.metrics.requests.add({ resource, method: METHODS.has(method) ? method : 'other', status });
  if (reply.kind === 'stream') connection.streams(response, reply.live);
  // A client may send a body that it was not asked for, which must not pass for its next request.
  send(reply, message, response, body === 'withheld' ? 'close' : afterwards());
}

/**
 * RFC 9112 9.3.2: replies go out in the order of their requests. One that was made ahead of its turn would only take
 * memory, for as long as the client does not read those before it. If the connection closes first, the turn never comes.
 */
async function turnOf(response: ServerResponse): Promise<void> {
  if (response.socket === null) await new Promise((resolve) => response.once('socket', resolve));
}

async function replyTo(
  { message, expects }: Delivered,
  begin: () => void,
  parts: ServiceParts,
): Promise<RoutedReply> {
  const { method = '', url: target = '', headers, socket } = message;
  const from = identifyClient(socket.remoteAddress, headers, parts.settings);
  const objection = objectionTo(message, { expects, from, settings: parts.settings });
  if (objection !== undefined) return { reply: problemReply(objection), resource: 'none' };
  const read = () => readBody(message, begin);
  return await answer({ method, target, headers, from, readBody: read }, parts);
}

const INTERNAL_ERROR: RoutedReply = {
  reply: problemReply(problemOf(500, 'The service could not answer because of an internal error.')),
  resource: 'none',
};

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);
