import type { ExchangeEvent } from '../../document/events.ts';
import { sayingWords } from '../../progress/saying.ts';
import { asked } from '../../reading/words/names.ts';
import { printable } from '../../reading/words/printable.ts';
import { count, time } from '../../reading/words/quantities.ts';
import type { LiveServer } from './live-zones.ts';
import { STATUS_WORDS } from './mark.tsx';
import { serverTitle } from './server-title.ts';

/** The tooltip of a server: its replies, and the questions that it has not answered yet. */
export function ServerTip({ id, server }: { readonly id: string; readonly server: LiveServer }) {
  const { did, times, awaited, status } = server;
  const shown = did.slice(0, MOST_SHOWN);
  return (
    <div class="tip" role="tooltip" id={id}>
      <p>
        <b>{serverTitle(server)}</b> <span class={`server-status ${status}`}>{STATUS_WORDS[status]}</span>
      </p>
      <ul>
        {shown.map((event) => (
          <li key={event.id}>
            <span class="muted">{asked(event.question)}</span> {printable(sayingWords(event))}
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
