import type { Question } from '../../dns/message.ts';
import { isAtOrBelow, type Name, ROOT } from '../../dns/name.ts';
import { comparableData, type Records, type ResourceRecord, soaIn, targetOf } from '../../dns/record.ts';
import type { ExchangeRow } from '../../document/exchanges.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { AddressRow, StepRow } from '../../document/steps.ts';
import type { CopyKind } from '../../document/when.ts';
import { grouped } from '../../document/words/lists.ts';
import { withAddress } from '../../document/words/names.ts';
import { multiply, readFraction, toNumber } from '../../evaluate/fraction.ts';
import { mainWalk, type Passed, type ResultIndex, resultIndex } from '../views/result-index.ts';
import type { Given, Held } from './held.ts';

/** The RRsets and denials that resolvers can hold on the way to an answer. */
export interface Way {
  /** Aliases, data and final denials, in the order of the walk. */
  readonly sets: readonly SetOfZone[];
  /** The zones on the main walk, without the root, from the top down. */
  readonly zones: readonly ZoneOnWay[];
}

/** An RRset or a denial, and the zone whose servers give it. */
export interface SetOfZone {
  readonly zone: Name;
  readonly held: Held;
}

/** A zone, and the records besides data that resolvers can hold of it. */
export interface ZoneOnWay {
  readonly zone: Name;
  /** The names of its name servers on the main walk, by address. */
  readonly servers: ReadonlyMap<string, Name>;
  /** Its NS records at the parent. */
  readonly parent: Held | undefined;
  /** Its own NS records; undefined if no reply had them. */
  readonly own: Held | undefined;
  /** Whether answers of its servers contain its own NS records. */
  readonly carried: 'all' | 'some' | 'none';
  /** The addresses of its name servers, by name and type. */
  readonly addresses: readonly Held[];
  readonly keys: Held | undefined;
  readonly ds: Held | undefined;
  /** The denial of DS records. */
  readonly noDs: Held | undefined;
  /** Denials of names, by the SOA record of the zone. */
  readonly denial: Held | undefined;
  /** The tags of the keys that sign its answers. */
  readonly signers: ReadonlySet<number>;
}

/** Reads the way from a result: the TTLs and data from each server, with its share of the main walk. */
export function wayIn(result: TraversalResult): Way {
  const index = resultIndex(result);
  const walk = mainWalk(index);
  const picks = picksIn(walk, index);
  const copies = new Copies();
  const sets = new Map(
    picks.flatMap((pick) => noteReply(pick, copies).map((held) => [held, pick.step.zone])),
  );
  const cuts = new Set(walk.steps.map(({ zone }) => zone).filter((zone) => zone !== ROOT));
  const zones = [...cuts].map((zone) => {
    const own = picks.filter(({ step }) => step.zone === zone);
    return zoneOnWay(zone, own, result.exchanges, copies);
  });
  return {
    sets: [...sets].map(([held, zone]) => ({ zone, held })),
    zones: zones.sort((a, b) => a.zone.length - b.zone.length),
  };
}

/** An address that was asked at a step of the main walk. */
interface PickOnWay extends Giver {
  readonly step: StepRow;
  readonly name: Name;
  readonly row: AddressRow;
  /** The zone that the reply refers to. */
  readonly referredTo: Name | undefined;
  readonly exchange: ExchangeRow;
}

function picksIn(walk: Passed, index: ResultIndex): readonly PickOnWay[] {
  return walk.steps.flatMap((step) =>
    step.nameservers.flatMap(({ name, addresses }) =>
      addresses.flatMap((row): readonly PickOnWay[] => {
        const exchange = index.exchange(row);
        if (exchange === undefined) return [];
        const next = index.next(row.leadsTo);
        const referredTo = row.class === 'referral' && next.kind === 'step' ? next.step.zone : undefined;
        const share = toNumber(multiply(walk.share(step), readFraction(row.fraction)));
        const server = withAddress({ name, address: row.address });
        return [{ step, name, row, referredTo, exchange, share, server }];
      }),
    ),
  );
}

