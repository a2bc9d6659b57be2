import { getOrMake } from '../../base/memo.ts';
import { type DenialRecords, denialRecords } from '../../dns/dnssec/denial-records.ts';
import type { Keys } from '../../dns/dnssec/keys.ts';
import { FailedChecks, type Validation } from '../../dns/dnssec/validation.ts';
import { verifyRrset } from '../../dns/dnssec/verify.ts';
import { isAtOrBelow, labelCount, type Name } from '../../dns/name.ts';
import { soaIn } from '../../dns/record.ts';
import { firstOfEach, grouped } from '../../document/words/lists.ts';
import type { PickedServer } from '../../evaluate/end.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { askedExchanges, type Contact, type Evidence, oncePer } from '../evidence.ts';
import { publishedKeys } from './requested-ds.ts';
import { rrsetsSignedBy } from './verdicts.ts';

/** By zone: what each server says that gave keys of it, and that showed one version of it. */
export function statementsByZone(evidence: Evidence): readonly (readonly Statements[])[] {
  const contacts = firstOfEach(evidence.contacts, ({ zone, server }) => `${zone} ${server.address}`);
  const withKeys = contacts.flatMap((contact) => withKeysOf(contact, evidence)).sort(byDepth);
  return grouped(withKeys.slice(0, MOST_SERVERS), ({ zone }) => zone).map((inZone) => {
    const failed = new FailedChecks();
    return inZone.flatMap((one) => statementsOf({ ...one, failed }, evidence));
  });
}

/** What one server of a zone says exists, and what it says does not, each with a signature by the zone that verifies. */
export interface Statements {
  readonly zone: Name;
  readonly server: PickedServer;
  readonly existing: readonly Existing[];
  readonly denials: readonly Denial[];
}

/** A name with records of a type, and a reply that has them. */
export interface Existing {
  readonly name: Name;
  readonly type: string;
  readonly exchanged: Exchanged;
}

/** The NSEC and NSEC3 records of a reply, which there may be none of. */
export interface Denial {
  readonly records: DenialRecords;
  readonly exchanged: Exchanged;
}

/** Bounds on what hostile zones can cost: servers that are looked at, replies of each, names with a type, and NSEC records. */
const [MOST_SERVERS, MOST_REPLIES, MOST_EXISTING, MOST_DENYING] = [64, 48, 64, 24];

/** A server that gave keys of its zone. */
interface WithKeys {
  readonly zone: Name;
  readonly server: PickedServer;
  readonly keys: Keys;
  readonly validation: Validation;
}

function withKeysOf({ zone, server }: Contact, evidence: Evidence): readonly WithKeys[] {
  const validation = evidence.scope.dnssec?.validation;
  const [published] = publishedKeys(evidence, zone, [server.address]);
  if (validation === undefined || published === undefined) return [];
  return [{ zone, server, keys: published.keys, validation }];
}

/** The zones of the name asked before those of registries, which have many servers. */
function byDepth(one: WithKeys, other: WithKeys): number {
  return labelCount(other.zone) - labelCount(one.zone);
}

/** Nothing if the server showed two versions of the zone. */
function statementsOf(
  { zone, server, keys, validation, failed }: WithKeys & { readonly failed: FailedChecks },
  evidence: Evidence,
): readonly Statements[] {
  const said = (repliesByAddress(evidence).get(server.address) ?? [])
    .filter(({ question }) => isAtOrBelow(question.name, zone))
    .slice(0, MOST_REPLIES);
  if (new Set(said.flatMap((exchanged) => serialsIn(exchanged, zone))).size > 1) return [];
  const bounded = { ...validation, failed };
  const [existing, denials] = [new Map<string, Existing>(), [] as Denial[]];
  let denying = 0;
  for (const exchanged of said) {
    for (const one of existingIn(exchanged, keys, bounded, MOST_EXISTING - existing.size))
      existing.set(`${one.name} ${one.type}`, one);
    if (denying >= MOST_DENYING) continue;
    const denial = denialIn(exchanged, keys, bounded);
    denying += denial.records.nsecs.length + denial.records.nsec3s.length;
    denials.push(denial);
  }
  return [{ zone, server, existing: [...existing.values()], denials }];
}

const repliesByAddress = oncePer(({ recording }: Evidence): ReadonlyMap<string, readonly Exchanged[]> => {
  const replies = new Map<string, Exchanged[]>();
  const probes = recording.probes.filter(({ probe }) => probe === 'next-name');
  for (const exchanged of [...probes, ...askedExchanges(recording)]) {
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

/** The first records of a reply that the zone's keys signed, those of proofs apart; a wildcard stands for those that it made. */
function existingIn(
  exchanged: Exchanged,
  keys: Keys,
  validation: Validation,
  most: number,
): readonly Existing[] {
  const rrsets = rrsetsSignedBy(keys.zone, exchanged).filter(({ type }) => !PROOFS.has(type));
  return rrsets.slice(0, most).flatMap((rrset): readonly Existing[] => {
    const verified = verifyRrset(rrset, keys, validation);
    if (verified.kind !== 'verified') return [];
    return [{ name: verified.wildcard ?? rrset.owner, type: rrset.type, exchanged }];
  });
}

const PROOFS: ReadonlySet<string> = new Set(['NSEC', 'NSEC3']);

function denialIn(exchanged: Exchanged, keys: Keys, validation: Validation): Denial {
  const authority = exchanged.outcome.kind === 'reply' ? exchanged.outcome.authority : [];
  return { records: denialRecords(authority, keys, validation), exchanged };
}
