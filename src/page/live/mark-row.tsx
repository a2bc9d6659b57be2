import { useId, useRef, useState } from 'preact/hooks';
import { alongRow } from '../parts/along-row.ts';
import type { LiveServer } from './live-zones.ts';
import { MarkButton } from './mark-button.tsx';
import { ServerTip } from './server-tip.tsx';

interface MarkRowProps {
  readonly zone: string;
  readonly servers: readonly LiveServer[];
}

/** A mark for each server of a zone. Tab comes to the row, arrow keys go along it, Escape closes what a mark tells. */
export function MarkRow({ zone, servers }: MarkRowProps) {
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
