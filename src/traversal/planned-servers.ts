/* Answers from zone files in the place of servers that are going to have them: svc-model(7), ZONE FILES. */

import { answerFrom, secured, USUAL_ALIASES } from '../authority/answer.ts';
import { rrset, type Zone } from '../authority/zone.ts';
import type { ZoneRecord } from '../authority/zone-file.ts';
import { getOrMake } from '../base/memo.ts';
import { decodeMessage } from '../dns/decode.ts';
import { encodeMessage, type ReplySpec } from '../dns/encode.ts';
import { isBelow, type Name } from '../dns/name.ts';
import { type ResourceRecord, targetOf } from '../dns/record.ts';
import type { Exchange, Exchanged, Probing } from '../exchange/exchanged.ts';
import { type Query, queryKey } from '../exchange/query.ts';
import { type Delegation, enclosing } from '../explore/delegation.ts';
import type { ServerNames } from '../explore/server-names.ts';

/** A zone that is planned, and the servers that are going to have it. */
interface PlannedZone {
  readonly zone: Zone;
  /** The delegation that is planned as well; absent: the servers of today's delegation and of the file. */
  readonly delegation?: Delegation | undefined;
}

/** How planned servers are asked. */
interface PlannedServersOptions {
  readonly zones: readonly PlannedZone[];
  readonly hints: Delegation;
  /** Whether queries have the DO bit. */
  readonly dnssec: boolean;
  /** The names of servers as far as they are known. */
  readonly names: () => ServerNames;
}

/**
 * Knows which addresses are those of planned servers. That they are may show only after they were asked as servers of a
 * zone above, so `isLate` tells whether exploring has to begin again, with what was heard.
 */
export class PlannedServers {
  readonly #options: PlannedServersOptions;
  /** By zone: the names of its servers, and addresses that are given with them. */
  readonly #servers: ReadonlyMap<Zone, Set<string>>;
  /** The names of servers that somebody gives zones below the planned ones. */
  readonly #named = new Map<Name, Set<string>>();
  /** Replies of servers that there are, by key. */
  readonly #real = new Map<string, Exchanged>();

  constructor(options: PlannedServersOptions) {
    const { zones, hints } = options;
    this.#options = options;
    this.#servers = new Map(zones.map((planned) => [planned.zone, firstServers(planned, hints)]));
  }

  /** The same surroundings, but that planned servers reply from their files. */
  instead<T extends { readonly exchange: Exchange; readonly probing?: Probing }>(around: T): T {
    const { exchange, probing } = around;
    return {
      ...around,
      exchange: this.#exchange(exchange),
      ...(probing && { probing: this.#probing(probing) }),
    };
  }

  /** The exchange with planned servers, and through `real` with all others, each question once. */
  #exchange(real: Exchange): Exchange {
    return async (query, signal, leaving) => {
      signal.throwIfAborted();
      const planned = this.#reply(query);
      if (planned !== undefined) return this.#heard(plannedExchange(query, planned));
      const known = this.#real.get(queryKey(query));
      if (known !== undefined) return known;
      const exchanged = await real(query, signal, leaving);
      this.#real.set(queryKey(query), exchanged);
      // It may show that the server does not have the zone below.
      const instead = this.#reply(query);
      return this.#heard(instead === undefined ? exchanged : plannedExchange(query, instead));
    };
  }

  /** Carries out repeats: those of planned servers give the same again. */
  #probing(real: Probing): Probing {
    return async (probe, signal, leaving) => {
      const planned = this.#reply(probe);
      if (planned === undefined) return await real(probe, signal, leaving);
      return { ...plannedExchange(probe, planned), probe: probe.probe };
    };
  }

  /** Whether a query goes to a planned server. */
  isPlanned(query: Query): boolean {
    return this.#reply(query) !== undefined;
  }

  /** Whether a server was asked that turned out to be planned for that question, or the other way round. */
  isLate(exchanges: Iterable<Exchanged>): boolean {
    for (const one of exchanges) if (this.isPlanned(one) !== (one.planned === true)) return true;
    return false;
  }

