import { type ServerOrAddress, serverText, type WhatIf } from '../../evaluate/what-if/what-if.ts';
import type { ImaginedResult } from '../../imagine.ts';
import { plain } from '../../reading/words/names.ts';
import type { BoxServer } from '../../report/graph/box-servers.ts';

/** What becomes of servers that are switched off. */
export type OffMode = 'down' | 'without';

/** What is imagined: the servers that are switched off, in the order in which they were. */
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

/** Whether a server is off by its name, or this address of it. */
export function isOff({ off }: OffChoice, { name, address }: Pick<BoxServer, 'name' | 'address'>): boolean {
  return off.some((one) => (one.kind === 'server' ? one.name === name : one.address === address));
}

/** What the evaluation is asked to imagine; undefined if nothing is off. */
export function imaginedOf({ mode, off }: OffChoice): WhatIf | undefined {
  if (off.length === 0) return undefined;
  return { down: [], without: [], only: [], [mode]: off };
}

/** Why a world cannot be imagined. */
export function whyNotImagined(one: Exclude<ImaginedResult, { readonly kind: 'imagined' }>): string {
  switch (one.kind) {
    case 'unknown-server':
      return `No path comes to ${one.server.kind === 'server' ? plain(one.server.name) : one.server.address}.`;
    case 'emptied':
      return `That would leave ${plain(one.zone)} without a name server. Switch one of them on again.`;
  }
}
