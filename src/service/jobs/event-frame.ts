/** One server-sent event. */
export interface ServerSentEvent {
  readonly id: number;
  readonly event: string;
  readonly data: string;
}

/**
 * An event as it goes over the wire (WHATWG HTML 9.2.5): a field a line, a blank line at the end. Data
 * of several lines becomes several fields; a receiver joins them again.
 */
export function encodeEvent({ id, event, data }: ServerSentEvent): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `id: ${id}\nevent: ${event}\n${lines.join('')}\n`;
}

/** A comment: receivers pass over it, but proxies see that the stream lives. */
export const HEARTBEAT = ': still here\n\n';

/**
 * The number in a Last-Event-ID header: how many events the receiver has. Absent, and anything that we
 * never sent as an id, counts as none.
 */
export function readLastEventId(header: string | undefined): number {
  return header !== undefined && /^[1-9]\d{0,14}$/.test(header) ? Number(header) : 0;
}
