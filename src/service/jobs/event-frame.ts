/** One server-sent event. */
interface ServerSentEvent {
  readonly id: number;
  readonly event: string;
  readonly data: string;
}

/**
 * An event as it goes over the wire (WHATWG HTML 9.2.5): one field per line, then a blank line. Data of
 * several lines becomes several fields, which the receiver joins again.
 */
export function encodeEvent({ id, event, data }: ServerSentEvent): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `id: ${id}\nevent: ${event}\n${lines.join('')}\n`;
}

/** The events in text that has nothing else. */
export function framesIn(text: string): readonly string[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((frame) => `${frame}\n\n`);
}

/** A comment: receivers ignore it, and proxies see that the stream is alive. */
export const HEARTBEAT = ': still here\n\n';

/**
 * The number in a Last-Event-ID header, which is how many events the receiver has: 0 without the header,
 * and for anything that this service never sends as an id.
 */
export function readLastEventId(header: string | undefined): number {
  return header !== undefined && /^[1-9]\d{0,14}$/.test(header) ? Number(header) : 0;
}