/** Notes the copies in a reply on the main walk. Returns those of data, aliases or a denial. */
function noteReply(pick: PickOnWay, copies: Copies): readonly Held[] {
  const { step, row, referredTo, exchange } = pick;
  const { answer = [], authority = [] } = exchange;
  if (referredTo !== undefined) {
    copies.noteSets('parent', setIn(authority, referredTo, 'NS'), pick);
    const signers = setIn(authority, referredTo, 'DS');
    copies.noteSets('ds', signers, pick);
    if (signers.length === 0) copies.noteNoDs({ name: referredTo, type: 'DS' }, authority, pick);
  }
  const { name, type } = step.question;
  if (row.class === 'answer' || row.class === 'alias') {
    // Resolvers ask for the target of an alias anew, whatever else the reply says of it.
    const isOwn = (record: ResourceRecord) =>
      record.type === 'DNAME' || (record.name === name && (record.type === type || record.type === 'CNAME'));
    return copies.noteSets('data', answer.filter(isOwn), pick);
  }
  const isDenial = row.class === 'nodata' || row.class === 'nxdomain';
  return isDenial ? copies.noteDenial('denial', step.question, authority, pick) : [];
}

function setIn(records: Records, owner: Name, type: string): readonly ResourceRecord[] {
  return records.filter((record) => record.name === owner && record.type === type);
}

/** A zone on the way, from the picks of its servers, which may have no address, and from all other exchanges. */
function zoneOnWay(
  zone: Name,
  picks: readonly PickOnWay[],
  exchanges: readonly ExchangeRow[],
  copies: Copies,
): ZoneOnWay {
  const at = (type: string) => ({ name: zone, type });
  const givers = new Map(picks.map((pick) => [pick.row.address, pick]));
  for (const exchange of exchanges) noteOfZone(exchange, zone, givers, copies);
  // The SOA record of a denial has the negative TTL; where none was seen, its answers tell.
  if (copies.find('denial', at('SOA')) === undefined)
    for (const exchange of exchanges) noteSoa(exchange, zone, givers, copies);
  const own = copies.find('own', at('NS'));
  const parent = copies.find('parent', at('NS'));
  const names = new Set([parent, own].flatMap(namesIn));
  for (const exchange of exchanges) noteAddresses(exchange, names, givers, copies);
  return {
    zone,
    servers: new Map(picks.map(({ row, name }) => [row.address, name])),
    parent,
    own,
    carried: carriedBy(zone, picks, exchanges, givers),
    addresses: [...names].flatMap((name) =>
      ADDRESS_TYPES.flatMap((type) => copies.find('address', { name, type }) ?? []),
    ),
    keys: copies.find('keys', at('DNSKEY')),
    ds: copies.find('ds', at('DS')),
    noDs: copies.find('no-ds', at('DS')),
    denial: copies.find('denial', at('SOA')),
    signers: new Set(picks.flatMap(({ exchange }) => signersIn(exchange, zone))),
  };
}

/** The share of a server; servers that are not on the main walk count alike. */
function giverOf({ server: { address, names } }: ExchangeRow, givers: Givers): Giver {
  const known = givers.get(address);
  if (known !== undefined) return known;
  const [name] = names;
  return { share: 1, server: name === undefined ? address : withAddress({ name, address }) };
}

/** By address: the servers of a zone on the main walk. */
type Givers = ReadonlyMap<string, Giver>;

function noteOfZone(exchange: ExchangeRow, zone: Name, givers: Givers, copies: Copies): void {
  const { question, answer = [], authority = [] } = exchange;
  const soa = setIn(authority, zone, 'SOA');
  // Most exchanges are about other zones.
  if (soa.length === 0 && question.name !== zone) return;
  const giver = giverOf(exchange, givers);
  if (soa.length > 0) copies.noteDenial('denial', { name: zone, type: 'SOA' }, soa, giver);
  if (question.name !== zone) return;
  const found = setIn(answer, zone, question.type);
  if (question.type === 'NS') copies.noteSets('own', found, giver);
  if (question.type === 'DNSKEY') copies.noteSets('keys', found, giver);
  if (question.type !== 'DS') return;
  copies.noteSets('ds', found, giver);
  if (found.length === 0) copies.noteDenial('no-ds', question, authority, giver);
}

function noteSoa(exchange: ExchangeRow, zone: Name, givers: Givers, copies: Copies): void {
  const { question, answer = [] } = exchange;
  if (question.name !== zone || question.type !== 'SOA') return;
  copies.noteDenial('denial', question, setIn(answer, zone, 'SOA'), giverOf(exchange, givers));
}

const ADDRESS_TYPES = ['A', 'AAAA'] as const;

