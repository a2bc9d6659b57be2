import { type Name, parentOf } from '../../wire/name.ts';
import { rrset, type Zone } from '../zone.ts';

/** A name of a zone that signing is about, and the types that it has there. */
export interface SignedName {
  readonly name: Name;
  readonly kind: 'data' | 'cut' | 'empty';
  readonly types: readonly string[];
}

/** The names of a zone and of its cuts, without what is below a cut or a DNAME (RFC 4035 2.3, RFC 6672 2.4). */
export function authoritativeNames(zone: Zone): SignedName[] {
  return [...zone.nodes.keys()].filter((name) => !isOccluded(zone, name)).map((name) => describe(zone, name));
}

function isOccluded(zone: Zone, name: Name): boolean {
  if (name === zone.apex) return false;
  const above = parentOf(name);
  if (above === undefined) return false;
  return isCut(zone, above) || rrset(zone, above, 'DNAME').length > 0 || isOccluded(zone, above);
}

function isCut(zone: Zone, name: Name): boolean {
  return name !== zone.apex && rrset(zone, name, 'NS').length > 0;
}

function describe(zone: Zone, name: Name): SignedName {
  const types = [...(zone.nodes.get(name)?.keys() ?? [])];
  // At a cut the parent's side has authority for DS only (RFC 4035 2.2, RFC 6840 4.1).
  if (isCut(zone, name))
    return { name, kind: 'cut', types: types.filter((type) => type === 'NS' || type === 'DS') };
  return { name, kind: types.length > 0 ? 'data' : 'empty', types };
}
