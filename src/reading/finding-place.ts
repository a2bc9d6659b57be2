import type { Finding } from '../document/findings.ts';
import type { TraversalResult } from '../document/result.ts';

/** Where a finding is: the server, and the zone it is a server of; empty where it names neither. */
export function findingPlace(finding: Pick<Finding, 'server' | 'zone'>): string {
  const { server, zone } = finding;
  if (server === undefined) return zone ?? '';
  return zone === undefined ? findingServer(finding) : `${findingServer(finding)} of ${zone}`;
}

/** The server that a finding names, with its address if it is about one; empty where it names none. */
export function findingServer({ server }: Pick<Finding, 'server'>): string {
  return [server?.name, server?.address].filter((part) => part !== undefined).join(' ');
}

/** Whether somebody else answered in the servers' place, so that nothing is known of them. */
export function isIntercepted({ findings }: Pick<TraversalResult, 'findings'>): boolean {
  return findings.some(({ code }) => code === 'PATH_INTERCEPTED');
}
