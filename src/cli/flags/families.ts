import type { Delegation } from '../../explore/delegation.ts';
import { type Family, familyOf } from '../../wire/address.ts';
import { isLoopback } from '../../wire/special-purpose.ts';
import { notDone } from '../process/command-error.ts';

/** The families that the command line names; none if it leaves the choice open. */
export function namedFamilies(flags: { readonly 4?: true; readonly 6?: true }): readonly Family[] {
  return ([4, 6] as const).filter((family) => flags[family]);
}

/**
 * The families that this host has a route for; to root servers on loopback there always is one. Throws
 * a `CommandError` if there is none.
 */
export async function reachableFamilies(
  hints: Delegation,
  routed: () => Promise<readonly Family[]>,
): Promise<readonly Family[]> {
  const near = hints.nameservers.flatMap(({ glue }) => glue.filter(isLoopback).map(familyOf));
  const reachable = [...near, ...(await routed())];
  const families = ([4, 6] as const).filter((family) => reachable.includes(family));
  if (families.length > 0) return families;
  throw notDone('no network: this host has no route to the internet (try --demo, which needs none)');
}
