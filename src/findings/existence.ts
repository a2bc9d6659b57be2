/* Checks whether a server denies names that exist, as its own replies show, and whether names hide a wildcard. */

import { getOrMake } from '../base/memo.ts';
import { questionKey } from '../dns/message.ts';
import { isBelow, labelCount, type Name, parentOf } from '../dns/name.ts';
import { soaIn } from '../dns/record.ts';
import { grouped, listed } from '../document/words/lists.ts';
import { asked, plain, withAddress } from '../document/words/names.ts';
import type { PickedServer } from '../evaluate/end.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { existenceIn, zoneOf } from '../explore/asked-servers.ts';
import { meaningFor } from '../explore/classify.ts';
import { wildcardsOver } from '../explore/usual-probes.ts';
import type { Checks, Draft } from './check.ts';
import { askedExchanges, type Evidence, hasFlag } from './evidence.ts';
import { faultScope } from './fault-scope.ts';
import { deniedBelow } from './minimised.ts';

/** Does a server deny names that exist? */
export const EXISTENCE_CHECKS = {
  NXDOMAIN_BY_TYPE: nxdomainByType,
  NXDOMAIN_ON_ENT: nxdomainOnEnt,
  WILDCARD_HIDDEN: wildcardHidden,
} satisfies Checks;

/** NXDOMAIN_BY_TYPE: a name does not exist by one type and exists by another. */
function nxdomainByType(evidence: Evidence): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const { zone, server, replies } of existenceReplies(evidence)) {
    const [denied, existing] = [denialsIn(replies, zone), existingIn(replies, zone)];
    for (const [name, denial] of denied) {
      const proof = hasFlag({ exchanged: denial }, 'aa') ? existing.get(name) : undefined;
      if (proof === undefined || areOfTwoVersions(denial, proof)) continue;
      drafts.push({
        zone,
        server,
        problem: `${withAddress(server)} returns NXDOMAIN for ${asked(denial.question)} although the name exists, as its reply to ${asked(proof.question)} shows, so resolvers that have cached the NXDOMAIN do not ask for other types`,
        advice:
          'Update or replace that server: it must return NODATA for a type that an existing name does not have',
        scope: faultScope(evidence, { zone, server }, [denial]),
        proof: [denial, proof],
      });
    }
  }
  return drafts;
}

/** NXDOMAIN_ON_ENT: a name does not exist although one below it does. */
function nxdomainOnEnt(evidence: Evidence): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const { zone, server, replies } of existenceReplies(evidence)) {
    const existing = existingIn(replies, zone);
    const below = ancestorsOf(existing, zone);
    for (const [name, denial] of denialsIn(replies, zone)) {
      const proof = existing.has(name) ? undefined : below.get(name);
      if (proof === undefined || areOfTwoVersions(denial, proof)) continue;
      drafts.push({
        zone,
        server,
        problem: `${withAddress(server)} returns NXDOMAIN for ${plain(name)}, although ${plain(proof.question.name)} below it exists, so resolvers that have cached the NXDOMAIN find nothing below ${plain(name)}${forWhom(evidence, name)}`,
        advice:
          'Update or replace that server: it must return NODATA for a name that only has names below it',
        scope: faultScope(evidence, { zone, server }, [denial]),
        proof: [denial, proof],
      });
    }
  }
  return drafts;
}

