import { useId, useRef, useState } from 'preact/hooks';
import type { LiveServer } from './live-zones.ts';
import { MarkSign, STANDING_WORDS } from './mark.tsx';
import { ServerTip } from './server-tip.tsx';
import { serverTitle } from './server-title.ts';

interface MarkRowProps {
  readonly zone: string;
  readonly servers: readonly LiveServer[];
}

/** A mark for each server of a zone. Tab comes to the row, arrow keys go along it, Escape closes what a mark tells. */
export function MarkRow({ zone, servers }: MarkRowProps) {
  const [current, setCurrent] = useState(0);
  const [open, setOpen] = useState<string>();
  const tip = useId();
  const row = useRef<HTMLDivElement>(null);
  const shown = servers.find(({ address }) => address === open);
  const walk = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setOpen(undefined);
    const next = targetOf(event.key, current, servers.length);
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    row.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div
      class="marks"
      role="toolbar"
      aria-label={`Servers of ${zone}`}
      ref={row}
      onKeyDown={walk}
      onMouseLeave={() => setOpen(undefined)}
    >
      {servers.map((server, at) => (
        <button
          key={server.address}
          type="button"
          class="mark"
          tabIndex={at === Math.min(current, servers.length - 1) ? 0 : -1}
          aria-label={`${serverTitle(server)}: ${STANDING_WORDS[server.standing]}`}
          data-open={open === server.address}
          aria-describedby={open === server.address ? tip : undefined}
          onFocus={() => {
            setCurrent(at);
            setOpen(server.address);
          }}
          onBlur={() => setOpen(undefined)}
          onMouseEnter={() => setOpen(server.address)}
          onClick={() => setOpen(server.address)}
        >
          <MarkSign standing={server.standing} />
        </button>
      ))}
      {shown !== undefined && <ServerTip id={tip} server={shown} />}
    </div>
  );
}

/** Where a key leads to in a row; undefined if nowhere. */
function targetOf(key: string, from: number, length: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return (from + 1) % length;
    case 'ArrowLeft':
    case 'ArrowUp':
      return (from - 1 + length) % length;
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
    default:
      return undefined;
  }
}
