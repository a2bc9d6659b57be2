import { hosts } from './world/hosts.ts';
import type { Copy, Delegated, SignedZone } from './world/signed-zone.ts';
import type { ZoneKeys } from './zone-keys.ts';

/** A zone's records as one server is to have them, as a zone file: what is delegated comes from the other zones. */
export function unsignedText(
  zone: SignedZone,
  { before = (lines) => lines }: Copy,
  keys: ReadonlyMap<SignedZone, ZoneKeys>,
): string {
  const { origin } = zone;
  const soa = `${origin} 3600 IN SOA hostmaster.example. hostmaster.example. 1 7200 3600 1209600 300`;
  const below = [...keys].filter(([child]) => child !== zone && parentOf(child, [...keys.keys()]) === zone);
  const delegations = below.flatMap(([child, childKeys]) => [
    ...serverLines(child),
    ...dsLines(child, childKeys),
  ]);
  const own = zone.lines
    .split('\n')
    .flatMap((line) => line.trim() || [])
    .map((line) => inFull(line, origin));
  return `${before([soa, ...serverLines(zone), ...own, ...delegations]).join('\n')}\n`;
}

/** The zone with the longest name that has this one below it. */
function parentOf(child: SignedZone, zones: readonly SignedZone[]): SignedZone | undefined {
  return zones
    .filter(
      ({ origin }) =>
        origin !== child.origin && `.${child.origin}`.endsWith(origin === '.' ? '.' : `.${origin}`),
    )
    .sort((a, b) => b.origin.length - a.origin.length)[0];
}

/** NS records and addresses. */
function serverLines({ origin, copies }: SignedZone): readonly string[] {
  return copies.flatMap(({ host }, i) => {
    const name = nameIn(`ns${i + 1}`, origin);
    return [`${origin} 3600 IN NS ${name}`, `${name} 3600 IN A ${hosts[host].address}`];
  });
}

function dsLines({ origin, delegated }: SignedZone, keys: ZoneKeys): readonly string[] {
  return dsOf(delegated, keys).map((data) => `${origin} 3600 IN DS ${data}`);
}

function dsOf(delegated: Delegated, { own, other }: ZoneKeys): readonly string[] {
  switch (delegated) {
    case 'own':
      return own.ds;
    case 'own and other':
      return [...own.ds, ...(other?.ds ?? [])];
    case 'own and unknown digest':
      return [...own.ds, ...own.ds.map((data) => data.replace(/^(\d+ \d+) \d+/, '$1 200'))];
    case 'other':
      return other?.ds ?? [];
    case 'unknown algorithm':
      return own.ds.map((data) => data.replace(/^(\d+) \d+/, '$1 200'));
    case 'nothing':
      return [];
  }
}

/** "www A 192.0.2.1" with its owner in full, TTL and class. */
function inFull(line: string, origin: string): string {
  const [owner = '', ...rest] = line.split(/\s+/);
  return `${nameIn(owner, origin)} 3600 IN ${rest.join(' ')}`;
}

function nameIn(owner: string, origin: string): string {
  if (owner === '@') return origin;
  return origin === '.' ? `${owner}.` : `${owner}.${origin}`;
}
