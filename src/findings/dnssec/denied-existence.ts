/* Compares what servers prove not to exist with the records that they return. */

import { getOrMake } from '../../base/memo.ts';
import { compareNames } from '../../dns/dnssec/canonical.ts';
import { type DenialRecords, denialRecords, lacksType, type Nsec } from '../../dns/dnssec/denial-records.ts';
import type { Keys } from '../../dns/dnssec/keys.ts';
import { nsecDeniesName } from '../../dns/dnssec/nsec.ts';
import {
  type Hashed,
  type HashName,
  nameHasher,
  nsec3DeniesName,
  nsec3DeniesType,
} from '../../dns/dnssec/nsec3.ts';
import { FailedChecks, type Validation } from '../../dns/dnssec/validation.ts';
import { verifyRrset } from '../../dns/dnssec/verify.ts';
import { isAtOrBelow, isBelow, type Name, parentOf, ROOT } from '../../dns/name.ts';
import { soaIn } from '../../dns/soa.ts';
import { firstOfEach, grouped } from '../../document/words/lists.ts';
import { plain, withAddress } from '../../document/words/names.ts';
import type { PickedServer } from '../../evaluate/end.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import type { Checks, Draft } from '../check.ts';
import { type Evidence, oncePer } from '../evidence.ts';
import { publishedKeys } from './requested-ds.ts';
import { inOrder, signaturesIn } from './verdicts.ts';

/** Do proofs deny what exists? */
export const DENIED_EXISTENCE_CHECKS = { NSEC_DENIES_EXISTING: deniesExisting } satisfies Checks;

/**
 * NSEC_DENIES_EXISTING: an NSEC or NSEC3 record denies a name or a type that the same server returns, in one version of the
 * zone, or its next name cannot be right. Resolvers that use proofs again (RFC 8198) then deny what exists.
 */
function* deniesExisting(evidence: Evidence): Iterable<Draft> {
  const hashers = new Map<string, HashName>();
  const contacts = firstOfEach(evidence.contacts, ({ zone, server }) => `${zone} ${server.address}`);
  for (const inZone of grouped(contacts, ({ zone }) => zone)) {
    const statements = inZone.flatMap(({ zone, server }) => statementsOf(zone, server, evidence));
    const wrong = statements.flatMap((one) => {
      const found = contradictionIn(one, hasherIn(hashers, evidence));
      return found === undefined ? [] : [{ ...one, ...found }];
    });
    const [first] = wrong;
    if (first === undefined) continue;
    const isEverywhere = wrong.length > 1 && wrong.length === statements.length;
    const proof = wrong.flatMap((one) => one.proof);
    if (isEverywhere) yield draftOf({ ...first, proof }, `Every server of ${plain(first.zone)}`);
    else for (const one of wrong) yield { ...draftOf(one, withAddress(one.server)), server: one.server };
  }
}

/** What is wrong: the sentence after its subject, and the replies. */
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

/** What one server of a zone says exists, and what it says does not, each with a signature by the zone that verifies. */
interface Statements {
  readonly zone: Name;
  readonly server: PickedServer;
  readonly existing: readonly Existing[];
  readonly denials: readonly Denial[];
}

/** A name with records of a type, and a reply that has them. */
interface Existing {
  readonly name: Name;
  readonly type: string;
  readonly exchanged: Exchanged;
}

interface Denial {
  readonly records: DenialRecords;
  readonly exchanged: Exchanged;
}

/** So many of each are compared with each other: a bound on what hostile zones can cost. */
const [MOST_EXISTING, MOST_DENIALS] = [64, 32];

/** Nothing if the server gave no keys, or showed two versions of the zone. */
function statementsOf(zone: Name, server: PickedServer, evidence: Evidence): readonly Statements[] {
  const validation = evidence.scope.dnssec?.validation;
  const [published] = publishedKeys(evidence, zone, [server.address]);
  if (validation === undefined || published === undefined) return [];
  const { keys } = published;
  const said = (repliesByAddress(evidence).get(server.address) ?? []).filter(({ question }) =>
    isAtOrBelow(question.name, zone),
  );
  if (new Set(said.flatMap((exchanged) => serialsIn(exchanged, zone))).size > 1) return [];
  const existing = said.flatMap((exchanged) => existingIn(exchanged, keys, validation));
  const distinct = firstOfEach(existing, ({ name, type }) => `${name} ${type}`).slice(0, MOST_EXISTING);
  const denials = said.flatMap((exchanged) => denialsIn(exchanged, keys, validation)).slice(0, MOST_DENIALS);
  return [{ zone, server, existing: distinct, denials }];
}

const repliesByAddress = oncePer(({ recording }: Evidence): ReadonlyMap<string, readonly Exchanged[]> => {
  const replies = new Map<string, Exchanged[]>();
  for (const exchanged of inOrder(recording)) {
    if (exchanged.outcome.kind !== 'reply') continue;
    getOrMake(replies, exchanged.address, (): Exchanged[] => []).push(exchanged);
  }
  return replies;
});

