import type { PickedServer } from '../../evaluate/end.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { getOrMake } from '../../get-or-make.ts';
import { zoneOf } from '../../probe/asked-server.ts';
import { existenceIn } from '../../probe/existence.ts';
import { plain, withAddress } from '../../reading/words/names.ts';
import { isBelow, labelCount, type Name, parentOf } from '../../wire/name.ts';
import { questionKey } from '../../wire/question.ts';
import type { Check } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { soaIn } from '../zones/statements.ts';

/** NXDOMAIN_BY_TYPE: a name does not exist by one type and exists by another. */
export const nxdomainByType: Check = function* (evidence) {
  for (const { zone, server, denied, existing } of testimonies(evidence)) {
    for (const [name, denial] of denied) {
      const proof = existing.get(name);
      if (proof === undefined || areOfTwoVersions(denial, proof)) continue;
      yield {
        zone,
        server,
        problem: `${withAddress(server)} says that ${plain(name)} does not exist when asked for ${denial.question.type}, but not when asked for ${proof.question.type}, so resolvers that have cached the one do not ask for the other`,
        advice:
          'Update or replace that server: for a type that an existing name does not have, it must answer NODATA',
        proof: [denial, proof],
      };
    }
  }
};

/** NXDOMAIN_ON_ENT: a name does not exist although one below it does. */
export const nxdomainOnEnt: Check = function* (evidence) {
  for (const { zone, server, denied, existing } of testimonies(evidence)) {
    const below = ancestorsOf(existing, zone);
    for (const [name, denial] of denied) {
      const proof = existing.has(name) ? undefined : below.get(name);
      if (proof === undefined || areOfTwoVersions(denial, proof)) continue;
      yield {
        zone,
        server,
        problem: `${withAddress(server)} says that ${plain(name)} does not exist, although ${plain(proof.question.name)} below it does, so resolvers that have cached the denial find nothing there`,
        advice:
          'Update or replace that server: for a name that only has names below it, it must answer NODATA',
        proof: [denial, proof],
      };
    }
  }
};

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
interface Testimony {
  readonly zone: Name;
  readonly server: PickedServer;
  readonly denied: ReadonlyMap<Name, Exchanged>;
  readonly existing: ReadonlyMap<Name, Exchanged>;
}

function* testimonies({ zones, recording }: Evidence): Iterable<Testimony> {
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
  for (const one of [...counted, ...probes]) {
    if (one.outcome.kind === 'reply') getOrMake(byAddress, one.address, () => []).push(one);
  }
  for (const each of byAddress.values()) each.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return byAddress;
}

function keyOf({ question }: Exchanged): string {
  return questionKey(question);
}

function sorted(replies: readonly Exchanged[], zone: Name): Pick<Testimony, 'denied' | 'existing'> {
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