function noteAddresses(
  exchange: ExchangeRow,
  names: ReadonlySet<Name>,
  givers: Givers,
  copies: Copies,
): void {
  const { answer = [], additional = [] } = exchange;
  const isOfServer = ({ name, type }: ResourceRecord) =>
    names.has(name) && ADDRESS_TYPES.some((one) => one === type);
  const found = [...answer.filter(isOfServer), ...additional.filter(isOfServer)];
  if (found.length > 0) copies.noteSets('address', found, giverOf(exchange, givers));
}

/** The names of the servers in NS records. */
function namesIn(held: Held | undefined): readonly Name[] {
  if (held === undefined) return [];
  const { name } = held.rrset;
  return held.given.flatMap(({ data }) =>
    data.flatMap((one) => targetOf({ name, type: 'NS', ttl: 0, data: one }) ?? []),
  );
}

function carriedBy(
  zone: Name,
  picks: readonly PickOnWay[],
  exchanges: readonly ExchangeRow[],
  servers: ReadonlyMap<string, Giver>,
): ZoneOnWay['carried'] {
  const answered = picks.filter(({ row }) => row.class === 'answer' || row.class === 'alias');
  // A denial does not contain NS records: other answers of the same servers tell whether they do.
  const others = exchanges.filter(
    ({ question, server, answer = [] }) =>
      servers.has(server.address) &&
      answer.length > 0 &&
      question.type !== 'NS' &&
      isAtOrBelow(question.name, zone),
  );
  const replies = answered.length > 0 ? answered.map(({ exchange }) => exchange) : others;
  const carries = replies.map(({ authority = [] }) => setIn(authority, zone, 'NS').length > 0);
  if (carries.length > 0 && carries.every((one) => one)) return 'all';
  return carries.includes(true) ? 'some' : 'none';
}

/** The tags of the keys of a zone that signed the answer section of a reply (RFC 4034 3.1). */
function signersIn({ answer = [] }: ExchangeRow, zone: Name): readonly number[] {
  const signatures = answer.filter(({ type }) => type === 'RRSIG');
  return signatures.flatMap(({ data }) => {
    const [, , , , , , tag = '', signer] = data.split(' ');
    return signer === zone ? [Number(tag)] : [];
  });
}

/** A server, and its share of picks, up to a common factor. */
type Giver = Pick<Given, 'server' | 'share'>;

/** Collects the RRsets and denials that replies contain, with the TTL and data from each server. */
class Copies {
  readonly #held = new Map<string, Held & { readonly given: Given[] }>();

  /** Notes each RRset among these records. Returns their copies. */
  noteSets(kind: CopyKind, records: readonly ResourceRecord[], giver: Giver): readonly Held[] {
    return grouped(records, ({ name, type }) => `${name} ${type}`).map((set) => {
      const ttl = Math.max(...set.map((record) => record.ttl));
      return this.#note(kind, set[0], { ...giver, ttl, data: set.map(comparableData).sort() });
    });
  }

  /** Notes the denial in a reply, if resolvers can hold it (RFC 2308 5). Returns its copy, if any. */
  noteDenial(kind: 'denial' | 'no-ds', of: Question, authority: Records, giver: Giver): readonly Held[] {
    const record = authority.find(({ type }) => type === 'SOA');
    const soa = record && soaIn(record);
    if (record === undefined || soa === undefined) return [];
    return [this.#note(kind, of, { ...giver, ttl: record.ttl, minimum: soa.minimum, data: [] })];
  }

  /** Notes the denial of DS records in a referral: NSEC or NSEC3 records. */
  noteNoDs(of: Question, authority: Records, giver: Giver): void {
    const proofs = authority.filter(({ type }) => type === 'NSEC' || type === 'NSEC3');
    const ttl = Math.max(...proofs.map((proof) => proof.ttl));
    if (proofs.length > 0) this.#note('no-ds', of, { ...giver, ttl, data: [] });
  }

  #note(kind: CopyKind, { name, type }: Question, given: Given): Held {
    const key = `${kind} ${name} ${type}`;
    const held = this.#held.get(key) ?? { kind, rrset: { name, type }, given: [] };
    this.#held.set(key, held);
    if (!held.given.some((one) => isSame(one, given))) held.given.push(given);
    return held;
  }

  find(kind: CopyKind, { name, type }: Question): Held | undefined {
    return this.#held.get(`${kind} ${name} ${type}`);
  }
}

/** A server that is asked several times is noted once for each TTL and data. */
function isSame(one: Given, other: Given): boolean {
  return one.server === other.server && one.ttl === other.ttl && one.data.join() === other.data.join();
}
