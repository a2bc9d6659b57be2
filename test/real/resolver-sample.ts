import { join } from 'node:path';
import { coldResolver, type Lookup } from './cold-resolver.ts';
import { addAddresses, all } from './daemon.ts';
import type { ResolverSoftware } from './resolvers.ts';
import type { Setting } from './setting.ts';

/** How often each outcome was seen. */
export type Seen = ReadonlyMap<string, number>;

/** How often each session is held, by how many resolvers side by side: a slow look-up mostly waits. */
export interface Effort {
  readonly times: number;
  readonly processes: number;
}

/** `network` is the /24 (three octets) that the resolver's processes get addresses of. */
interface SamplePlace extends Setting {
  readonly network: string;
}

/**
 * Holds every session with a resolver that is cold when it starts; the results are in the order of the
 * sessions and of the lookups in them.
 */
export async function sample(
  software: ResolverSoftware,
  sessions: readonly (readonly Lookup[])[],
  { times, processes }: Effort,
  { network, directory, rootHints, trustAnchors, cleanup }: SamplePlace,
): Promise<readonly (readonly Seen[])[]> {
  const seen = sessions.map((lookups) => lookups.map(() => new Map<string, number>()));
  const pending = Array.from({ length: times }, () =>
    sessions.map((lookups, i) => ({ lookups, counts: seen[i] ?? [] })),
  ).flat();
  const work = async (address: string) => {
    const place = { address, rootHints, trustAnchors, directory: join(directory, `resolver-${address}`) };
    const hold = await coldResolver(software, place, cleanup);
    for (let next = pending.pop(); next; next = pending.pop()) count(next.counts, await hold(next.lookups));
  };
  const addresses = Array.from({ length: processes }, (_, i) => `${network}.${i + 1}`);
  cleanup.add(await addAddresses(addresses));
  await all(addresses.map(work));
  return seen;
}

function count(counts: readonly Map<string, number>[], outcomes: readonly string[]): void {
  for (const [i, outcome] of outcomes.entries()) {
    counts[i]?.set(outcome, (counts[i]?.get(outcome) ?? 0) + 1);
  }
}

/** For the name of an assertion: "2 × nxdomain, 3 × answer 192.0.2.1". */
export function countsText(seen: Seen): string {
  return [...seen].map(([outcome, times]) => `${times} × ${outcome}`).join(', ');
}