/** WILDCARD_HIDDEN: a name has no data, and a wildcard above has, which covers only names that do not exist (RFC 4592 2.2). */
function wildcardHidden({ contacts, recording }: Evidence): readonly Draft[] {
  const drafts: Draft[] = [];
  const probes = recording.probes.filter(({ probe }) => probe !== 'repeat');
  if (!probes.some(({ probe }) => probe === 'wildcard')) return drafts;
  for (const { zone, server, observed } of contacts) {
    const said = probes.filter(({ address }) => address === server.address);
    for (const { exchanged, meaning } of observed) {
      const { name, type } = exchanged.question;
      if (meaning.kind !== 'nodata') continue;
      const over = wildcardsOver(name, zone).flatMap((wild) =>
        said.filter((one) => one.question.name === wild && one.question.type === type),
      );
      const wildcard = over.find((one) => meaningFor(one, zone).kind === 'answer');
      if (wildcard === undefined) continue;
      const known = said.filter((one) => existenceIn(one, zone) === 'exists');
      const other = known.find(
        (one) => one.question.name === name && meaningFor(one, zone).kind === 'answer',
      );
      const shown = other ?? known.find(({ question }) => isBelow(question.name, name));
      const why = other
        ? `that name has ${other.question.type} records`
        : shown
          ? `a name below it exists (${plain(shown.question.name)})`
          : 'that name, or one below it, exists';
      drafts.push({
        zone,
        problem: `The wildcard ${plain(wildcard.question.name)} does not cover ${plain(name)} because ${why}`,
        advice: `Give ${plain(name)} ${type} records of its own if it is to have any`,
        proof: [exchanged, wildcard, ...(shown ? [shown] : [])],
      });
    }
  }
  return drafts;
}

/** Who gets NXDOMAIN without having cached it. */
function forWhom({ evaluation }: Evidence, name: Name): string {
  const users = deniedBelow(evaluation, name);
  return users.length === 0 ? '' : `, and users of ${listed(users)} get NXDOMAIN at once`;
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

/** What a server said of names in one of its zones, to probes as well. */
interface ExistenceReplies {
  readonly zone: Name;
  readonly server: PickedServer;
  readonly replies: readonly Exchanged[];
}

/** The replies of each server in each of its zones on the main walks. */
export function existenceReplies({ zones, recording }: Evidence): readonly ExistenceReplies[] {
  const all: ExistenceReplies[] = [];
  if (zones.size === 0) return all;
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
      const replies = (said.get(address) ?? []).filter((one) => {
        return zoneOf({ zones: deepestFirst }, one.question.name) === zone;
      });
      if (name !== undefined) all.push({ zone, server: { name, address }, replies });
    }
  }
  return all;
}

/** In the order of questions, so that it does not matter who replied first. */
function repliesByAddress(recording: Evidence['recording']): ReadonlyMap<string, readonly Exchanged[]> {
  // A repeat may contradict what the same address said before.
  const probes = recording.probes.filter(({ probe }) => probe !== 'repeat');
  const replies = [...askedExchanges(recording), ...probes].filter(({ outcome }) => outcome.kind === 'reply');
  const keyed = replies.map((one) => ({ key: questionKey(one.question), one }));
  const sorted = keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))).map(({ one }) => one);
  return new Map(grouped(sorted, ({ address }) => address).map((all) => [all[0].address, all]));
}

/** The names that the server says do not exist, with a reply for each: one with authority if there is any. */
function denialsIn(replies: readonly Exchanged[], zone: Name): ReadonlyMap<Name, Exchanged> {
  const denied = replies.filter(
    (one) => isBelow(one.question.name, zone) && meaningFor(one, zone).kind === 'nxdomain',
  );
  // Resolvers believe a denial without the AA bit, too.
  const byAuthority = [true, false].flatMap((own) =>
    denied.filter((exchanged) => hasFlag({ exchanged }, 'aa') === own),
  );
  return byName(byAuthority);
}

/** The names that the server has, as replies with authority show. */
function existingIn(replies: readonly Exchanged[], zone: Name): ReadonlyMap<Name, Exchanged> {
  return byName(replies.filter((one) => existenceIn(one, zone) === 'exists'));
}

/** By the name asked: the first reply. */
function byName(replies: readonly Exchanged[]): ReadonlyMap<Name, Exchanged> {
  const first = new Map<Name, Exchanged>();
  for (const one of replies) getOrMake(first, one.question.name, () => one);
  return first;
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
