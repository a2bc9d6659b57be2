/* The events of a traversal and of a job, as they are told and read. */

import { described, named, type Of, readShape } from '../base/shape.ts';
import { object, optional } from '../base/shape-object.ts';
import { COUNT, list, oneOf, TIME } from '../base/shape-values.ts';
import { MILLISECONDS, NAME, QUERY, QUESTION } from './common-shapes.ts';
import { EXCHANGE_EVENT, SERVER } from './exchanges.ts';
import { FINDING_COUNTS } from './finding.ts';
import { OPTIONS } from './options.ts';
import { USERS, VERDICT } from './result.ts';
import { SERVER_LIST } from './servers.ts';
import { LIMIT_KIND } from './views.ts';

const STARTED = named(
  'StartedEvent',
  object({
    query: QUERY,
    options: OPTIONS,
    startedAt: TIME,
    attempt: optional(
      described(
        COUNT,
        'Which attempt this is, if not the first. All events before it are void, as before every further start.',
      ),
    ),
  }),
);

const PROGRESS = named(
  'ProgressEvent',
  object({
    exchanges: COUNT,
    pending: described(COUNT, 'Questions in flight or waiting for their turn.'),
    awaited: optional(
      described(
        list(object({ server: SERVER, question: QUESTION, zone: optional(NAME) })),
        'The first few of these questions, those that have waited longest first.',
      ),
    ),
    elapsedMs: MILLISECONDS,
  }),
);

/** How a traversal ends. */
export const ENDED_STATUS = oneOf('complete', 'failed', 'cancelled');

const COMPLETE = named(
  'CompleteEvent',
  object({
    status: ENDED_STATUS,
    verdict: optional(described(VERDICT, 'That of the result; absent without one.')),
    users: optional(described(list(USERS), 'Those of the result; absent without one.')),
    limits: described(list(LIMIT_KIND), 'Those that left something unknown, in any view.'),
    findings: described(FINDING_COUNTS, 'Number of findings by severity.'),
    durationMs: MILLISECONDS,
  }),
);

/** What a traversal came to: the data of the `complete` event. */
export type Conclusion = Of<typeof COMPLETE>;

/** The data of each event in the life of a job, in the order in which they happen. */
export const EVENTS = {
  started: STARTED,
  exchange: EXCHANGE_EVENT,
  progress: PROGRESS,
  complete: COMPLETE,
  servers: SERVER_LIST,
};

type EventNamed<N extends keyof typeof EVENTS> = { readonly event: N } & Of<(typeof EVENTS)[N]>;

/** An exchange has ended. Its server has the names known for the address by then. */
export type ExchangeEvent = EventNamed<'exchange'>;

/** What happens while a traversal runs, in order: one `started` first, one `complete` last. */
export type TraversalEvent =
  | EventNamed<'started'>
  | ExchangeEvent
  | EventNamed<'progress'>
  | EventNamed<'complete'>;

/** What happens in the life of a job: the events of its traversal, and the server list as the last. */
export type JobEvent = TraversalEvent | EventNamed<'servers'>;

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
