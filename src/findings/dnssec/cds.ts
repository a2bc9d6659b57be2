/* Checks which DS records a zone asks its parent for, and what a registry that reads them would do. */

import { keysByDs, signersIn } from '../../dns/dnssec/trust.ts';
import type { Validation } from '../../dns/dnssec/validation.ts';
import type { Name } from '../../dns/name.ts';
import type { Severity } from '../../document/finding.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Checks, type Draft, returnWords, type Words } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { isOutdated } from '../zones/versions.ts';
import type { ZoneFacts } from '../zones/zone-facts.ts';
import { nameOf } from './key-sets.ts';
import {
  areEqual,
  dsAtParent,
  dsFor,
  isSignedBySome,
  isUnsignedAt,
  keyIn,
  type PublishedKeys,
  publishedKeys,
  type Request,
  requestOf,
  type SignalType,
  trustOf,
  type Wish,
  wishOf,
} from './requested-ds.ts';

/** Does a zone ask for the DS records that it has? */
export const CDS_CHECKS = { CDS_DIFFERS: cdsDiffers } satisfies Checks;

/** CDS_DIFFERS: CDS or CDNSKEY records differ between servers, or between each other, or ask for other DS records. */
function cdsDiffers(evidence: Evidence): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const facts of evidence.zones.values()) {
    const requests = requestsIn(facts, evidence);
    const sides = grouped(
      requests,
      (request) => `${request.cds.join('\n')}\n\n${request.cdnskey.join('\n')}`,
    );
    const [[first] = [], other] = sides;
    if (first === undefined || requests.some(isTooLong)) continue;
    const told = other === undefined ? toldOf(first, facts, evidence) : differing(sides, facts, evidence);
    const proof = requests.flatMap((request) => request.proof);
    if (told !== undefined)
      drafts.push({ ...told, zone: facts.zone, proof: [...proof, ...(told.proof ?? [])] });
  }
  return drafts;
}

/** Of the servers that have the current signed zone: old and unsigned copies are findings of their own. */
function requestsIn({ zone, servers }: ZoneFacts, evidence: Evidence): readonly Request[] {
  return servers
    .filter(({ address }) => !isOutdated(evidence, zone, address) && !isUnsignedAt(evidence, zone, address))
    .map(requestOf)
    .filter((request) => request !== undefined);
}

/** A fault, in its zone. */
interface Told extends Words {
  readonly severity?: Severity;
  /** Beside the records themselves. */
  readonly proof?: readonly Exchanged[];
}

/**
 * Bounds on what hostile zones can cost, where each is compared with each: more records of a type than a zone has keys in any
 * rollover, different requests, and servers whose keys are tried.
 */
const [MOST_RECORDS, MOST_SIDES, MOST_SERVERS] = [16, 8, 16];

function isTooLong({ cds, cdnskey }: Request): boolean {
  return Math.max(cds.length, cdnskey.length) > MOST_RECORDS;
}

/** The requests of servers that do not ask for the same. */
function differing(
  sides: readonly (readonly [Request, ...Request[]])[],
  facts: ZoneFacts,
  evidence: Evidence,
): Told {
  const type = new Set(sides.map(([{ cds }]) => cds.join('\n'))).size > 1 ? 'CDS' : 'CDNSKEY';
  const words = sides.map((side) => {
    const [{ cds, cdnskey }] = side;
    return `${returnWords(side)} ${contentWords(type, type === 'CDS' ? cds : cdnskey)}`;
  });
  const breaking = sides.slice(0, MOST_SIDES).filter(([side]) => breaks(side, facts, evidence));
  const broken = breaking.length === 0 ? '' : `, and some of them match no DNSKEY of ${plain(facts.zone)}`;
  return {
    ...(breaking.length > 0 && { severity: 'warning' }),
    problem: `The servers of ${plain(facts.zone)} return different ${type} records: ${listed(words)}${broken}, so a registry that reads ${type} does nothing, or follows the server that it happens to ask`,
    advice: 'Make every server serve the same version of the zone',
  };
}

