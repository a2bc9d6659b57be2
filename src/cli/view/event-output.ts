/* Writes events as lines of text or of JSON. */

import { jsonLine } from '../../base/json.ts';
import type { ExchangeEvent, JobEvent } from '../../document/events.ts';
import { count, time } from '../../document/words/quantities.ts';
import { type Detail, printable } from '../../document/words/shortened.ts';
import { isPublished, type RunEvent } from '../../report/views/progress.ts';
import { REPLY_WORDS } from '../../report/views/seen-zones.ts';
import { softwareLine } from '../../report/views/wording.ts';
import { type OutputStream, roomIn, whenUnread } from '../process/io.ts';

/** An event as one line of text, safe to print, without a line end. */
export function eventLine(event: JobEvent, detail: Detail): string {
  return printable(words(event, detail));
}

function words(event: JobEvent, detail: Detail): string {
  switch (event.event) {
    case 'started':
      return `started    ${event.query.name} ${event.query.type}${again(event.attempt)}`;
    case 'exchange':
      return `exchange   ${[...exchangeWords(event), ...(detail === 'full' ? details(event) : [])].join('  ')}`;
    case 'progress': {
      const { exchanges, pending, elapsedMs } = event;
      return `progress   ${count(exchanges, 'reply', 'replies')}, ${pending} awaited, ${time(elapsedMs)}`;
    }
    case 'complete': {
      const { status, verdict, durationMs } = event;
      return `${status.padEnd(9)}  in ${time(durationMs)}${verdict === undefined ? '' : `: ${verdict.text}`}`;
    }
    case 'servers': {
      const { servers } = event;
      const software = servers.length === 0 ? '' : `: ${softwareLine(servers)}`;
      return `servers    ${count(servers.length, 'address', 'addresses')}${software}`;
    }
  }
}

function again(attempt: number | undefined): string {
  return attempt === undefined ? '' : `  again (attempt ${attempt}): what came before is void`;
}

function exchangeWords(event: ExchangeEvent): readonly string[] {
  const { zone, server, question, rcode, elapsedMs } = event;
  const said = event.class === 'error' && rcode !== undefined ? rcode : REPLY_WORDS[event.class];
  const [name] = server.names;
  const who = name === undefined ? server.address : `${name} ${server.address}`;
  return [zone, who, `${question.name} ${question.type}`, said, time(elapsedMs)];
}

function details({ transport, attempts, bytes, flags, failureDetail }: ExchangeEvent): readonly string[] {
  return [
    `over ${transport.toUpperCase()}`,
    count(attempts, 'query', 'queries'),
    ...(bytes === undefined ? [] : [count(bytes, 'octet')]),
    ...(flags === undefined || flags.length === 0 ? [] : [flags.join(' ')]),
    ...(failureDetail === undefined ? [] : [failureDetail]),
  ];
}

/** Writes the events of a run as they happen. */
export interface EventWriter {
  readonly write: (event: RunEvent) => void;
  /** See `RunObserver`. */
  readonly room: () => Promise<void> | undefined;
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
    room: () => roomIn(stream),
    stop,
  };
}

/** Events as lines of JSON. */
export function jsonWriter(stream: OutputStream): EventWriter {
  return eventWriter(stream, jsonLine);
}

/** Where events are not written. */
export const NO_EVENTS: EventWriter = { write: () => {}, room: () => undefined, stop: () => {} };
