import type { JobEvent } from '../../document/events.ts';
import { EVENT_READERS, type ReadEvent } from '../../document/read-event.ts';
import { ShapeError } from '../../shape/shape.ts';
import { eventsPath } from './jobs.ts';

export interface StreamListener {
  /** An event with its number. A stream that is opened anew tells all of them again. */
  readonly event: (event: JobEvent, number: number) => void;
  /** There is a connection; or there is none, and the browser tries again by itself. */
  readonly connection: (state: 'up' | 'lost') => void;
  /** The browser has given up: the service refused, or has nothing more to say. */
  readonly closed: () => void;
  /** The stream sent something that is not an event of a job. */
  readonly strange: (detail: string) => void;
}

/**
 * Opens the events of a job; the function returned closes them. When the connection breaks, the browser
 * goes on after the last event (`Last-Event-ID`, WHATWG HTML 9.2).
 */
export function openJobStream(id: string, listener: StreamListener): () => void {
  const source = new EventSource(eventsPath(id));
  for (const [name, read] of Object.entries(EVENT_READERS)) {
    source.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
      const event = eventIn(data, read);
      if (event instanceof Error) listener.strange(`event "${name}": ${event.message}`);
      else listener.event(event, Number(lastEventId));
    });
  }
  source.addEventListener('open', () => listener.connection('up'));
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) listener.closed();
    else listener.connection('lost');
  });
  return () => source.close();
}

function eventIn(data: string, read: ReadEvent): JobEvent | ShapeError | SyntaxError {
  try {
    return read(JSON.parse(data));
  } catch (error) {
    if (error instanceof ShapeError || error instanceof SyntaxError) return error;
    throw error;
  }
}