/** The first fault of a request that all servers make alike. */
function toldOf(request: Request, facts: ZoneFacts, evidence: Evidence): Told | undefined {
  const { zone } = facts;
  const [cds, cdnskey] = [wishOf('CDS', request.cds), wishOf('CDNSKEY', request.cdnskey)];
  if (cds.kind === 'unclear' || cdnskey.kind === 'unclear') return unclear(zone);
  const validation = evidence.scope.dnssec?.validation;
  if (validation === undefined) return undefined;
  if (!areOfTheSameKeys(cds, cdnskey, zone, validation)) return mismatch(request, zone);
  const before = dsAtParent(evidence, zone);
  const wanted = wantedDs(request, before ?? [], zone, validation);
  if (before === undefined || wanted === undefined) return undefined;
  const isChange = !areEqual(before, wanted) && !isDoneBy(cdnskey, before, zone, validation);
  if (isChange && breaks(request, facts, evidence)) return breaking(request, wanted, facts, evidence);
  const ignored = ignoredType(request, before, facts, evidence);
  if (ignored !== undefined) return wronglySigned(ignored, before, zone);
  return isChange ? change(before, wanted, zone) : undefined;
}

/** The DS data that a registry would end up with; undefined if the zone asks for nothing. */
function wantedDs(
  { cds, cdnskey }: Request,
  before: readonly string[],
  zone: Name,
  validation: Validation,
): readonly string[] | undefined {
  const wish = cds.length > 0 ? wishOf('CDS', cds) : wishOf('CDNSKEY', cdnskey);
  switch (wish.kind) {
    case 'nothing':
    case 'unclear':
      return undefined;
    case 'removal':
      return [];
    case 'records':
      return cds.length > 0 ? cds : dsFor(cdnskey, before, zone, validation);
  }
}

/** Whether the DS records are those that a parent has made of CDNSKEY records, with digests of its own choice. */
function isDoneBy(cdnskey: Wish, before: readonly string[], zone: Name, validation: Validation): boolean {
  return cdnskey.kind === 'records' && areEqual(before, dsFor(cdnskey.data, before, zone, validation));
}

/** RFC 7344 4: where a zone has records of both types, they are of the same keys. */
function areOfTheSameKeys(cds: Wish, cdnskey: Wish, zone: Name, validation: Validation): boolean {
  if (cds.kind === 'nothing' || cdnskey.kind === 'nothing') return true;
  if (cds.kind !== 'records' || cdnskey.kind !== 'records') return cds.kind === cdnskey.kind;
  const keys = cdnskey.data.map(keyIn).filter((key) => key !== undefined);
  const namedBy = keysByDs(zone, keys, validation.digest);
  const named = signersIn(cds.data).map(namedBy);
  return named.every((some) => some.length > 0) && keys.every((key) => named.flat().includes(key));
}

/** Whether the DS records asked for would lead to no key of the zone that signs its keys. */
function breaks(request: Request, facts: ZoneFacts, evidence: Evidence): boolean {
  const validation = evidence.scope.dnssec?.validation;
  const wanted = validation && wantedDs(request, [], facts.zone, validation);
  const trust = trustOf(wanted ?? []);
  const reached =
    trust === undefined ? [] : publishedIn(facts, evidence).map((one) => one.isReachedBy(trust));
  return reached.length > 0 && reached.every((is) => is === false);
}

function publishedIn({ zone, servers }: ZoneFacts, evidence: Evidence): readonly PublishedKeys[] {
  return publishedKeys(
    evidence,
    zone,
    servers.slice(0, MOST_SERVERS).map(({ address }) => address),
  );
}

