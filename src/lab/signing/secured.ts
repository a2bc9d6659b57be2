import { getOrMake } from '../../get-or-make.ts';
import type { Question } from '../../wire/question.ts';
import { type Answer, type ZoneAssertion, zoneFor } from '../answer.ts';
import { rrset, type Zone } from '../zone.ts';
import type { ZoneRecord } from '../zone-file.ts';
import type { SigningFault } from './flaws.ts';
import { asTold } from './lies.ts';

/** What a reply is signed for, and what goes wrong with it. */
interface SigningCase {
  readonly zones: readonly Zone[];
  readonly question: Question;
  readonly faults: readonly SigningFault[];
}

type RRset = readonly ZoneRecord[];

/**
 * An answer with the signatures and proofs that RFC 4035 3.1 asks for, as far as its zones are signed. The
 * additional section gets none: nobody may rely on it.
 */
export function secured(answer: Answer, given: SigningCase): Answer {
  const { question } = given;
  const signed = (records: readonly ZoneRecord[]) =>
    setsOf(records).flatMap((set) => withSignatures(set, given));
  const records = signed(answer.answer);
  const proofs = new Map(answer.assertions.flatMap((assertion) => proofOf(assertion, given)));
  return {
    ...answer,
    answer: question.type === 'RRSIG' ? records.filter(({ type }) => type === 'RRSIG') : records,
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
function withSignatures(set: RRset, given: SigningCase): RRset {
  const [first] = set;
  if (first === undefined) return set;
  const { type, madeFrom: owner = first.name } = first;
  const zone = zoneFor(given.zones, { name: owner, type });
  const [original] = zone === undefined ? [] : rrset(zone, owner, type);
  const isOfChild = type === 'NS' && owner !== zone?.apex;
  if (zone === undefined || original === undefined || isOfChild) return set;
  return signedBy(zone, set, { ...original, name: owner }, given);
}

/** A set with its signatures; the one that is signed has the owner and the TTL of the record in the zone. */
function signedBy(zone: Zone, set: RRset, original: ZoneRecord, given: SigningCase): RRset {
  if (zone.security === undefined) return set;
  const { faults } = given;
  const told = asTold(set, given);
  const { name: owner, type, ttl } = original;
  const flaw = faults.find(
    (fault) => fault.kind === 'flawed-signatures' && (fault.covering ?? type) === type,
  );
  const signatures = zone.security.signer.signatures(
    { owner, type, ttl, data: told.map(({ rdata }) => rdata) },
    flaw?.kind === 'flawed-signatures' ? flaw.flaw : undefined,
  );
  const place = { name: set[0]?.name ?? owner, ttl: set[0]?.ttl ?? ttl };
  return [...told, ...signatures.map((rdata) => ({ ...place, type: 'RRSIG', rdata }))];
}

/** The RRsets that back an assertion, signed, each with a key of its own. */
function proofOf({ zone, assertion }: ZoneAssertion, given: SigningCase): (readonly [string, RRset])[] {
  if (zone.security === undefined) return [];
  const { faults } = given;
  const omits = (kind: SigningFault['kind']) => faults.some((fault) => fault.kind === kind);
  if (assertion.kind === 'cut' && omits('omits-ds')) return [];
  const ds = assertion.kind === 'cut' ? rrset(zone, assertion.name, 'DS') : [];
  const denials = ds.length > 0 || omits('omits-proof') ? [] : zone.security.prove(assertion);
  return setsOf([...new Set([...ds, ...denials])]).flatMap((set) => {
    const [first] = set;
    return first === undefined ? [] : [[keyOf(first), signedBy(zone, set, first, given)] as const];
  });
}
