import { getOrMake } from '../../base/memo.ts';
import type { Family } from '../../dns/address.ts';
import type { Name } from '../../dns/name.ts';
import { type Records, type ResourceRecord, type Soa, soaIn, targetOf } from '../../dns/record.ts';
import type { Evaluation } from '../../evaluate/evaluate.ts';
import type { AddressPick } from '../../evaluate/path-view.ts';
import type { Step } from '../../evaluate/step.ts';
import { mainSteps } from '../../evaluate/step-order.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Query, queryKey } from '../../exchange/query.ts';
import { addressesIn, lookupTypes } from '../../explore/addresses.ts';
import { meaningFor } from '../../explore/classify.ts';
import { apexQuestion } from '../../explore/main-walks.ts';
import type { Meaning } from '../../explore/meaning.ts';
import type { Recording } from '../../explore/recording.ts';

/** The facts of every zone that a main walk comes to; none if nothing asked servers about their zones. */
export function zoneFacts(
  recording: Recording,
  evaluation: Evaluation,
  coldSteps: ReadonlySet<Step>,
): ReadonlyMap<Name, ZoneFacts> {
  const facts = new Map<Name, ZoneFacts>();
  const { pathView, warm } = evaluation;
  if (recording.scope.check === 'off' && warm === undefined) return facts;
  const names: NamesByZone = new Map();
  const walks = [
    { steps: coldSteps, view: pathView },
    ...(warm === undefined ? [] : [{ steps: mainSteps(warm.start), view: warm.pathView }]),
  ];
  for (const { steps, view } of walks) {
    for (const step of steps) {
      for (const pick of view.leaving(step).picks) take(step.delegation.zone, pick, names);
    }
  }
  for (const [zone, byAddress] of names) {
    const servers = [...byAddress].sort(([a], [b]) => (a < b ? -1 : 1));
    facts.set(zone, {
      zone,
      servers: servers.map(([address, own]) => zoneServer(recording, zone, address, own)),
    });
  }
  return facts;
}

/** What one zone of the main walk, cold or warm, says of itself: svc-model(7), COLD AND WARM. */
export interface ZoneFacts {
  readonly zone: Name;
  /** Sorted by address. */
  readonly servers: readonly ZoneServer[];
}

/**
 * An address at which paths ask for a zone, and what the server there says of the zone with authority.
 * Undefined is unknown: not asked, cut off by a limit, no reply, or a reply that says nothing of the zone.
 */
export interface ZoneServer {
  readonly address: string;
  /** The names under which paths pick it there, sorted. */
  readonly names: readonly Name[];
  readonly soa: AuthoritativeData<Soa> | undefined;
  readonly ns: AuthoritativeData<NsSet> | undefined;
  /** The records of a type at the apex; none if the server denies that there are any. */
  readonly apexRecords: (type: string) => AuthoritativeData<readonly ResourceRecord[]> | undefined;
  /** The addresses of a host in the zone; none if the server denies that there are any. */
  readonly addressesOf: (host: Name, family: Family) => AuthoritativeData<readonly string[]> | undefined;
}

type NamesByZone = Map<Name, Map<string, Set<Name>>>;

function take(zone: Name, { server, address }: AddressPick, names: NamesByZone): void {
  const byAddress = getOrMake(names, zone, () => new Map<string, Set<Name>>());
  getOrMake(byAddress, address, () => new Set<Name>()).add(server.name);
}

function zoneServer(recording: Recording, zone: Name, address: string, names: ReadonlySet<Name>): ZoneServer {
  return {
    address,
    names: [...names].sort(),
    soa: soaFrom(recording, zone, { address, question: { name: zone, type: 'SOA' } }),
    ns: nsSetFrom(recording, zone, { address, question: apexQuestion(zone) }),
    apexRecords: (type) =>
      recordsFrom(recording, zone, { address, question: { name: zone, type } }, (records) => [...records]),
    addressesOf: (name, family) => {
      const [lookup] = lookupTypes([family]);
      const question = lookup && { name, type: lookup.type };
      return question && recordsFrom(recording, zone, { address, question }, addressesIn);
    },
  };
}

/** What a server says of its zone with authority, and where it said so. */
interface AuthoritativeData<T> {
  readonly value: T;
  readonly exchanged: Exchanged;
}

/** The NS RRset at the apex of a zone. */
export interface NsSet {
  /** Distinct, sorted. */
  readonly names: readonly Name[];
  /** Seconds. */
  readonly ttl: number;
}

/** The SOA record of a zone, as a server of the zone gives it. */
function soaFrom(recording: Recording, zone: Name, query: Query): AuthoritativeData<Soa> | undefined {
  return authoritativeData(recording, zone, query, (meaning) =>
    recordsIn(meaning)
      ?.map(soaIn)
      .find((soa) => soa !== undefined),
  );
}

/** The NS RRset of a zone, as a server of the zone gives it. */
function nsSetFrom(recording: Recording, zone: Name, query: Query): AuthoritativeData<NsSet> | undefined {
  return authoritativeData(recording, zone, query, (meaning) => {
    const records = recordsIn(meaning) ?? [];
    const names = [...new Set(records.map(targetOf).filter((name) => name !== undefined))].sort();
    return names.length === 0 ? undefined : { names, ttl: Math.min(...records.map(({ ttl }) => ttl)) };
  });
}

/** What is read from the records of a name in the zone, as a server of the zone gives them: nothing if it denies that there are any. */
function recordsFrom<T>(
  recording: Recording,
  zone: Name,
  query: Query,
  read: (records: Records) => readonly T[],
): AuthoritativeData<readonly T[]> | undefined {
  return authoritativeData(recording, zone, query, (meaning, exchanged) => {
    const records = recordsIn(meaning);
    if (records !== undefined) return read(records);
    const isDenial = meaning.kind === 'nxdomain' || meaning.kind === 'nodata';
    return isDenial && isFrom(zone, exchanged) ? [] : undefined;
  });
}

/**
 * What a server says of the zone in reply to a question. Without the AA bit a reply is hearsay; what a
 * limit left out counts as not asked, even if it was.
 */
function authoritativeData<T>(
  { exchanges, unasked }: Recording,
  zone: Name,
  query: Query,
  read: (meaning: Meaning, exchanged: Exchanged) => T | undefined,
): AuthoritativeData<T> | undefined {
  const key = queryKey(query);
  const exchanged = unasked.has(key) ? undefined : exchanges.get(key);
  if (exchanged?.outcome.kind !== 'reply' || !exchanged.outcome.flags.includes('aa')) return undefined;
  const value = read(meaningFor(exchanged, zone), exchanged);
  return value && { value, exchanged };
}

/** The records of the type asked. */
function recordsIn(meaning: Meaning): Records | undefined {
  return meaning.kind === 'answer' ? meaning.records : undefined;
}

/** Whether a denial comes out of this very zone (RFC 2308 2), not out of one above or below that the server has, too. */
function isFrom(zone: Name, { outcome }: Exchanged): boolean {
  return (
    outcome.kind === 'reply' && outcome.authority.some(({ name, type }) => type === 'SOA' && name === zone)
  );
}
