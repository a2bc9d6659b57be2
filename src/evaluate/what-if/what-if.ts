import type { Name } from '../../wire/name.ts';

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
export interface Named {
  readonly names: ReadonlySet<Name>;
  readonly addresses: ReadonlySet<string>;
}

/** Tells names from addresses. */
export function namesAndAddresses(servers: readonly ServerOrAddress[]): Named {
  return {
    names: new Set(servers.flatMap((one) => (one.kind === 'server' ? [one.name] : []))),
    addresses: new Set(servers.flatMap((one) => (one.kind === 'address' ? [one.address] : []))),
  };
}