  #reply(query: Query): PlannedReply | undefined {
    const { address, question } = query;
    const { name, type } = question;
    const { zones, dnssec } = this.#options;
    const names = this.#options.names();
    const known = [address, ...(names.ofMany(address) ?? names.of(address).names)];
    const served = zones
      .map(({ zone }) => zone)
      .filter((zone) => known.some((one) => this.#servers.get(zone)?.has(one)));
    if (!served.some(({ apex }) => enclosing(type)(name, apex))) return undefined;
    const plain = answerFrom(served, question, USUAL_ALIASES);
    const cut = plain.authoritative ? [] : plain.authority.filter((one) => one.type === 'NS');
    // It may have the zone below as well, which is not planned.
    const below = cut.find((ns) => this.#isServerOf(ns, known));
    if (below !== undefined && !isFromAbove(this.#real.get(queryKey(query)), below.name)) return undefined;
    const answer = dnssec ? secured(plain, served, question) : plain;
    const { rcode, authoritative, assertions: _, ...sections } = answer;
    const flags = authoritative ? (['qr', 'aa'] as const) : (['qr'] as const);
    const edns = { version: 0, payloadSize: PAYLOAD_SIZE, do: dnssec, options: [] };
    const questions = [{ nameAsSent: name, type, class: 'IN' }];
    const outcome = received({ id: 0, flags, rcode, questions, ...sections, edns });
    return { planned: true, outcome, ...sourceOf(sections.answer) };
  }

  /** Whether a server that has a name or an address is one of the zone below a cut. */
  #isServerOf({ name, target }: ZoneRecord, known: readonly string[]): boolean {
    const named = this.#named.get(name);
    return known.some((one) => one === target || named?.has(one));
  }

  /** Takes in who has which zones. Without a planned delegation, whatever delegates a zone names planned servers of it. */
  #heard(exchanged: Exchanged): Exchanged {
    const { outcome } = exchanged;
    if (outcome.kind !== 'reply') return exchanged;
    const { answer, authority } = outcome;
    for (const { zone, delegation } of this.#options.zones) {
      const below = [...answer, ...authority].filter((record) => isBelow(record.name, zone.apex));
      for (const record of below.filter(isOfServer))
        getOrMake(this.#named, record.name, () => new Set()).add(targetOf(record) ?? '');
      // Beside an answer they are what the zone says of itself.
      if (delegation !== undefined || answer.length > 0) continue;
      for (const record of authority.filter(({ name }) => name === zone.apex).filter(isOfServer))
        this.#servers.get(zone)?.add(targetOf(record) ?? '');
    }
    return exchanged;
  }
}

function isOfServer({ type }: ResourceRecord): boolean {
  return type === 'NS';
}

/** Whether a reply is that of a zone above `zone`, as a server gives it that does not have `zone`. */
function isFromAbove(exchanged: Exchanged | undefined, zone: Name): boolean {
  if (exchanged?.outcome.kind !== 'reply') return false;
  const { authority, flags } = exchanged.outcome;
  return authority.some(
    ({ name, type }) =>
      (type === 'SOA' || type === 'NS') &&
      (isBelow(zone, name) || (name === zone && type === 'NS' && !flags.includes('aa'))),
  );
}

/** As recommended since 2020. */
const PAYLOAD_SIZE = 1232;

function firstServers({ zone, delegation }: PlannedZone, hints: Delegation): Set<string> {
  const given = delegation ?? (hints.zone === zone.apex ? hints : undefined);
  const fromFile = delegation === undefined ? rrset(zone, zone.apex, 'NS') : [];
  return new Set([
    ...(given?.nameservers ?? []).flatMap(({ name, glue }) => [name, ...glue]),
    ...fromFile.flatMap(({ target }) => (target === undefined ? [] : [target])),
  ]);
}

/** What a planned server is going to reply. */
type PlannedReply = Pick<Exchanged, 'outcome' | 'planned' | 'source'>;

function sourceOf(answer: readonly ZoneRecord[]): Pick<Exchanged, 'source'> {
  const { file, line }: Partial<ZoneRecord> = answer[0] ?? {};
  return file === undefined || line === undefined ? {} : { source: { file, line } };
}

/** The reply as whoever asked reads it. */
function received(reply: ReplySpec): PlannedReply['outcome'] {
  const octets = encodeMessage(reply);
  const { rcode, flags, edns, answer, authority, additional } = decodeMessage(octets);
  return {
    kind: 'reply',
    rcode,
    flags,
    rttMs: 0,
    bytes: octets.length,
    ...(edns && { edns }),
    answer,
    authority,
    additional,
  };
}

function plannedExchange({ address, question }: Query, reply: PlannedReply): Exchanged {
  const traffic = { packetsSent: 0, packetsReceived: 0, bytesSent: 0, bytesReceived: 0 };
  return { address, question, transport: 'udp', tries: [], elapsedMs: 0, traffic, ...reply };
}
