import { maySend, type Policy } from '../explore/policy/policy.ts';
import { type Name, ROOT } from '../wire/name.ts';
import type { MetServer } from './servers-met.ts';

/**
 * The server without the zones that it may not be asked about; undefined if it is to be left alone. The list
 * may have changed since the traversal met it. A server with names that are unknown may have a denied one.
 */
export function allowedPart(server: MetServer, policy: Policy): MetServer | undefined {
  if (server.allNames === 'unknown' && policy.list.names.length > 0) return undefined;
  if (!mayAsk(server, policy, ROOT)) return undefined;
  if (server.zones.length === 0) return server;
  const zones = server.zones.filter((zone) => !policy.deniesName(zone));
  return zones.length === 0 ? undefined : { ...server, zones };
}

/** Whether a server may be asked about a name, by all names of its own that are known. */
export function mayAsk({ address, names, allNames }: MetServer, policy: Policy, about: Name): boolean {
  const known = allNames === undefined || allNames === 'unknown' ? names : allNames;
  return maySend(policy, { address, names: known }, about);
}
