import type { JobEvent } from '../../document/events.ts';
import { isPublished, type RunEvent } from '../../progress/run-event.ts';
import { jsonLine } from '../../shape/safe-json.ts';
import { type OutputStream, whenUnread } from '../process/io.ts';

/** Writes the events of a run as they happen. */
interface EventWriter {
  readonly write: (event: RunEvent) => void;
  readonly stop: () => void;
}

/** Writes each event as a line. Once the reader has gone, nothing more is written; the run goes on. */
export function eventWriter(stream: OutputStream, lineOf: (event: JobEvent) => string): EventWriter {
  let write = (event: JobEvent) => {
    stream.write(lineOf(event));
  };
  const stop = whenUnread(stream, () => {
    write = () => {};
  });
  return {
    write: (event) => {
      if (isPublished(event)) write(event);
    },
    stop,
  };
}

/** Events as lines of JSON. */
export function jsonWriter(stream: OutputStream): EventWriter {
  return eventWriter(stream, jsonLine);
}

/** Where events are not written. */
export const NO_EVENTS: EventWriter = { write: () => {}, stop: () => {} };
