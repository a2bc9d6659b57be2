/* A world to evaluate: the one that was recorded, or one in which something is imagined. */

import type { Name } from '../dns/name.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import type { Delegation } from '../explore/delegation.ts';
import type { MainWalkStart } from '../explore/main-walks.ts';
import type { Recording, Scope, WhyUnasked } from '../explore/recording.ts';

/** A main walk of a recording, in the world that was recorded or in another one. */
export interface MainWalk {
  readonly recording: Recording;
  readonly world: EvaluatedWorld;
  readonly start: MainWalkStart;
}

/** What unfolding sees of a recording: what was recorded, or what would have been in another world. */
export interface EvaluatedWorld {
  /** What stands in the place of a recorded delegation; it may have no server left. */
  readonly delegation: (recorded: Delegation) => Delegation;
  /** Which addresses of name servers there are to pick from, of those that lookups give. */
  readonly selection: Selection;
  /** Whether a server does not reply under this name, whatever its addresses. */
  readonly isDown: (server: Name) => boolean;
  /** What comes of an exchange, with a server that is up or down under the name picked. */
  readonly exchanged: (recorded: Exchanged, server: 'up' | 'down') => Exchanged;
  /** Why an exchange that the recording lacks counts as not made. */
  readonly lacking: (scope: Scope) => WhyUnasked;
}

/** Which of the addresses that lookups give there are to pick from. */
export interface Selection {
  /** Of one lookup's answer. None left: it gave no address. */
  readonly ofAnswer: (addresses: readonly string[]) => readonly string[];
  /** Of what the lookups of a name gave together; some are left. Absent: all. */
  readonly ofAll?: (addresses: readonly string[]) => readonly string[];
}

/** Every address that lookups give. */
export const EVERY_ADDRESS: Selection = { ofAnswer: (addresses) => addresses };

/** The world that was recorded. */
export const AS_RECORDED: EvaluatedWorld = {
  delegation: (recorded) => recorded,
  selection: EVERY_ADDRESS,
  isDown: () => false,
  exchanged: (recorded) => recorded,
  lacking: ({ maxWork }) => ({ kind: 'work-limit', limit: maxWork }),
};

/** A name server by its name, or whatever server has an address. */
export type ServerOrAddress =
  | { readonly kind: 'server'; readonly name: Name }
  | { readonly kind: 'address'; readonly address: string };

/** What is different in an imagined world: svc-model(7), WHAT IF. */
export interface WhatIf {
  /** Do not reply. */
  readonly down: readonly ServerOrAddress[];
  /** Are in no delegation, and no lookup gives them. */
  readonly without: readonly ServerOrAddress[];
  /** Of every delegation that has any of them, only these are left. */
  readonly only: readonly ServerOrAddress[];
}

/** The name, or the address, as results have it. */
export function serverText(one: ServerOrAddress): string {
  return one.kind === 'server' ? one.name : one.address;
}

/** Names and addresses, to be looked up. */
export interface NamesAndAddresses {
  readonly names: ReadonlySet<Name>;
  readonly addresses: ReadonlySet<string>;
}

/** Tells names from addresses. */
export function namesAndAddresses(servers: readonly ServerOrAddress[]): NamesAndAddresses {
  return {
    names: new Set(servers.flatMap((one) => (one.kind === 'server' ? [one.name] : []))),
    addresses: new Set(servers.flatMap((one) => (one.kind === 'address' ? [one.address] : []))),
  };
}
