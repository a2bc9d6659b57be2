/* What is found in the list of servers of a traversal, of which no traversal asks. */

import { getOrMake } from '../base/memo.ts';
import type { Name } from '../dns/name.ts';
import type { Finding } from '../document/finding.ts';
import type { ListedServer, ServerList } from '../document/servers.ts';
import type { Entry } from './catalogue.ts';

/** The codes that only a server list can have, as no traversal asks for them: svc-findings(7), SERVER LIST. */
export const LIST_CODES = {
  VERSION_DISCLOSED: { severity: 'info', who: 'operator', reference: 'RFC 4892' },
} as const satisfies Readonly<Record<string, Entry>>;

/** The list of servers that are known now, with what is found in it. A pure function. */
export function readyList(servers: readonly ListedServer[]): ServerList {
  return { status: 'ready', servers, findings: findingsIn(servers) };
}

function findingsIn(servers: readonly ListedServer[]): readonly Finding[] {
  const zones = new Map<Name, ListedServer[]>();
  for (const server of servers) {
    if (server.software?.version === undefined) continue;
    for (const zone of server.zones) getOrMake(zones, zone, () => []).push(server);
  }
  const { severity, reference } = LIST_CODES.VERSION_DISCLOSED;
  return [...zones].map(([zone, disclosing], at) => ({
    id: `f${at + 1}`,
    code: 'VERSION_DISCLOSED',
    severity,
    reference,
    zone,
    message: messageOf(disclosing),
    advice: 'Hide the version if you do not want that.',
    causes: [],
    evidence: [],
  }));
}

function messageOf(disclosing: readonly ListedServer[]): string {
  const products = productsOf(disclosing);
  const who = disclosing.length === 1 ? '1 address tells' : `${disclosing.length} addresses tell`;
  const what = [...products]
    .map(([product, versions]) => `${product} ${[...versions].join(' and ')}`)
    .join(', ');
  const mixed = [...products.values()].some(({ size }) => size > 1)
    ? ' Not all run the same version: update the servers that run an older one.'
    : '';
  return `${who} anybody which version runs there (${what}), and with it its known vulnerabilities.${mixed}`;
}

/** The versions of each product. */
function productsOf(servers: readonly ListedServer[]): ReadonlyMap<string, ReadonlySet<string>> {
  const products = new Map<string, Set<string>>();
  for (const { software } of servers) {
    const { product, version } = software ?? {};
    if (product === undefined || version === undefined) continue;
    getOrMake(products, product, () => new Set<string>()).add(version);
  }
  return products;
}
