import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { shortened } from '../../document/words/shortened.ts';
import { eventWords } from '../../report/views/seen-zones.ts';
import { alongRow, NameText } from '../elements.tsx';
import type { LiveServer, LiveZone } from '../model/live-zones.ts';
import { MarkSign, ServerTip, STATUSES, serverTitle } from './server-mark.tsx';

/** Zones from the root down, with a mark for each of their servers. */
export function ZoneList({ zones, shape }: ZoneListProps) {
  return (
    <ol class={`zones ${shape}`}>
      {zones.map((zone) => (
        <ZoneItem key={zone.zone} zone={zone} />
      ))}
    </ol>
  );
}

interface ZoneListProps {
  readonly zones: readonly LiveZone[];
  /** A chain leads from the root to one name; a tree branches. */
  readonly shape: 'chain' | 'tree';
}

/** A zone, which is drawn again only when it has changed. */
function ZoneItem({ zone }: { readonly zone: LiveZone }) {
  return useMemo(() => {
    const name = plain(zone.zone);
    return (
      <li class="zone" style={{ '--depth': zone.depth }}>
        <h3>
          <NameText name={name} />
        </h3>
        <p class="zone-words">{zone.words}</p>
        <MarkRow zone={name} servers={zone.servers} />
        <Troubled servers={zone.servers} />
      </li>
    );
  }, [zone]);
}

function sayingsOf({ did }: LiveServer): string {
  const all = [...new Set(did.map(eventWords))];
  return listed(all.map((words) => shortened(words, 'terse')));
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
            <b>{serverTitle(server)}</b> {sayingsOf(server)}
          </span>
        </li>
      ))}
      {rest > 0 && <li class="muted">and {rest} more</li>}
    </ul>
  );
}

interface MarkRowProps {
  readonly zone: string;
  readonly servers: readonly LiveServer[];
}

/** A mark for each server of a zone. Tab comes to the row, arrow keys go along it, Escape closes what a mark tells. */
function MarkRow({ zone, servers }: MarkRowProps) {
  const [current, setCurrent] = useState<string>();
  const { open, hold, hover, close } = useOpenMark();
  const tip = useId();
  const row = useRef<HTMLDivElement>(null);
  const shown = servers.find(({ address }) => address === open);
  // Others may have come before it.
  const place = Math.max(
    0,
    servers.findIndex(({ address }) => address === current),
  );
  const walk = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    const next = alongRow(event.key, place, servers.length);
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(servers[next]?.address);
    row.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div
      class="marks"
      role="toolbar"
      aria-label={`Servers of ${zone}`}
      ref={row}
      onKeyDown={walk}
      onMouseLeave={() => hover(undefined)}
    >
      {servers.map((server, at) => (
        <MarkButton
          key={server.address}
          server={server}
          isReachable={at === place}
          tip={open === server.address ? tip : undefined}
          hover={() => hover(server.address)}
          hold={() => {
            setCurrent(server.address);
            hold(server.address);
          }}
          letGo={() => hold(undefined)}
        />
      ))}
      {shown !== undefined && <ServerTip id={tip} server={shown} />}
    </div>
  );
}

/**
 * Which mark of a row tells what its server did, by address: the one under the pointer, else the one that has the
 * focus or was tapped. So a page that moves under a resting pointer takes nothing away.
 */
function useOpenMark() {
  const [held, setHeld] = useState<string>();
  const [hovered, setHovered] = useState<string>();
  const hold = (address: string | undefined) => {
    setHeld(address);
    if (address !== undefined) setHovered(undefined);
  };
  const close = () => {
    setHeld(undefined);
    setHovered(undefined);
  };
  return { open: hovered ?? held, hold, hover: setHovered, close };
}

interface MarkButtonProps {
  readonly server: LiveServer;
  /** Whether Tab comes here: it does to one mark of each row. */
  readonly isReachable: boolean;
  /** The identifier of what tells more, while it is shown. */
  readonly tip: string | undefined;
  readonly hover: () => void;
  readonly hold: () => void;
  readonly letGo: () => void;
}

/** The mark of a server, which tells what that did when it is pointed at, has the focus or is tapped. */
function MarkButton({ server, isReachable, tip, hover, hold, letGo }: MarkButtonProps) {
  return (
    <button
      type="button"
      class="mark"
      tabIndex={isReachable ? 0 : -1}
      aria-label={`${serverTitle(server)}: ${STATUSES[server.status].words}`}
      aria-describedby={tip}
      data-open={tip !== undefined}
      onFocus={hold}
      onBlur={letGo}
      onMouseEnter={hover}
      onClick={hold}
    >
      <MarkSign status={server.status} />
    </button>
  );
}
