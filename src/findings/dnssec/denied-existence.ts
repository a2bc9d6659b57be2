/* Compares the names and types that servers deny with the records that they return. */

import { getOrMake } from '../../base/memo.ts';
import { compareNames } from '../../dns/dnssec/canonical.ts';
import {
  type DenialRecords,
  type Nsec,
  nsecsIn,
  ownerExists,
  typeLack,
} from '../../dns/dnssec/denial-records.ts';
import { nsecDeniesName } from '../../dns/dnssec/nsec.ts';
import {
  coversHash,
  type Hashed,
  type HashName,
  nameHasher,
  nsec3DeniesName,
  nsec3DeniesType,
} from '../../dns/dnssec/nsec3.ts';
import { isBelow, type Name, parentOf, ROOT } from '../../dns/name.ts';
import { plain, withAddress } from '../../document/words/names.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { meaningFor } from '../../explore/classify.ts';
import type { Checks, Draft } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { type Existing, type Statements, statementsByZone } from './signed-statements.ts';

/** Do proofs deny what exists? */
export const DENIED_EXISTENCE_CHECKS = { NSEC_DENIES_EXISTING: deniesExisting } satisfies Checks;

/**
 * NSEC_DENIES_EXISTING: an NSEC or NSEC3 record denies a name or a type that the same server returns, in one version of the
 * zone, or its next name cannot be right, or has no record. Resolvers that reuse cached proofs (RFC 8198) then deny names that exist.
 */
function deniesExisting(evidence: Evidence): readonly Draft[] {
  const drafts: Draft[] = [];
  const hashed = hasherIn(evidence);
  for (const statements of statementsByZone(evidence)) {
    const wrong = statements.flatMap((one) => {
      const found = contradictionIn(one, hashed);
      return found === undefined ? [] : [{ ...one, ...found }];
    });
    const [first] = wrong;
    if (first === undefined) continue;
    const isEverywhere = wrong.length > 1 && wrong.length === statements.length;
    const proof = wrong.flatMap((one) => one.proof);
    if (isEverywhere) drafts.push(draftOf({ ...first, proof }, `Every server of ${plain(first.zone)}`));
    else
      for (const one of wrong) drafts.push({ ...draftOf(one, withAddress(one.server)), server: one.server });
  }
  return drafts;
}

/** The fault as a predicate, whose subject is a server or every server, and the replies that show it. */
interface Contradiction {
  readonly problem: string;
  readonly proof: readonly Exchanged[];
}

function draftOf({ zone, problem, proof }: Statements & Contradiction, subject: string): Draft {
  return {
    zone,
    problem: `${subject} ${problem}`,
    advice: 'Sign the whole zone again, and update the software that makes its NSEC or NSEC3 records',
    proof: [...new Set(proof)],
  };
}

type HasherOf = (records: DenialRecords) => Hashed | undefined;

/** Each name is hashed once in each way, of which a zone has one, or two while it changes. */
function hasherIn({ scope }: Evidence): HasherOf {
  const hashers = new Map<string, HashName>();
  return ({ zone, nsec3s, parameters }) => {
    const digest = scope.dnssec?.validation?.digest;
    if (parameters === undefined || digest === undefined) return undefined;
    const key = `${parameters.iterations} ${parameters.salt}`;
    if (!hashers.has(key) && hashers.size >= MOST_HASHES) return undefined;
    return { zone, nsec3s, hash: getOrMake(hashers, key, () => nameHasher(parameters, digest)) };
  };
}

/** Bounds on what hostile zones can cost. */
const [MOST_HASHES, MOST_NAMES] = [4, 96];

function contradictionIn(
  { zone, existing, denials }: Statements,
  hashed: HasherOf,
): Contradiction | undefined {
  const names = namesThatExist([...existing, ...ownersIn(denials)], zone);
  const hashes = hashesIn(denials);
  for (const { records, exchanged } of denials) {
    const open = records.nsecs.find((nsec) => isOpen(nsec, zone));
    if (open !== undefined) return { problem: openWords(open, zone), proof: [exchanged] };
    const byHash = hashed(records);
    const missing = names.find(({ name }) => deniesName(name, records, byHash));
    if (missing !== undefined)
      return { problem: missingWords(missing), proof: [exchanged, missing.of.exchanged] };
    const overlapped = hashes.find((one) => overlaps(one, records));
    if (overlapped !== undefined)
      return { problem: overlapWords(overlapped), proof: [exchanged, overlapped.exchanged] };
    const denied = existing.find((one) => deniesType(one, records, byHash));
    if (denied !== undefined) return { problem: deniedWords(denied), proof: [exchanged, denied.exchanged] };
  }
  return gapIn(denials, zone);
}

/** The next name of a record, for which the server has no record: the probe `next-name` asks for it. */
function gapIn(denials: Statements['denials'], zone: Name): Contradiction | undefined {
  const lacking = denials.find(({ exchanged }) => lacksNsec(exchanged, zone));
  if (lacking === undefined) return undefined;
  const { name } = lacking.exchanged.question;
  for (const { records, exchanged } of denials) {
    const leading = records.nsecs.find((nsec) => nsec.next === name && ownerExists(nsec));
    if (leading !== undefined) return { problem: gapWords(leading), proof: [exchanged, lacking.exchanged] };
  }
  return undefined;
}

