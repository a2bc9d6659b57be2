/* Adds the signatures and proofs of signed zones to an answer. */

import { getOrMake } from '../base/memo.ts';
import type { Question } from '../dns/message.ts';
import { type Answer, type ZoneAssertion, zoneFor } from './answer.ts';
import type { RRset } from './security.ts';
import { rrset, type Zone } from './zone.ts';
import type { ZoneRecord } from './zone-file.ts';

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
