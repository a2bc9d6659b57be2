import type { ComponentChildren } from 'preact';
import { type Name, ROOT } from '../../dns/name.ts';
import { plain } from '../../document/words/names.ts';
import { printable } from '../../document/words/shortened.ts';
import { NameText } from '../elements.tsx';

interface ZoneListProps {
  /** A chain leads from the root to one name; a tree branches. */
  readonly shape: 'chain' | 'tree';
  readonly children: ComponentChildren;
}

/** Zones from the root down, on a line that leads through them. */
export function ZoneList({ shape, children }: ZoneListProps) {
  return <ol class={`zones ${shape}`}>{children}</ol>;
}

interface ZoneItemProps {
  readonly zone: Name;
  /** What is to be noted of its delegation. */
  readonly remark?: string;
  /** How many of the listed zones enclose it. */
  readonly depth?: number;
  readonly children: ComponentChildren;
}

/** A zone, and what its servers do. */
export function ZoneItem({ zone, remark = '', depth = 0, children }: ZoneItemProps) {
  return (
    <li class="zone" style={{ '--depth': depth }}>
      <h3>
        {zone === ROOT ? 'the root' : <NameText name={printable(plain(zone))} />}
        {remark !== '' && <small>{printable(remark)}</small>}
      </h3>
      <div class="zone-servers">{children}</div>
    </li>
  );
}