/** Whether the reply to a question for a name's NSEC record denies it, and does not have it as a proof either. */
function lacksNsec(exchanged: Exchanged, zone: Name): boolean {
  const { question, outcome } = exchanged;
  if (question.type !== 'NSEC' || outcome.kind !== 'reply' || !outcome.flags.includes('aa')) return false;
  const { kind } = meaningFor(exchanged, zone);
  const has = nsecsIn(outcome.authority).some(({ owner }) => owner === question.name);
  // At a zone cut a server of both zones replies for the zone below.
  const isOfZoneBelow = outcome.authority.some(({ type, name }) => type === 'SOA' && isBelow(name, zone));
  return (kind === 'nxdomain' || kind === 'nodata') && !has && !isOfZoneBelow;
}

function gapWords({ owner, next }: Nsec): string {
  return `returns an NSEC record of ${plain(owner)} whose next name is ${plain(next)}, but denies that ${plain(next)} has an NSEC record: the chain breaks there, so names that follow cannot be denied`;
}

/** The owners of NSEC records exist, although no query was for their records. */
function ownersIn(denials: Statements['denials']): readonly Existing[] {
  return denials.flatMap(({ records: { nsecs }, exchanged }) =>
    nsecs.filter(ownerExists).map(({ owner }) => ({ name: owner, type: 'NSEC', exchanged })),
  );
}

/** The hash of a name that exists, as an NSEC3 record of it shows. */
interface ExistingHash {
  readonly hash: string;
  readonly parameters: DenialRecords['parameters'];
  readonly exchanged: Exchanged;
}

function hashesIn(denials: Statements['denials']): readonly ExistingHash[] {
  return denials.flatMap(({ records: { nsec3s, parameters }, exchanged }) =>
    nsec3s.filter(ownerExists).map(({ hash }) => ({ hash, parameters, exchanged })),
  );
}

/** Whether NSEC3 records of the same chain say that no name has this hash. */
function overlaps({ hash, parameters: own }: ExistingHash, { nsec3s, parameters }: DenialRecords): boolean {
  const isSameChain = own?.iterations === parameters?.iterations && own?.salt === parameters?.salt;
  return isSameChain && nsec3s.some((one) => coversHash(one, hash));
}

function overlapWords({ hash }: ExistingHash): string {
  return `returns an NSEC3 record of the hash ${hash}, but proves that no name has that hash: resolvers that reuse cached proofs (RFC 8198) return NXDOMAIN for that name`;
}

/** A name that exists because of records there or below (RFC 4592 2.2.2). */
interface ExistingName {
  readonly name: Name;
  readonly of: Existing;
}

function namesThatExist(existing: readonly Existing[], zone: Name): readonly ExistingName[] {
  const names = new Map<Name, ExistingName>();
  for (const of of existing) {
    for (let at: Name | undefined = of.name; at !== undefined && isBelow(at, zone); at = parentOf(at)) {
      if (names.has(at) || names.size >= MOST_NAMES) break;
      names.set(at, { name: at, of });
    }
  }
  return [...names.values()];
}

/** RFC 4034 4.1.1: the next name comes later in the zone, or is its apex. */
function isOpen({ owner, next }: Nsec, zone: Name): boolean {
  return next !== zone && (!isBelow(next, zone) || compareNames(owner, next) >= 0);
}

function openWords({ owner, next }: Nsec, zone: Name): string {
  const why = isBelow(next, zone) ? 'does not come after it' : 'is not in the zone';
  return `returns an NSEC record of ${plain(owner)} whose next name, ${plain(next)}, ${why}: resolvers that reuse cached proofs (RFC 8198) can deny names of ${plain(zone)} that exist`;
}

function deniesName(name: Name, { zone, nsecs }: DenialRecords, hashed: Hashed | undefined): boolean {
  return nsecDeniesName(nsecs, zone, name) || (hashed !== undefined && nsec3DeniesName(hashed, name));
}

function missingWords({ name, of }: ExistingName): string {
  return `returns ${plain(of.name)} ${of.type}, but proves that ${plain(name)} does not exist: resolvers that reuse cached proofs (RFC 8198) return NXDOMAIN for it`;
}

function deniesType({ name, type }: Existing, { nsecs }: DenialRecords, hashed: Hashed | undefined): boolean {
  const own = nsecs.find(({ owner }) => owner === name);
  return (
    (own !== undefined && typeLack(own.types, type, name === ROOT) === undefined) ||
    (hashed !== undefined && nsec3DeniesType(hashed, name, type))
  );
}

function deniedWords({ name, type }: Existing): string {
  return `returns ${plain(name)} ${type}, but proves that there are no ${type} records: resolvers that reuse cached proofs (RFC 8198) return NODATA`;
}
