/* Checks whether what servers say is consistent and well formed. */

import { getOrMake } from '../base/memo.ts';
import { questionKey } from '../dns/message.ts';
import { isAtOrBelow, isBelow, labelCount, type Name, parentOf } from '../dns/name.ts';
import { soaIn } from '../dns/soa.ts';
import { asked, plain, withAddress } from '../document/words/names.ts';
import type { PickedServer } from '../evaluate/end.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { existenceIn, zoneOf } from '../explore/asked-servers.ts';
import { atServer, type Checks, type Draft } from './check.ts';
import { type Evidence, exchangesOf, isNegative, type Observation, soasOf } from './evidence.ts';
import { serveOrRemove, unlessWrong } from './host-addresses.ts';
import { mismatchAdvice } from './zones/ns-set-checks.ts';
import { haveTwoProviders, mismatchesIn } from './zones/ns-sets.ts';
import { outdatedServersIn } from './zones/versions.ts';

/** Is what servers say consistent, and well formed? */
export const ANSWER_CHECKS = {
  EXISTENCE_DIFFERS: existenceDiffers,
  SOA_SERIAL_DIFFERS: serialDiffers,
  NXDOMAIN_BY_TYPE: nxdomainByType,
  NXDOMAIN_ON_ENT: nxdomainOnEnt,
  // RFC 2308 5: without an SOA record a denial cannot be cached.
  NEGATIVE_WITHOUT_SOA: atServer({
    when: (observed) => isNegative(observed) && soasOf(observed).length === 0,
    problem: ({ server, zone }) =>
      `${withAddress(server)} returns negative answers for ${plain(zone)} without an SOA record, so resolvers cannot cache them and keep asking`,
    advice: 'Repair or update that server',
  }),
  NEGATIVE_WRONG_SOA: atServer({
    when: (observed) => wrongOwner(observed) !== undefined,
    problem: ({ server, zone, first }) =>
      `${withAddress(server)} returns negative answers for ${plain(zone)} with the SOA record of ${plain(wrongOwner(first) ?? zone)}`,
    advice: serveOrRemove,
  }),
} satisfies Checks;

/** Servers differ because transfers fail, because some should no longer serve the zone, or because two providers do. */
export function oneVersion(evidence: Evidence, zone: Name): string {
  const mismatch = mismatchesIn(evidence).find((one) => one.zone === zone && haveTwoProviders(one));
  return mismatch === undefined
    ? 'Make every server serve the same version of the zone, and remove those that should not serve it from the delegation'
    : mismatchAdvice(evidence, mismatch);
}

/** EXISTENCE_DIFFERS: some servers of a zone know the name, others deny that it exists. */
function existenceDiffers(evidence: Evidence): readonly Draft[] {
  return [...evidence.replySets.values()].flatMap((replySet): Draft[] => {
    const denying = replySet.observed.filter(({ meaning }) => meaning.kind === 'nxdomain');
    const knowing = replySet.observed.filter(isKnowing);
    const [no, yes] = [denying[0], knowing[0]];
    if (no === undefined || yes === undefined) return [];
    const problem = `The servers of ${plain(replySet.zone)} disagree on whether ${plain(replySet.question.name)} exists: ${withAddress(no.server)} returns NXDOMAIN, ${withAddress(yes.server)} does not`;
    const proof = exchangesOf([...denying, ...knowing]);
    return [{ zone: replySet.zone, problem, advice: oneVersion(evidence, replySet.zone), proof }];
  });
}

function isKnowing({ meaning }: Observation): boolean {
  return meaning.kind === 'answer' || meaning.kind === 'alias' || meaning.kind === 'nodata';
}

/** SOA_SERIAL_DIFFERS: a server has an older version of the zone than another, as SOA records show. */
function serialDiffers(evidence: Evidence): readonly Draft[] {
  return outdatedServersIn(evidence).map(({ shown, serial, current }) => {
    const [{ zone, server }] = shown;
    return {
      zone,
      server,
      problem: `${withAddress(server)} serves ${plain(zone)} with serial ${serial}, while ${withAddress(current.server)} serves serial ${current.soa.serial}`,
      advice: unlessWrong({ server, zone, evidence }, transferAdvice(server, zone, evidence)),
      proof: [...shown, current].map(({ exchanged }) => exchanged),
    };
  });
}

/** A server that the zone itself no longer names is sent no new versions any more. */
function transferAdvice({ name }: PickedServer, zone: Name, evidence: Evidence): string {
  const mismatch = mismatchesIn(evidence).find((one) => one.zone === zone);
  return mismatch?.onlyDelegated.includes(name)
    ? 'Remove it from the delegation, as the zone itself no longer names it'
    : 'Find out why zone transfers do not reach it';
}

/** The owner of an SOA record of a zone that the name is not in, or of one above the zone asked for. */
function wrongOwner(observed: Observation): Name | undefined {
  if (!isNegative(observed)) return undefined;
  const { name } = observed.exchanged.question;
  const owners = soasOf(observed).map((soa) => soa.name);
  // A server may also have a zone below this one, and speak for that.
  const isRight = (owner: Name) => isAtOrBelow(owner, observed.zone) && isAtOrBelow(name, owner);
  return owners.some(isRight) ? undefined : owners[0];
}

