/* Which servers the reader has switched off, and how the address of the page says so. */

import { parseAddress } from '../../dns/address.ts';
import { NameError, parseName, withoutFinalDot } from '../../dns/name.ts';
import { plain } from '../../document/words/names.ts';
import { type ServerOrAddress, serverText, type WhatIf } from '../../evaluate/world.ts';
import type { WhatIfReplay } from '../../traversal/replay.ts';

/** What happens to servers that are switched off. */
export type OffMode = 'down' | 'without';

/** The servers that are switched off, in the order of switching. */
export interface OffChoice {
  readonly mode: OffMode;
  readonly off: readonly ServerOrAddress[];
}

/** Everything as it was recorded. */
export const NOTHING_OFF: OffChoice = { mode: 'down', off: [] };

/** The same with a server, or one of its addresses, off if it was on, and the other way round. */
export function toggled({ mode, off }: OffChoice, one: ServerOrAddress): OffChoice {
  const others = off.filter((other) => serverText(other) !== serverText(one));
  return { mode, off: others.length < off.length ? others : [...off, one] };
}

/** More than anybody switches off by hand. */
const MOST_OFF = 100;

/** Reads the servers that an address has switched off, and ignores what is not a server. */
export function offChoiceIn(query: URLSearchParams): OffChoice {
  const mode = query.has('down') ? 'down' : 'without';
  const off = query.getAll(mode).slice(0, MOST_OFF).flatMap(serverIn);
  return off.length === 0 ? NOTHING_OFF : { mode, off };
}

/** Writes them as parameters of an address: none if nothing is off. */
export function offChoiceQuery({
  mode,
  off,
}: OffChoice): readonly (readonly [name: string, value: string])[] {
  return off.map((one) => [mode, one.kind === 'server' ? withoutFinalDot(one.name) : one.address]);
}

function serverIn(text: string): readonly ServerOrAddress[] {
  const address = parseAddress(text);
  if (address !== undefined) return [{ kind: 'address', address }];
  try {
    return [{ kind: 'server', name: parseName(text) }];
  } catch (error) {
    if (error instanceof NameError) return [];
    throw error;
  }
}

/** The change that the evaluation gets; undefined if nothing is off. */
export function whatIfOf({ mode, off }: OffChoice): WhatIf | undefined {
  if (off.length === 0) return undefined;
  return { down: [], without: [], only: [], [mode]: off };
}

/** Why a world cannot be imagined. */
export function whyNotPossible(one: Exclude<WhatIfReplay, { readonly kind: 'imagined' }>): string {
  switch (one.kind) {
    case 'unknown-server':
      return `No path comes to ${one.server.kind === 'server' ? plain(one.server.name) : one.server.address}.`;
    case 'taken':
      return `${serverText(one.server)} cannot be both gone and left.`;
    case 'emptied':
      return `That would leave ${plain(one.zone)} without a name server. Switch one of them on again.`;
  }
}
