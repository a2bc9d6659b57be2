import { useMemo } from 'preact/hooks';
import { sayingWords } from '../../progress/saying.ts';
import { listed } from '../../reading/words/listed.ts';
import { plain } from '../../reading/words/names.ts';
import { shortened } from '../../reading/words/shortened.ts';
import { NameText } from '../parts/name-text.tsx';
import type { LiveServer, LiveZone } from './live-zones.ts';
import { MarkSign } from './mark.tsx';
import { MarkRow } from './mark-row.tsx';
import { serverTitle } from './server-title.ts';

interface ZoneListProps {
  readonly zones: readonly LiveZone[];
  /** A chain leads from the root to one name; a tree branches. */
  readonly shape: 'chain' | 'tree';
}

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
  const all = [...new Set(did.map(sayingWords))];
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
        <li key={server.address} class={server.status}>
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
