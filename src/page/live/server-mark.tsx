/* Shows the status of a server: its sign, the legend, the tip. */

import { keysOf } from '../../base/limits.ts';
import type { ExchangeEvent } from '../../document/events.ts';
import { asked, withAddress } from '../../document/words/names.ts';
import { count, time } from '../../document/words/quantities.ts';
import { printable } from '../../document/words/shortened.ts';
import type { Effect } from '../../report/views/effects.ts';
import { eventWords } from '../../report/views/seen-zones.ts';
import type { LiveServer } from '../model/live-zones.ts';

/** The sign of a server's status, which differs in shape, not only in colour. */
export function MarkSign({ status }: Pick<LiveServer, 'status'>) {
  return (
    <svg
      class={`sign ${status} effect-${STATUSES[status].effect}`}
      viewBox="0 0 20 20"
      width="20"
      height="20"
      aria-hidden="true"
    >
      <Shape status={status} />
    </svg>
  );
}

function Shape({ status }: Pick<LiveServer, 'status'>) {
  switch (status) {
    case 'agrees':
      return (
        <>
          <circle class="body" cx="10" cy="10" r="9" />
          <path class="ink" d="m5.8 10.4 2.9 2.9 5.6-6.2" />
        </>
      );
    case 'differs':
      return (
        <>
          <path class="body" d="M10 .6 19.4 10 10 19.4.6 10Z" />
          <path class="ink" d="M6 8.2h8M6 11.8h8M12 5.8 8 14.2" />
        </>
      );
    case 'fails':
      return (
        <>
          <rect class="body" x="1.4" y="1.4" width="17.2" height="17.2" rx="3" />
          <path class="ink" d="m6.2 6.2 7.6 7.6m0-7.6-7.6 7.6" />
        </>
      );
    case 'waiting':
      return <circle class="ring" cx="10" cy="10" r="8" />;
  }
}

/** What each sign means, and the effect whose colours it has. */
export const STATUSES = {
  agrees: { words: 'replies', effect: 'ends-well' },
  differs: { words: 'differs from the others', effect: 'differs' },
  fails: { words: 'fails', effect: 'fails' },
  waiting: { words: 'awaited', effect: 'leads-on' },
} as const satisfies Readonly<Record<LiveServer['status'], { words: string; effect: Effect }>>;

export function MarkLegend() {
  return (
    <ul class="legend">
      {keysOf(STATUSES).map((status) => (
        <li key={status}>
          <MarkSign status={status} /> {STATUSES[status].words}
        </li>
      ))}
    </ul>
  );
}

/** The tooltip of a server: its replies, and the questions that it has not answered yet. */
export function ServerTip({ id, server }: { readonly id: string; readonly server: LiveServer }) {
  const { did, times, awaited, status } = server;
  const shown = did.slice(0, MOST_SHOWN);
  return (
    <div class="tip" role="tooltip" id={id}>
      <p>
        <b>{serverTitle(server)}</b>{' '}
        <span class={`server-status effect-${STATUSES[status].effect}`}>{STATUSES[status].words}</span>
      </p>
      <ul>
        {shown.map((event) => (
          <li key={event.id}>
            <span class="muted">{asked(event.question)}</span> {printable(eventWords(event))}
            <span class="muted">{circumstances(event)}</span>
          </li>
        ))}
        {awaited.slice(0, MOST_SHOWN).map((question) => (
          <li key={asked(question)}>
            <span class="muted">{asked(question)}</span> no reply yet
          </li>
        ))}
        {times > shown.length && (
          <li class="muted">and {count(times - shown.length, 'more reply', 'more replies')}</li>
        )}
      </ul>
    </div>
  );
}

/** More would cover what is below. */
const MOST_SHOWN = 5;

function circumstances({ elapsedMs, transport, attempts, failureDetail }: ExchangeEvent): string {
  const parts = [
    time(elapsedMs),
    ...(transport === 'tcp' ? ['over TCP'] : []),
    ...(attempts > 1 ? [`${attempts} tries`] : []),
    ...(failureDetail === undefined ? [] : [printable(failureDetail)]),
  ];
  return `, ${parts.join(', ')}`;
}

/** A server by its name and address. */
export function serverTitle({ name, address }: Pick<LiveServer, 'name' | 'address'>): string {
  return name === undefined ? address : withAddress({ name, address });
}
