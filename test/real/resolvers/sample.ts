import { join } from 'node:path';
import { all } from '../all.ts';
import type { Cleanup } from '../cleanup.ts';
import { addAddresses } from '../loopback.ts';
import { coldResolver, type Lookup } from './cold.ts';
import type { ResolverSoftware } from './resolver.ts';

/** How often each outcome was seen. */
export type Seen = ReadonlyMap<string, number>;

/** Side by side: most of a slow look-up is waiting for a dead server. */
const processes = 6;

/**
 * Looks every question up `times` times with a cold resolver; the results are in the order of the
 * questions. `network` is the /24 (three octets) that the resolver's processes get addresses of.
 */
export async function sample(
  software: ResolverSoftware,
  questions: readonly Lookup[],
  times: number,
  place: { readonly network: string; readonly directory: string; readonly rootHints: string },
  cleanup: Cleanup,
): Promise<readonly Seen[]> {
  const seen = questions.map(() => new Map<string, number>());
  const pending = Array.from({ length: times }, () =>
    questions.map((question, i) => ({ question, i })),
  ).flat();
  const work = async (address: string) => {
    const directory = join(place.directory, `${software.name} ${address}`.replaceAll(' ', '-'));
    const lookUp = await coldResolver(software, { ...place, address, directory }, cleanup);
    for (let next = pending.pop(); next; next = pending.pop()) {
      const outcome = await lookUp(next.question);
      const counts = seen[next.i];
      counts?.set(outcome, (counts.get(outcome) ?? 0) + 1);
    }
  };
  const addresses = Array.from({ length: processes }, (_, i) => `${place.network}.${i + 1}`);
  cleanup.add(await addAddresses(addresses));
  await all(addresses.map(work));
  return seen;
}
