import type { JobEvent } from '../../document/events.ts';
import { summaryLine } from '../../reading/summary-line.ts';
import { printable } from '../../reading/words/printable.ts';
import { count, time } from '../../reading/words/quantities.ts';
import { REPLY_WORDS } from './reply-words.ts';
import { softwareLine } from './software-line.ts';

/** An event as one line of text, safe to print, without a line end. */
export function eventLine(event: JobEvent): string {
  return printable(words(event));
}

function words(event: JobEvent): string {
  switch (event.event) {
    case 'started':
      return `started    ${event.query.name} ${event.query.type}`;
    case 'exchange': {
      const { zone, server, question, rcode, elapsedMs } = event;
      const said = event.class === 'error' && rcode !== undefined ? rcode : REPLY_WORDS[event.class];
      const asked = `${question.name} ${question.type}`;
      return `exchange   ${[zone, server.address, asked, said, time(elapsedMs)].join('  ')}`;
    }
    case 'progress': {
      const { exchanges, pending, elapsedMs, summary } = event;
      const heard = `${count(exchanges, 'reply', 'replies')}, ${pending} awaited, ${time(elapsedMs)}`;
      return `progress   ${heard}; so far ${summaryLine(summary, 'full')}`;
    }
    case 'complete': {
      const { status, summary, durationMs } = event;
      const ends = summary.length === 0 ? '' : `: ${summaryLine(summary, 'full')}`;
      return `${status.padEnd(9)}  in ${time(durationMs)}${ends}`;
    }
    case 'servers': {
      const { servers } = event;
      const software = servers.length === 0 ? '' : `: ${softwareLine(servers)}`;
      return `servers    ${count(servers.length, 'address', 'addresses')}${software}`;
    }
  }
}
