import { readAddress, readEdns, readFlag, readQuestion } from '../document/read-exchange.ts';
import { readOptions } from '../document/read-result.ts';
import type { SummaryRow } from '../document/result.ts';
import type { EndKind } from '../evaluate/end.ts';
import type { JobEvent } from '../service/jobs/job-event.ts';
import { array, number, object, oneOf, optional, parsed, type Shape, text } from '../shape.ts';
import { parseName } from '../wire/name.ts';
import { readServerList } from './read-server-list.ts';

type EventName = JobEvent['event'];

/**
 * What the data of an event says, by the event's name: only what we know of it, in the order in which a
 * traversal of our own tells it.
 */
export const EVENTS: { readonly [N in EventName]: Shape<JobEvent> } = {
  started: (value, pointer) => ({ event: 'started', ...STARTED(value, pointer) }),
  exchange: (value, pointer) => ({ event: 'exchange', ...EXCHANGE(value, pointer) }),
  progress: (value, pointer) => ({ event: 'progress', ...PROGRESS(value, pointer) }),
  complete: (value, pointer) => ({ event: 'complete', ...COMPLETE(value, pointer) }),
  servers: (value, pointer) => ({ event: 'servers', ...readServerList(value, pointer) }),
};

const name = parsed(parseName);

const fraction: Shape<string> = parsed((value) => {
  if (!/^\d+(?:\/[1-9]\d*)?$/.test(value)) throw new Error('must be a fraction');
  return value;
});

const endKind: Shape<EndKind> = oneOf(
  'answer',
  'nodata',
  'nxdomain',
  'servfail',
  'timeout',
  'unreachable',
  'malformed',
  'error',
  'lame',
  'alias-loop',
  'unresolvable-ns',
  'no-glue',
  'loop',
  'blocked',
  'depth-limit',
  'query-limit',
  'time-limit',
  'work-limit',
  'pending',
);

const summary: Shape<readonly SummaryRow[]> = array(
  object({ probability: number, fraction, kind: endKind, answer: optional(array(text)) }),
);

const STARTED = object({
  query: object({
    name,
    type: (value, pointer) => readQuestion({ name: '.', type: value }, pointer).type,
    class: oneOf('IN'),
  }),
  options: readOptions,
  startedAt: text,
});

const EXCHANGE = object({
  id: text,
  server: object({ address: readAddress, names: array(name) }),
  question: readQuestion,
  transport: oneOf('udp', 'tcp'),
  attempts: number,
  elapsedMs: number,
  failure: optional(oneOf('malformed', 'unreachable', 'timeout')),
  failureDetail: optional(text),
  rcode: optional(text),
  flags: optional(array(readFlag)),
  rttMs: optional(number),
  bytes: optional(number),
  edns: optional(readEdns),
  zone: name,
  class: oneOf(
    'malformed',
    'unreachable',
    'timeout',
    'error',
    'alias-loop',
    'answer',
    'alias',
    'nxdomain',
    'nodata',
    'referral',
    'lame',
  ),
});

const PROGRESS = object({ exchanges: number, pending: number, elapsedMs: number, summary });

const COMPLETE = object({
  status: oneOf('complete', 'cancelled', 'failed'),
  summary,
  limits: array(oneOf('depth-limit', 'query-limit', 'time-limit', 'work-limit')),
  findings: object({ critical: number, error: number, warning: number, notice: number, info: number }),
  exitStatus: oneOf(0, 1, 3),
  durationMs: number,
});
