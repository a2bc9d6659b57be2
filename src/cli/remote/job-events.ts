import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { octetsText } from '../../base/octets.ts';
import { ShapeError } from '../../base/shape.ts';
import { EVENT_READERS, type JobEvent, type ReadEvent } from '../../document/events.ts';
import { failed, ok, type RunAnswer } from '../../document/run-answer.ts';

/**
 * The events of a job, out of the octets of any number of connections. Each is told once, in order
 * (WHATWG HTML 9.2).
 */
export class JobEvents {
  readonly #follower: Follower;
  readonly #bounds: EventBounds;
  readonly #started: (options: StartedOptions) => void;
  readonly #parser = createParser({
    onEvent: (message) => this.#hear(message),
    onComment: () => this.#move(),
    onRetry: (ms) => {
      this.retryMs = ms;
    },
  });
  #decoder = new TextDecoder();
  /** The number of the last event. */
  #last = 0;
  #events = 0;
  #octets = 0;
  /** Octets since the last end of an event or comment, and since there was reason to be patient. */
  #unfinished = 0;
  #still = 0;
  #brought: { news: Brought['news']; pace: Brought['pace']; over?: RunAnswer<void> } = nothing();
  /** How long the server wants the next attempt to wait; undefined if it never said. */
  retryMs: number | undefined;

  constructor(follower: Follower, bounds: EventBounds, started: (options: StartedOptions) => void) {
    this.#follower = follower;
    this.#bounds = bounds;
    this.#started = started;
  }

  /** Of the request for the events that are missing. */
  get headers(): Readonly<Record<string, string>> {
    const last = this.#last === 0 ? {} : { 'Last-Event-ID': `${this.#last}` };
    return { Accept: 'text/event-stream', 'Cache-Control': 'no-cache', ...last };
  }

  /** What comes next is the beginning of a stream. */
  connected(): void {
    this.#parser.reset();
    this.#decoder = new TextDecoder();
    this.#unfinished = 0;
    this.#still = 0;
  }

  /** Reads some octets of the stream, and tells the follower what they complete. */
  read(octets: Uint8Array): Brought {
    this.#brought = nothing();
    this.#octets += octets.length;
    this.#unfinished += octets.length;
    this.#still += octets.length;
    this.#parser.feed(this.#decoder.decode(octets, { stream: true }));
    if (this.#still >= MOVING_OCTETS) this.#move();
    const excess = this.#excess();
    if (excess !== undefined) this.#end(failed({ kind: 'not-a-service', detail: excess }));
    return this.#brought;
  }

  #excess(): string | undefined {
    const { eventOctets, octets, events } = this.#bounds;
    if (this.#unfinished > eventOctets) return `an event is larger than ${octetsText(eventOctets)}`;
    if (this.#octets > octets) return `its events are larger than ${octetsText(octets)}`;
    return this.#events > events ? `it sent more than ${events} events` : undefined;
  }

  #hear({ event = 'message', data, id = '' }: EventSourceMessage): void {
    this.#events += 1;
    this.#unfinished = 0;
    this.#move();
    const read = READERS.get(event);
    if (read === undefined || this.#brought.over !== undefined) return;
    const number = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined;
    if (number === undefined) this.#end(strange(event, 'it has no id'));
    else if (number > this.#last) {
      this.#last = number;
      this.#brought.news = 'something';
      this.#tell(event, read, data);
    }
  }

  #tell(name: string, read: ReadEvent, data: string): void {
    const event = parsed(read, data);
    if (event instanceof Error) {
      this.#end(strange(name, event.message));
      return;
    }
    if (event.event === 'started') this.#started(event.options);
    if (this.#follower.event(event) === 'enough') this.#end(ok(undefined));
  }

  #move(): void {
    this.#still = 0;
    this.#brought.pace = 'moving';
  }

  /** The first end counts. */
  #end(answer: RunAnswer<void>): void {
    this.#brought.over ??= answer;
  }
}

/** Who follows a job's events. */
export interface Follower {
  /** Receives each event once, in order, and says when it has seen enough. */
  readonly event: (event: JobEvent) => 'go-on' | 'enough';
  /** The connection was lost, and is being restored; or it is back. */
  readonly connection: (state: 'lost' | 'back') => void;
  /** Resolves once the follower can take more events; undefined if it can. Absent: it always can. */
  readonly room?: () => Promise<void> | undefined;
}

/** How much is read of a server's events. */
export interface EventBounds {
  /** Octets of one event, and of all. */
  readonly eventOctets: number;
  readonly octets: number;
  readonly events: number;
}

/** What some octets brought. */
interface Brought {
  readonly news: 'nothing' | 'something';
  /** Slow: nothing came to its end. Whoever sends an octet now and then keeps nobody waiting. */
  readonly pace: 'moving' | 'slow';
  /** Set once nothing is left to hear. */
  readonly over?: RunAnswer<void>;
}

/** The options of a job that has started. */
type StartedOptions = Extract<JobEvent, { readonly event: 'started' }>['options'];

/** So many octets are news of some kind, even without the end of an event. */
const MOVING_OCTETS = 64 * 1_024;

const READERS: ReadonlyMap<string, ReadEvent> = new Map(Object.entries(EVENT_READERS));

function nothing() {
  return { news: 'nothing', pace: 'slow' } as const;
}

function parsed(read: ReadEvent, data: string): JobEvent | ShapeError | SyntaxError {
  try {
    return read(JSON.parse(data));
  } catch (error) {
    if (error instanceof ShapeError || error instanceof SyntaxError) return error;
    throw error;
  }
}

function strange(event: string, detail: string): RunAnswer<never> {
  return failed({ kind: 'not-a-service', detail: `event "${event}": ${detail}` });
}