/** The type whose records have no signature by a key that the DS records name: a registry ignores them (RFC 7344 4.1). */
function ignoredType(
  { proof: [cds, cdnskey] }: Request,
  before: readonly string[],
  facts: ZoneFacts,
  evidence: Evidence,
): SignalType | undefined {
  const validation = evidence.scope.dnssec?.validation;
  const trust = trustOf(before);
  const [keys] = publishedIn(facts, evidence).map((one) => one.keys);
  if (validation === undefined || trust === undefined || keys === undefined) return undefined;
  if (isSignedBySome(cds, 'CDS', keys, trust, validation) === false) return 'CDS';
  return isSignedBySome(cdnskey, 'CDNSKEY', keys, trust, validation) === false ? 'CDNSKEY' : undefined;
}

function unclear(zone: Name): Told {
  return {
    problem: `${plain(zone)} asks its registry to remove the DS records, but not with a single CDS record (0 0 0 00) or CDNSKEY record (0 3 0 AA==), so the registry ignores the request`,
    advice:
      'To keep the DS records, remove the CDS and CDNSKEY records with algorithm 0. To lose them, remove all others',
  };
}

function mismatch({ cds, cdnskey }: Request, zone: Name): Told {
  return {
    problem: `The CDS and CDNSKEY records of ${plain(zone)} do not match: CDS has ${contentWords('CDS', cds)}, CDNSKEY has ${contentWords('CDNSKEY', cdnskey)}, so the next DS records depend on which type the registry reads`,
    advice: 'Make the signer publish CDS and CDNSKEY records of the same keys',
  };
}

function breaking(request: Request, wanted: readonly string[], facts: ZoneFacts, evidence: Evidence): Told {
  const type = typeOf(request);
  return {
    severity: 'warning',
    problem: `The ${type} records of ${plain(facts.zone)} (${contentWords('CDS', wanted)}) name no key that signs its DNSKEY records: a registry that acts on them breaks the chain of trust, and validating resolvers return SERVFAIL`,
    advice: `Remove these ${type} records, or publish the key that they name and sign the DNSKEY records with it`,
    proof: publishedIn(facts, evidence).map(({ exchanged }) => exchanged),
  };
}

function wronglySigned(type: SignalType, before: readonly string[], zone: Name): Told {
  return {
    problem: `The ${type} records of ${plain(zone)} have no signature by a key that its DS records name (${contentWords('CDS', before)}), so registries ignore them`,
    advice: `Sign the ${type} records with the key that the DS records name`,
  };
}

function change(before: readonly string[], wanted: readonly string[], zone: Name): Told {
  if (wanted.length === 0)
    return {
      problem: `${plain(zone)} asks its registry to remove the DS records: if the registry reads CDS, validating resolvers will treat the zone as unsigned`,
      advice: `Remove the CDS and CDNSKEY records if ${plain(zone)} is to stay signed`,
    };
  const added = wanted.filter((data) => !before.includes(data));
  const gone = before.filter((data) => !wanted.includes(data));
  const steps = [
    ...(added.length > 0 ? [`adds ${contentWords('CDS', added)}`] : []),
    ...(gone.length > 0 ? [`removes ${contentWords('CDS', gone)}`] : []),
  ];
  return {
    problem: `${plain(zone)} asks for other DS records than the parent has: a registry that reads CDS ${steps.join(' and ')}`,
    advice:
      'If the registry reads CDS, wait. If not, ask the registrar for the same change, or remove the CDS and CDNSKEY records',
  };
}

function typeOf({ cds }: Request): SignalType {
  return cds.length > 0 ? 'CDS' : 'CDNSKEY';
}

/** "key 12345 with digest 0a1b2c3d", "a request for removal", "none" */
function contentWords(type: SignalType, data: readonly string[]): string {
  const wish = wishOf(type, data);
  switch (wish.kind) {
    case 'nothing':
      return 'none';
    case 'removal':
    case 'unclear':
      return 'a request for removal';
    case 'records':
      return listed(
        wish.data.map((one) => (type === 'CDS' ? nameOf({ data: one }) : `key ${keyIn(one)?.tag}`)),
      );
  }
}
