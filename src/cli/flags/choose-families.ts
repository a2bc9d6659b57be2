import type { Delegation } from '../../explore/delegation.ts';
import { type Family, familyOf } from '../../wire/address.ts';
import { isLoopback } from '../../wire/special-purpose.ts';
import { notDone } from '../process/exit-status.ts';

/** The families that the command line names; none: it leaves them open. */
export function namedFamilies(flags: { readonly 4?: true; readonly 6?: true }): readonly Family[] {
  return ([4, 6] as const).filter((family) => flags[family]);
}

/**
 * The families to ask in: those named, as they are; else those that this host has a route for, where
 * root hints on loopback are a route of their own. Throws a `CommandError` when there is none.
 */
export async function chooseFamilies(
  named: readonly Family[],
  hints: Delegation,
  routed: () => Promise<readonly Family[]>,
): Promise<readonly Family[]> {
  if (named.length > 0) return named;
  const near = hints.nameservers.flatMap(({ glue }) => glue.filter(isLoopback).map(familyOf));
  const reachable = [...near, ...(await routed())];
  const families = ([4, 6] as const).filter((family) => reachable.includes(family));
  if (families.length > 0) return families;
  throw notDone('no network: this host has no route to the internet (try --demo, which needs none)');
}
