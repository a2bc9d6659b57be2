/**
 * Authority: what an authoritative server replies from zone data, for the servers of the lab and for planned ones.
 *
 * `zone-file` reads a zone file, which `entries` splits; `zone` makes a zone of the
 * records. Here is the answer by the rules of RFC 1034 4.3.2, 4592, 6672 and 2308 alone; `secured` adds the signatures and
 * proofs of RFC 4035 and 5155, with the NSEC and NSEC3 records that `proofs` picks; where they come from is the zone's
 * `security`: the lab makes them when they are needed, `presigned` finds them in the file.
 */

import { getOrMake } from '../base/memo.ts';
import type { Question } from '../dns/message.ts';
import {
  isAtOrBelow,
  isBelow,
  labelCount,
  type Name,
  nameToWire,
  parentOf,
  parseName,
  substituteSuffix,
} from '../dns/name.ts';
import { type Assertion, minimumOf, type Node, ofType, type RRset, rrset, type Zone } from './zone.ts';
import type { ZoneRecord } from './zone-file.ts';

/** What a server answers to a question, before EDNS, faults and the wire. */
export interface Answer {
  /** IANA mnemonic. */
  readonly rcode: string;
  /** The AA bit: of the first owner name in the answer (RFC 1035 4.1.1). */
  readonly authoritative: boolean;
  readonly answer: readonly ZoneRecord[];
  readonly authority: readonly ZoneRecord[];
  readonly additional: readonly ZoneRecord[];
  /** What else it says without saying it, and would have to prove. */
  readonly assertions: readonly ZoneAssertion[];
}

/** A zone and what is said of one of its names. */
interface ZoneAssertion {
  readonly zone: Zone;
  readonly assertion: Assertion;
}

/** An answer with a response code and nothing else. */
export function bare(rcode: string): Answer {
  return { rcode, authoritative: false, answer: [], authority: [], additional: [], assertions: [] };
}

/**
 * The authoritative answer to a question of class IN from the zones a server has (RFC 1034 4.3.2):
 * data, referral, NXDOMAIN or NODATA; aliases are followed as far as these zones contain them, or to SERVFAIL after
 * `mostAliases`. REFUSED if none of the zones contains the name.
 */
export function answerFrom(
  zones: readonly Zone[],
  question: Question,
  mostAliases = Number.POSITIVE_INFINITY,
): Answer {
  const zone = zoneFor(zones, question);
  if (zone === undefined) return bare('REFUSED');
  return follow(zone, { zones, question, mostAliases, aliases: [], assertions: [] });
}

/** As many aliases as BIND follows. */
export const USUAL_ALIASES = 12;

/** The deepest zone that contains the name; for DS at an apex the one above, if there is one (RFC 4035 3.1.4.1). */
export function zoneFor(zones: readonly Zone[], { name, type }: Question): Zone | undefined {
  const deepest = (candidates: readonly Zone[]) =>
    [...candidates].sort((a, b) => labelCount(b.apex) - labelCount(a.apex))[0];
  const above = type === 'DS' ? deepest(zones.filter((zone) => isBelow(name, zone.apex))) : undefined;
  return above ?? deepest(zones.filter((zone) => isAtOrBelow(name, zone.apex)));
}

/** A question on its way through a server's zones. */
interface Search {
  readonly zones: readonly Zone[];
  readonly question: Question;
  readonly mostAliases: number;
  /** The CNAME and DNAME records that led here. */
  readonly aliases: readonly ZoneRecord[];
  /** What was said on the way. */
  readonly assertions: readonly ZoneAssertion[];
}

function follow(zone: Zone, search: Search): Answer {
  const { question, aliases } = search;
  const found = find(zone, question);
  switch (found.kind) {
    case 'cut': {
      const assertions = asserting(zone, 'cut', found.ns[0]?.name ?? question.name, search);
      return { ...referral(zone, found.ns), authoritative: aliases.length > 0, answer: aliases, assertions };
    }
    case 'redirection':
      return redirect(found.dname, search);
    case 'nothing': {
      const assertions = asserting(zone, 'no-name', question.name, search);
      return { ...negative(zone, 'NXDOMAIN'), answer: aliases, assertions };
    }
    case 'name':
      return fromNode(zone, found.node, search);
  }
}

function asserting(
  zone: Zone,
  kind: Assertion['kind'],
  name: Name,
  { assertions }: Search,
): readonly ZoneAssertion[] {
  return [...assertions, { zone, assertion: { kind, name } }];
}

function fromNode(zone: Zone, node: Node, search: Search): Answer {
  const { question, aliases } = search;
  const records = recordsAt(zone, node, question.type);
  const taking = (taken: ZoneRecord | undefined) =>
    taken?.madeFrom === undefined ? search.assertions : asserting(zone, 'expanded', question.name, search);
  if (records.length > 0) {
    const [answer, additional] = [[...aliases, ...records], addressesOf(zone, records)];
    return { ...bare('NOERROR'), authoritative: true, answer, additional, assertions: taking(records[0]) };
  }
  const [cname] = ofType(node, 'CNAME');
  if (cname?.target === undefined) {
    const assertions = asserting(zone, 'no-data', question.name, search);
    return { ...negative(zone, 'NOERROR'), answer: aliases, assertions };
  }
  return restart(cname.target, { ...search, aliases: [...aliases, cname], assertions: taking(cname) });
}

