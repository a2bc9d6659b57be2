import { type Name, parentOf, parseName } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';
import { type Node, rrset, type Zone } from './zone.ts';
import type { ZoneRecord } from './zone-file.ts';

/** What a zone has at a name (RFC 1034 4.3.2 step 3). */
type Found =
  /** The name is at or below a zone cut: these NS records delegate it. */
  | { readonly kind: 'cut'; readonly ns: readonly ZoneRecord[] }
  /** The name is below a DNAME's owner (RFC 6672 3.2). */
  | { readonly kind: 'redirection'; readonly dname: ZoneRecord }
  /** The name exists, or a wildcard stands in for it; the records have the name as owner. */
  | { readonly kind: 'name'; readonly node: Node }
  | { readonly kind: 'nothing' };

/** Looks up a question's name in a zone that encloses it. */
export function find(zone: Zone, question: Question): Found {
  for (const name of pathTo(question.name, zone.apex)) {
    const isQuestion = name === question.name;
    const ns = rrset(zone, name, 'NS');
    // RFC 4035 3.1.4.1: the parent's side of a cut answers for the DS type.
    const isParentsOwn = isQuestion && question.type === 'DS';
    if (ns.length > 0 && name !== zone.apex && !isParentsOwn) return { kind: 'cut', ns };
    const [dname] = rrset(zone, name, 'DNAME');
    if (dname !== undefined && !isQuestion) return { kind: 'redirection', dname };
  }
  const node = zone.nodes.get(question.name) ?? wildcard(zone, question.name);
  return node === undefined ? { kind: 'nothing' } : { kind: 'name', node };
}

/** The names from the apex down to the name, both included. */
function pathTo(name: Name, apex: Name): Name[] {
  const path = [name];
  for (let above = parentOf(name); path[0] !== apex && above !== undefined; above = parentOf(above)) {
    path.unshift(above);
  }
  return path;
}

/** RFC 4592 3.3.1: only the wildcard right below the closest encloser applies. */
function wildcard(zone: Zone, name: Name): Node | undefined {
  let encloser = parentOf(name);
  while (encloser !== undefined && !zone.nodes.has(encloser)) encloser = parentOf(encloser);
  if (encloser === undefined) return undefined;
  const source = zone.nodes.get(parseName(encloser === '.' ? '*.' : `*.${encloser}`));
  if (source === undefined) return undefined;
  const renamed = (records: readonly ZoneRecord[]) =>
    records.map((record) => ({ ...record, name, madeFrom: record.name }));
  // A wildcard's NSEC record is about its own name only.
  const types = [...source].filter(([type]) => type !== 'NSEC');
  return new Map(types.map(([type, records]) => [type, renamed(records)]));
}
