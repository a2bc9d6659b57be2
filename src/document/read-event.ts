import { readShape } from '../shape/shape.ts';
import { EVENTS, type JobEvent } from './events.ts';

/** Reads the data of an event. */
export type ReadEvent = (data: unknown) => JobEvent;

/** How the data of each event are read, by its name. Throw a `ShapeError` for what is none. */
export const EVENT_READERS: Readonly<Record<JobEvent['event'], ReadEvent>> = {
  started: (data) => ({ event: 'started', ...readShape(EVENTS.started, data) }),
  exchange: (data) => ({ event: 'exchange', ...readShape(EVENTS.exchange, data) }),
  progress: (data) => ({ event: 'progress', ...readShape(EVENTS.progress, data) }),
  complete: (data) => ({ event: 'complete', ...readShape(EVENTS.complete, data) }),
  servers: (data) => ({ event: 'servers', ...readShape(EVENTS.servers, data) }),
};