/** The signatures of a name are made later, of all that it has. */
function recordsAt(zone: Zone, node: Node, type: string): readonly ZoneRecord[] {
  const isAll = type === 'ANY' || (type === 'RRSIG' && zone.security !== undefined);
  return isAll ? node : ofType(node, type);
}

/** RFC 6672 3.1: the DNAME and a CNAME made from it; YXDOMAIN if the new name would be too long. */
function redirect(dname: ZoneRecord, search: Search): Answer {
  const { question, aliases, assertions } = search;
  const target = dname.target && substituteSuffix(question.name, dname.name, dname.target);
  if (target === undefined)
    return { ...bare('YXDOMAIN'), authoritative: true, answer: [...aliases, dname], assertions };
  const { ttl } = dname;
  const rdata = nameToWire(target);
  const cname = { name: question.name, type: 'CNAME', ttl, rdata, target, madeFrom: dname.name };
  const answer = [...aliases, dname, cname];
  // Such a DNAME makes the name longer and longer: like NSD, follow it once.
  const isEndless = dname.target !== undefined && isBelow(dname.target, dname.name);
  return isEndless || question.type === 'CNAME' || question.type === 'ANY'
    ? { ...bare('NOERROR'), authoritative: true, answer, assertions }
    : restart(target, { ...search, aliases: answer });
}

/** RFC 1034 4.3.2 step 3a: back to step 1 with the alias's target, unless the target has been seen before. */
function restart(target: Name, search: Search): Answer {
  const { zones, aliases, assertions, mostAliases } = search;
  const question = { ...search.question, name: target };
  const zone = zoneFor(zones, question);
  const followed = aliases.filter(({ type }) => type === 'CNAME');
  const isLoop = followed.some(({ name }) => name === target);
  const isTooLong = followed.length >= mostAliases;
  if (zone !== undefined && !isLoop && !isTooLong) return follow(zone, { ...search, question });
  const isLimit = isTooLong && zone !== undefined && !isLoop;
  return { ...bare(isLimit ? 'SERVFAIL' : 'NOERROR'), authoritative: true, answer: aliases, assertions };
}

function referral(zone: Zone, ns: readonly ZoneRecord[]): Answer {
  return { ...bare('NOERROR'), authority: ns, additional: addressesOf(zone, ns) };
}

/** RFC 2308 2.1, 2.2, 5: the SOA, its TTL at most its last field. */
function negative(zone: Zone, rcode: 'NOERROR' | 'NXDOMAIN'): Answer {
  const soa = { ...zone.soa, ttl: Math.min(zone.soa.ttl, minimumOf(zone)) };
  return { ...bare(rcode), authoritative: true, authority: [soa] };
}

/** Every address that the zone has for the name servers in the records, glue included (RFC 9471 2). */
function addressesOf(zone: Zone, records: readonly ZoneRecord[]): ZoneRecord[] {
  const targets = new Set<Name>();
  for (const { type, target } of records) if (type === 'NS' && target !== undefined) targets.add(target);
  return [...targets].flatMap((name) => [...rrset(zone, name, 'A'), ...rrset(zone, name, 'AAAA')]);
}

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
function find(zone: Zone, question: Question): Found {
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
  // A wildcard's NSEC record is about its own name only.
  return source
    .filter(({ type }) => type !== 'NSEC')
    .map((record) => ({ ...record, name, madeFrom: record.name }));
}

/**
 * An answer with the signatures and proofs that RFC 4035 3.1 asks for, as far as its zones are signed. The
 * additional section gets none: nobody may rely on it.
 */
export function secured(answer: Answer, zones: readonly Zone[], { type }: Question): Answer {
  const signed = (records: readonly ZoneRecord[]) =>
    setsOf(records).flatMap((set) => withSignatures(set, zones));
  const records = signed(answer.answer);
  const proofs = new Map(answer.assertions.flatMap(proofOf));
  return {
    ...answer,
    answer: type === 'RRSIG' ? records.filter((record) => record.type === 'RRSIG') : records,
    authority: [...signed(answer.authority), ...[...proofs.values()].flat()],
  };
}

/** The RRsets in the order of their first records. */
function setsOf(records: readonly ZoneRecord[]): RRset[] {
  const sets = new Map<string, ZoneRecord[]>();
  for (const record of records) getOrMake(sets, keyOf(record), () => []).push(record);
  return [...sets.values()];
}

function keyOf({ name, type }: ZoneRecord): string {
  return `${type} ${name}`;
}

/** The NS records of a cut are the child's, and what a DNAME makes follows from it: neither is signed. */
function withSignatures(set: RRset, zones: readonly Zone[]): RRset {
  const [first] = set;
  if (first === undefined) return set;
  const { type, madeFrom: owner = first.name } = first;
  const zone = zoneFor(zones, { name: owner, type });
  const [original] = zone === undefined ? [] : rrset(zone, owner, type);
  const isOfChild = type === 'NS' && owner !== zone?.apex;
  if (zone?.security === undefined || original === undefined || isOfChild) return set;
  return zone.security.signed(set, { ...original, name: owner });
}

/** The RRsets that back an assertion, signed, each with a key of its own. */
function proofOf({ zone: { security }, assertion }: ZoneAssertion): (readonly [string, RRset])[] {
  if (security === undefined) return [];
  return setsOf([...new Set(security.proof(assertion))]).flatMap((set) => {
    const [first] = set;
    return first === undefined ? [] : [[keyOf(first), security.signed(set, first)] as const];
  });
}