/** NXDOMAIN_BY_TYPE: a name does not exist by one type and exists by another. */
function* nxdomainByType(evidence: Evidence): Iterable<Draft> {
  for (const { zone, server, denied, existing } of existenceReplies(evidence)) {
    for (const [name, denial] of denied) {
      const proof = existing.get(name);
      if (proof === undefined || areOfTwoVersions(denial, proof)) continue;
      yield {
        zone,
        server,
        problem: `${withAddress(server)} returns NXDOMAIN for ${asked(denial.question)}, but not for ${asked(proof.question)}, so resolvers that have cached the NXDOMAIN do not ask for other types`,
        advice:
          'Update or replace that server: it must return NODATA for a type that an existing name does not have',
        proof: [denial, proof],
      };
    }
  }
}

/** NXDOMAIN_ON_ENT: a name does not exist although one below it does. */
function* nxdomainOnEnt(evidence: Evidence): Iterable<Draft> {
  for (const { zone, server, denied, existing } of existenceReplies(evidence)) {
    const below = ancestorsOf(existing, zone);
    for (const [name, denial] of denied) {
      const proof = existing.has(name) ? undefined : below.get(name);
      if (proof === undefined || areOfTwoVersions(denial, proof)) continue;
      yield {
        zone,
        server,
        problem: `${withAddress(server)} returns NXDOMAIN for ${plain(name)}, although ${plain(proof.question.name)} below it exists, so resolvers that have cached the NXDOMAIN find nothing below ${plain(name)}`,
        advice:
          'Update or replace that server: it must return NODATA for a name that only has names below it',
        proof: [denial, proof],
      };
    }
  }
}

/**
 * Whether the SOA records of two replies differ. Behind one address there may be several servers, one of
 * which has another version of the zone.
 */
function areOfTwoVersions(one: Exchanged, other: Exchanged): boolean {
  const [a, b] = [versionIn(one), versionIn(other)];
  return a !== undefined && b !== undefined && a !== b;
}

function versionIn({ outcome }: Exchanged): string | undefined {
  if (outcome.kind !== 'reply') return undefined;
  const record = outcome.authority.find(({ type }) => type === 'SOA');
  const soa = record && soaIn(record);
  return soa && `${record.name} ${soa.serial}`;
}

/** What a server said of the existence of names in one of its zones: for each, one reply. */
interface ExistenceReplies {
  readonly zone: Name;
  readonly server: PickedServer;
  readonly denied: ReadonlyMap<Name, Exchanged>;
  readonly existing: ReadonlyMap<Name, Exchanged>;
}

function* existenceReplies({ zones, recording }: Evidence): Iterable<ExistenceReplies> {
  if (zones.size === 0) return;
  const said = repliesByAddress(recording);
  const zonesAt = new Map<string, Name[]>();
  for (const { zone, servers } of zones.values()) {
    for (const { address } of servers) getOrMake(zonesAt, address, () => []).push(zone);
  }
  for (const each of zonesAt.values()) each.sort((a, b) => labelCount(b) - labelCount(a));
  for (const { zone, servers } of zones.values()) {
    for (const { address, names } of servers) {
      const [name] = names;
      const deepestFirst = zonesAt.get(address) ?? [];
      const own = (said.get(address) ?? []).filter((one) => {
        return zoneOf({ zones: deepestFirst }, one.question.name) === zone;
      });
      if (name !== undefined) yield { zone, server: { name, address }, ...sorted(own, zone) };
    }
  }
}

/** In the order of questions, so that it does not matter who replied first. */
function repliesByAddress({
  exchanges,
  unasked,
  probes,
}: Evidence['recording']): ReadonlyMap<string, readonly Exchanged[]> {
  const counted = [...exchanges].flatMap(([key, one]) => (unasked.has(key) ? [] : [one]));
  const byAddress = new Map<string, Exchanged[]>();
  // A repeat may contradict what the same address said before.
  for (const one of [...counted, ...probes.filter(({ probe }) => probe !== 'repeat')]) {
    if (one.outcome.kind === 'reply') getOrMake(byAddress, one.address, () => []).push(one);
  }
  for (const each of byAddress.values()) each.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return byAddress;
}

function keyOf({ question }: Exchanged): string {
  return questionKey(question);
}

function sorted(replies: readonly Exchanged[], zone: Name): Pick<ExistenceReplies, 'denied' | 'existing'> {
  const denied = new Map<Name, Exchanged>();
  const existing = new Map<Name, Exchanged>();
  for (const reply of replies) {
    const existence = existenceIn(reply, zone);
    if (existence === undefined) continue;
    const names = existence === 'denied' ? denied : existing;
    if (!names.has(reply.question.name)) names.set(reply.question.name, reply);
  }
  return { denied, existing };
}

/** Every name of the zone that has one of these below it, with one that it has. */
function ancestorsOf(existing: ReadonlyMap<Name, Exchanged>, zone: Name): ReadonlyMap<Name, Exchanged> {
  const ancestors = new Map<Name, Exchanged>();
  for (const [name, reply] of existing) {
    let above = parentOf(name);
    while (above !== undefined && isBelow(above, zone) && !ancestors.has(above)) {
      ancestors.set(above, reply);
      above = parentOf(above);
    }
  }
  return ancestors;
}
