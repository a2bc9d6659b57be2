import { useMemo } from 'preact/hooks';
import type { ExchangeEvent } from '../../document/events.ts';
import { listed } from '../../document/words/lists.ts';
import { asked, plain, withAddress } from '../../document/words/names.ts';
import { count, time } from '../../document/words/quantities.ts';
import { printable, shortened } from '../../document/words/shortened.ts';
import { eventWords } from '../../report/views/seen-zones.ts';
import type { LiveServer, LiveZone } from '../model/live-zones.ts';
import { Marks } from '../picture/marks.tsx';
import { MarkSign, STATUSES } from '../picture/server-mark.tsx';
import { ZoneItem } from '../picture/zone-list.tsx';

/** A zone while a job runs, which is drawn again only when it has changed. */
export function LiveZoneItem({ zone }: { readonly zone: LiveZone }) {
  return useMemo(
    () => (
      <ZoneItem zone={zone.zone} depth={zone.depth}>
        <Marks
          label={`Servers of ${plain(zone.zone)}`}
          marks={zone.servers.map((server) => ({ ...server, key: server.address, title: titleOf(server) }))}
          tell={(server) => <Told {...server} />}
        />
        <p class="zone-words">{zone.words}</p>
        <Troubled servers={zone.servers} />
      </ZoneItem>
    ),
    [zone],
  );
}

/** More would be a wall of text; every mark tells the same. */
const MOST_NAMED = 4;

/** The servers that stand out, in words. */
function Troubled({ servers }: Pick<LiveZone, 'servers'>) {
  const all = servers.filter(({ status }) => status === 'fails' || status === 'differs');
  if (all.length === 0) return null;
  const rest = all.length - MOST_NAMED;
  return (
    <ul class="troubled">
      {all.slice(0, MOST_NAMED).map((server) => (
        <li key={server.address} class={`effect-${STATUSES[server.status].effect}`}>
          <MarkSign status={server.status} />
          <span>
            <b>{titleOf(server)}</b> {sayingsOf(server)}
          </span>
        </li>
      ))}
      {rest > 0 && <li class="muted">and {rest} more</li>}
    </ul>
  );
}

function sayingsOf({ did }: LiveServer): string {
  const all = [...new Set(did.map(eventWords))];
  return listed(all.map((words) => shortened(words, 'terse')));
}

/** The replies of a server, and the questions that it has not answered yet. */
function Told({ did, times, awaited }: LiveServer) {
  const shown = did.slice(0, MOST_SHOWN);
  return (
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
function titleOf({ name, address }: Pick<LiveServer, 'name' | 'address'>): string {
  return name === undefined ? address : withAddress({ name, address });
}
