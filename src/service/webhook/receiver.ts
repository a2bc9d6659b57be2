import { createHmac } from 'node:crypto';

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
export function webhookHeaders(
  { secret }: WebhookReceiver,
  { delivery, body }: Delivery,
): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': `${body.length}`,
    'Webhook-Id': delivery,
    ...(secret === undefined ? {} : { 'Webhook-Signature': signature(secret, body) }),
  };
}

function signature(secret: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
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
