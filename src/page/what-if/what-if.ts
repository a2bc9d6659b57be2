import type { WhatIf } from '../../evaluate/what-if/what-if.ts';
import type { ImaginedResult } from '../../imagine.ts';
import { plain } from '../../reading/words/names.ts';
import type { BoxServer } from '../../report/graph/box-servers.ts';
import type { OffChoice } from '../parts/off-choice.ts';

/** Whether a server is off by its name, or this address of it. */
export function isOff({ off }: OffChoice, { name, address }: Pick<BoxServer, 'name' | 'address'>): boolean {
  return off.some((one) => (one.kind === 'server' ? one.name === name : one.address === address));
}

/** The change that the evaluation gets; undefined if nothing is off. */
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
