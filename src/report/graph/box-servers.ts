import { firstOfEach } from '../../reading/grouped.ts';
import type { Name } from '../../wire/name.ts';

/** A server that a box shows, at one of its addresses, asked for a zone. */
export interface BoxServer {
  readonly zone: Name;
  readonly name: Name;
  /** Absent where the server has no address. */
  readonly address?: string;
}

/** The servers that some boxes show, each once, as the member of one box; none where they show none. */
export function serversIn(boxes: readonly { readonly servers?: readonly BoxServer[] }[]): {
  readonly servers?: readonly BoxServer[];
} {
  const all = boxes.flatMap(({ servers = [] }) => servers);
  const servers = firstOfEach(all, ({ zone, name, address }) => `${zone} ${name} ${address}`);
  return servers.length === 0 ? {} : { servers };
}
