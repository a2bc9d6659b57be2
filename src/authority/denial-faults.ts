/* Finds faults in the NSEC and NSEC3 records of a signed zone file (RFC 4035 2.3, RFC 5155 7.1). */

import { canonicalKey } from '../dns/dnssec/canonical.ts';
import { NODE_CRYPTO } from '../dns/dnssec/node-crypto.ts';
import { nameHasher } from '../dns/dnssec/nsec3.ts';
import { type Name, withoutFinalDot } from '../dns/name.ts';
import { rdataText } from '../dns/rdata/rdata.ts';
import { Reader } from '../dns/reader.ts';
import { hashing, type presignedZoneOf } from './presigned.ts';
import { ownerOf } from './proofs.ts';
import { isCut, type Node, ofType, typesOf, type Zone } from './zone.ts';
import type { ZoneRecord } from './zone-file.ts';

/** A record with a fault, and the fault in words: "the next name is b.example instead of a.example". */
interface DenialFault {
  readonly record: ZoneRecord;
  readonly detail: string;
}

/** The NSEC and NSEC3 records that do not match the data of the zone. `hides`: the zone cut or DNAME that occludes a name. */
export function denialFaults(
  { zone, signatures, nsec3s }: ReturnType<typeof presignedZoneOf>,
  hides: (name: Name) => unknown,
): readonly DenialFault[] {
  if (signatures.length === 0) return [];
  const nodes = [...zone.nodes].filter(([name]) => hides(name) === undefined);
  const [first] = nsec3s;
  if (first !== undefined) return hashedFaults(zone, nodes, nsec3s, first);
  if (nodes.some(([, node]) => ofType(node, 'NSEC').length > 0)) return plainFaults(zone, nodes);
  return [{ record: zone.soa, detail: 'there are signatures, but neither NSEC nor NSEC3 records' }];
}

type Nodes = readonly (readonly [Name, Node])[];

function plainFaults(zone: Zone, nodes: Nodes): readonly DenialFault[] {
  const inOrder = nodes
    .map(([name, node]) => ({ name, node, key: canonicalKey(name) }))
    .filter(({ node }) => node.length > 0)
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  return inOrder.flatMap(({ name, node }, index) => {
    const [nsec] = ofType(node, 'NSEC');
    if (nsec === undefined)
      return node.slice(0, 1).map((record) => ({ record, detail: 'the name has no NSEC record' }));
    const [next = '', ...types] = wordsOf(nsec);
    const { name: after } = inOrder[(index + 1) % inOrder.length] ?? { name: zone.apex };
    // Names compare whatever their letters (RFC 4034 6.1, RFC 6840 5.1).
    const broken =
      next.toLowerCase() === after ? [] : [nextFault(withoutFinalDot(next), withoutFinalDot(after))];
    const wrong = typesFault(types, [...shownTypes(zone, name, node), 'RRSIG']);
    return [...broken, ...wrong].map((detail) => ({ record: nsec, detail }));
  });
}

/** The most hash rounds over all names; if more are needed, only the chain of NSEC3 records is checked. */
const MOST_HASHED = 500_000;

function hashedFaults(
  zone: Zone,
  nodes: Nodes,
  nsec3s: readonly ZoneRecord[],
  first: ZoneRecord,
): readonly DenialFault[] {
  const parameters = hashing(first);
  const isAlike = (one: ZoneRecord) => {
    const { iterations, salt } = hashing(one);
    return iterations === parameters.iterations && salt === parameters.salt;
  };
  const inOrder = nsec3s.filter(isAlike).sort((one, other) => (one.name < other.name ? -1 : 1));
  const types = new Map<Name, { readonly record: ZoneRecord; readonly types: readonly string[] }>();
  const faults: DenialFault[] = [];
  let isOptOut = false;
  for (const [index, record] of inOrder.entries()) {
    const [, flags, , , next = '', ...own] = wordsOf(record);
    isOptOut ||= flags === '1';
    types.set(record.name, { record, types: own });
    const after = labelOf(inOrder[(index + 1) % inOrder.length] ?? first);
    if (next.toLowerCase() !== after) faults.push({ record, detail: nextFault(next.toLowerCase(), after) });
  }
  if (nodes.length * (parameters.iterations + 1) > MOST_HASHED) return faults;
  const hashOf = nameHasher(parameters, NODE_CRYPTO.digest);
  for (const [name, node] of nodes) {
    const known = types.get(ownerOf(hashOf(name), zone.apex));
    const shown = shownTypes(zone, name, node);
    const isSigned = shown.some((type) => type !== 'NS') || name === zone.apex;
    if (known === undefined) {
      // Opt-out leaves out unsigned zone cuts and the empty non-terminals above them.
      if (!isSigned && isOptOut) continue;
      faults.push({ record: node[0] ?? zone.soa, detail: `${withoutFinalDot(name)} has no NSEC3 record` });
      continue;
    }
    for (const wrong of typesFault(known.types, isSigned ? [...shown, 'RRSIG'] : shown))
      faults.push({ record: known.record, detail: `${withoutFinalDot(name)}: ${wrong}` });
  }
  return faults;
}

/** The types at a name for which the zone has authority, or that delegate it. */
function shownTypes(zone: Zone, name: Name, node: Node): readonly string[] {
  const types = typesOf(node);
  return isCut(zone, name) ? types.filter((type) => ['NS', 'DS', 'NSEC'].includes(type)) : types;
}

function nextFault(next: string, after: string): string {
  return `the next name is ${next} instead of ${after}`;
}

function typesFault(listed: readonly string[], there: readonly string[]): readonly string[] {
  const missing = there.filter((type) => !listed.includes(type));
  const strange = listed.filter((type) => !there.includes(type));
  if (missing.length > 0) return [`the listed types lack ${missing.join(', ')}`];
  if (strange.length === 0) return [];
  return [`the listed types include ${strange.join(', ')}, which the name does not have`];
}

function labelOf({ name }: ZoneRecord): string {
  return name.slice(0, name.indexOf('.'));
}

function wordsOf({ type, rdata }: ZoneRecord): readonly string[] {
  return rdataText(type, 'IN', Reader.of(rdata).data(rdata.length)).split(' ');
}
