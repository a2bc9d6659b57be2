/* Sends one webhook request to its receiver. */

import { createHmac } from 'node:crypto';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { onAbort } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';

/** The outcome of one attempt. The reason is a short word or code, never anything sent or received. */
export type WebhookOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'failed'; readonly reason: string };

/** How long an attempt may take. */
interface AttemptLimits {
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Octets of a reply's body that are read and discarded, so that the receiver can finish. */
const MOST_REPLY_BYTES = 65_536;

/**
 * Makes one attempt on a connection of its own, which is closed when the promise resolves. Any 2xx status
 * is success and any other a failure; redirects are not followed. The time-out covers the whole attempt,
 * but cannot undo what the status has decided. Aborting fails the attempt.
 */
export function attemptWebhook(
  receiver: WebhookReceiver,
  delivery: Delivery,
  { timeoutMs, clock }: AttemptLimits,
  signal: AbortSignal,
): Promise<WebhookOutcome> {
  return new Promise((resolve) => {
    const request = open(receiver, delivery);
    let decided: WebhookOutcome | undefined;
    const end = (reason: string) => {
      cancelTimer();
      stay();
      request.destroy();
      resolve(decided ?? { kind: 'failed', reason });
    };
    const cancelTimer = clock.after(timeoutMs, () => end('time-out'));
    const stay = onAbort(signal, () => end('shutdown'));
    request.on('error', (error) => end(codeOf(error)));
    request.on('close', () => end('closed'));
    request.on('response', (response) => {
      decided = outcomeOf(response.statusCode);
      readPast(response, () => end('closed'));
    });
    request.end(delivery.body);
  });
}

function open(receiver: WebhookReceiver, delivery: Delivery): ClientRequest {
  const request = receiver.url.protocol === 'https:' ? httpsRequest : httpRequest;
  // Without an agent no connection outlives its attempt.
  return request(receiver.url, { method: 'POST', agent: false, headers: webhookHeaders(receiver, delivery) });
}

function outcomeOf(status = 0): WebhookOutcome {
  return status >= 200 && status < 300
    ? { kind: 'delivered' }
    : { kind: 'failed', reason: `status ${status}` };
}

function readPast(response: IncomingMessage, end: () => void): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_REPLY_BYTES) end();
  });
  response.on('error', end);
  response.on('close', end);
}

/** The code of the system or of Node; the message could repeat parts of the URL. */
function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** The receiver of webhooks, and the secret that signs them. */
export interface WebhookReceiver {
  readonly url: URL;
  readonly secret?: string;
}

/** Reads the address of a receiver, an http or https URL, possibly with credentials; undefined for anything else. */
export function parseWebhookUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return isDecodable(url.username) && isDecodable(url.password) ? url : undefined;
}

export interface Delivery {
  /** The same whenever this event is delivered, also by a later process: a receiver can drop what it has had. */
  readonly delivery: string;
  readonly body: Buffer;
}

/** The headers of a delivery. node:http itself sends credentials in the URL as basic authentication. */
function webhookHeaders(
  { secret }: WebhookReceiver,
  { delivery, body }: Delivery,
): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': `${body.length}`,
    'Webhook-Id': delivery,
    ...(secret === undefined
      ? {}
      : { 'Webhook-Signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }),
  };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}
