import { type Family, familyOf } from '../dns/address.ts';
import type { Recording } from './recording.ts';

/**
 * The family over which nobody replied, not even a root server, while others did over the other one: it does not work from
 * here, whatever the host's routes say. Undefined: there is none.
 */
export function silentFamily({
  scope,
  exchanges,
}: Pick<Recording, 'scope' | 'exchanges'>): Family | undefined {
  const roots = new Set(scope.hints.nameservers.flatMap(({ glue }) => glue));
  const [asked, heard] = [new Set<Family>(), new Set<Family>()];
  for (const { address, outcome } of exchanges.values()) {
    if (roots.has(address)) asked.add(familyOf(address));
    if (outcome.kind === 'reply' || outcome.kind === 'malformed') heard.add(familyOf(address));
  }
  const silent = scope.families.filter((family) => asked.has(family) && !heard.has(family));
  return heard.size > 0 ? silent[0] : undefined;
}