function serialsIn({ outcome }: Exchanged, zone: Name): readonly number[] {
  if (outcome.kind !== 'reply') return [];
  return [outcome.answer, outcome.authority].flatMap((section) =>
    section
      .filter(({ type, name }) => type === 'SOA' && name === zone)
      .flatMap((record) => soaIn(record)?.serial ?? []),
  );
}

/** The records of a reply that the zone's keys signed, those of proofs apart; one that a wildcard made stands for that. */
function existingIn(exchanged: Exchanged, keys: Keys, validation: Validation): readonly Existing[] {
  const bounded = { ...validation, failed: new FailedChecks() };
  const signed = signaturesIn(exchanged).filter(({ signature }) => signature.signer === keys.zone);
  return [...new Set(signed.map(({ rrset }) => rrset))].flatMap((rrset): readonly Existing[] => {
    if (rrset.type === 'NSEC' || rrset.type === 'NSEC3') return [];
    const verified = verifyRrset(rrset, keys, bounded);
    if (verified.kind !== 'verified') return [];
    return [{ name: verified.wildcard ?? rrset.owner, type: rrset.type, exchanged }];
  });
}

function denialsIn(exchanged: Exchanged, keys: Keys, validation: Validation): readonly Denial[] {
  if (exchanged.outcome.kind !== 'reply') return [];
  const bounded = { ...validation, failed: new FailedChecks() };
  const records = denialRecords(exchanged.outcome.authority, keys, bounded);
  return records.nsecs.length + records.nsec3s.length > 0 ? [{ records, exchanged }] : [];
}

type HasherOf = (records: DenialRecords) => Hashed | undefined;

/** Each name of a zone is hashed once in each way. */
function hasherIn(hashers: Map<string, HashName>, { scope }: Evidence): HasherOf {
  return ({ zone, nsec3s, parameters }) => {
    const digest = scope.dnssec?.validation?.digest;
    if (parameters === undefined || digest === undefined) return undefined;
    const key = `${parameters.iterations} ${parameters.salt}`;
    return { zone, nsec3s, hash: getOrMake(hashers, key, () => nameHasher(parameters, digest)) };
  };
}

function contradictionIn(
  { zone, existing, denials }: Statements,
  hashed: HasherOf,
): Contradiction | undefined {
  for (const { records, exchanged } of denials) {
    const open = records.nsecs.find((nsec) => isOpen(nsec, zone));
    if (open !== undefined) return { problem: openWords(open, zone), proof: [exchanged] };
    for (const one of existing) {
      const words = denialOf(one, records, hashed(records));
      if (words !== undefined) return { problem: words, proof: [exchanged, one.exchanged] };
    }
  }
  return undefined;
}

/** RFC 4034 4.1.1: the next name comes later in the zone, or is its apex. */
function isOpen({ owner, next }: Nsec, zone: Name): boolean {
  return next !== zone && (!isBelow(next, zone) || compareNames(owner, next) >= 0);
}

function openWords({ owner, next }: Nsec, zone: Name): string {
  const why = isBelow(next, zone) ? 'which does not come after it' : 'which is not in the zone';
  return `returns an NSEC record of ${plain(owner)} with the next name ${plain(next)}, ${why}: the chain of ${plain(zone)} does not close, and resolvers that use proofs again (RFC 8198) can deny names that exist`;
}

function denialOf(
  { name, type }: Existing,
  { zone, nsecs }: DenialRecords,
  hashed: Hashed | undefined,
): string | undefined {
  const returned = `returns ${plain(name)} ${type}, but proves`;
  const missing = namesUpTo(name, zone).find(
    (one) => nsecDeniesName(nsecs, zone, one) || (hashed !== undefined && nsec3DeniesName(hashed, one)),
  );
  if (missing !== undefined)
    return `${returned} that ${plain(missing)} does not exist: resolvers that use proofs again (RFC 8198) return NXDOMAIN for it`;
  const own = nsecs.find(({ owner }) => owner === name);
  const isDenied =
    (own !== undefined && lacksType(own.types, type, name === ROOT)) ||
    (hashed !== undefined && nsec3DeniesType(hashed, name, type));
  return isDenied
    ? `${returned} that there are no ${type} records: resolvers that use proofs again (RFC 8198) return none`
    : undefined;
}

/** The name and those above it, down from the zone, which exist because it does (RFC 4592 2.2.2). */
function namesUpTo(name: Name, zone: Name): readonly Name[] {
  const names: Name[] = [];
  for (let at: Name | undefined = name; at !== undefined && isBelow(at, zone); at = parentOf(at))
    names.push(at);
  return names;
}
