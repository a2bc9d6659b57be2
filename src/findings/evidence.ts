import { getOrMake } from '../base/memo.ts';
import type { Family } from '../dns/address.ts';
import { type Question, questionKey } from '../dns/message.ts';
import { isAtOrBelow, isBelow, labelCount, type Name } from '../dns/name.ts';
import { comparableData, type ResourceRecord } from '../dns/record.ts';
import type { End, PickedServer } from '../evaluate/end.ts';
import type { Evaluation } from '../evaluate/evaluate.ts';
import type { Step } from '../evaluate/step.ts';
import type { Exchanged, Try } from '../exchange/exchanged.ts';
import { meaningFor } from '../explore/classify.ts';
import type { Delegation } from '../explore/delegation.ts';
import { givesOrDenies, isUsable, type Meaning } from '../explore/meaning.ts';
import type { Recording, Scope } from '../explore/recording.ts';
import type { ZoneFacts } from './zones/zone-facts.ts';

/**
 * Everything that findings are drawn from: the recording and its evaluation, arranged as checks need them.
 * What was observed on the warm walk is among it, but for its apex questions, which not every server has to answer.
 */
export interface Evidence {
  readonly scope: Scope;
  readonly recording: Recording;
  readonly evaluation: Evaluation;
  /** Of the cold walk, in the order in which paths meet them. */
  readonly steps: readonly Step[];
  /** Those of them at which no lookup is pending. */
  readonly mainSteps: ReadonlySet<Step>;
  readonly contacts: readonly Contact[];
  /** Those of them where not all went smoothly: usually few, or none. */
  readonly rough: readonly Contact[];
  /** The same with all exchanges, those that no path contains included: questions for keys, DS records and zones. */
  readonly roughAnywhere: readonly Contact[];
  /** Those in zones that only validating resolvers come to, for a proof: nothing was observed on a path. */
  readonly forProofAlone: readonly Contact[];
  /** By zone: the names of servers of which some address gave something usable. */
  readonly working: ReadonlyMap<Name, ReadonlySet<Name>>;
  /** By `replySetKey`. */
  readonly replySets: ReadonlyMap<string, ReplySet>;
  /** Without the root hints. */
  readonly referred: readonly Referred[];
  /** By zone: the referrals to it. */
  readonly referrals: ReadonlyMap<Name, readonly Observation[]>;
  readonly resolutions: readonly Resolution[];
  /** By the name asked. */
  readonly byName: ReadonlyMap<Name, readonly Observation[]>;
  /** By zone: the zones that its servers referred to. */
  readonly cuts: ReadonlyMap<Name, ReadonlySet<Name>>;
  /** Families in which some address replied. In another family, silence says nothing about a server. */
  readonly reached: ReadonlySet<Family>;
  /** Families in which some address replied over TCP, to a probe at least. In another one, silence may be this network's. */
  readonly reachedOverTcp: ReadonlySet<Family>;
  /** Zones into which some way of the cold walk was not examined: cut off by a limit, or untried. */
  readonly openZones: ReadonlySet<Name>;
  /** The same, of both walks. */
  readonly openWhenWarm: ReadonlySet<Name>;
  /** What the zones of the main walks say of themselves: their NS records, and all else only with `--check`. */
  readonly zones: ReadonlyMap<Name, ZoneFacts>;
  /** Servers that validating resolvers cannot do without, for reasons of validation. */
  readonly neededByValidators: readonly Contacts[];
}

/** One exchange, and what it means for a zone that the server was asked for. */
export interface Observation {
  readonly zone: Name;
  /** If several names have the address: the first that a path met. */
  readonly server: PickedServer;
  readonly exchanged: Exchanged;
  readonly meaning: Meaning;
}

/** A server of a zone at one address, and everything observed from there: nothing if it was not asked. */
export interface Contact {
  readonly zone: Name;
  readonly server: PickedServer;
  readonly observed: readonly Observation[];
}

/** A server of one zone, at each of its addresses. */
export type Contacts = readonly [Contact, ...Contact[]];

/** What all servers of a zone said to one question, each address once. */
export interface ReplySet {
  readonly zone: Name;
  readonly question: Question;
  readonly observed: readonly Observation[];
}

/** A delegation, and the referrals that gave it. */
export interface Referred {
  readonly delegation: Delegation;
  readonly observed: readonly Observation[];
}

/** What came of looking for the addresses of one name server of a zone, on all paths together. */
export interface Resolution {
  readonly zone: Name;
  readonly name: Name;
  readonly addresses: ReadonlySet<string>;
  /** Ends of paths that got no address: those of failed lookups (`unresolvable-ns`, `no-glue`), and of lookups not made. */
  readonly failed: readonly End[];
  readonly notLookedUp: readonly End[];
}

/** A function whose value is kept for each key: many checks need what takes long to find in the evidence. */
export function oncePer<K extends object, V extends {}>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => getOrMake(known, key, () => make(key));
}

/** Every exchange that counts as asked, in an order that does not depend on who answered first. */
export const askedExchanges = oncePer(({ exchanges, unasked }: Recording): readonly Exchanged[] => {
  const counting = [...exchanges].filter(([key]) => !unasked.has(key));
  return counting.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, exchanged]) => exchanged);
});

/** The server at an address in the deepest of its zones that can have what it was asked; undefined if no path comes to it. */
export function contactAsked(
  { address, question: { name, type } }: Exchanged,
  contacts: readonly Contact[],
): Contact | undefined {
  // DS records are the parent's (RFC 4035 3.1.4.1).
  const isIn = type === 'DS' ? isBelow : isAtOrBelow;
  return byAddress(contacts)
    .get(address)
    ?.find(({ zone }) => isIn(name, zone));
}

/** The deepest zones first. */
const byAddress = oncePer((all: readonly Contact[]): ReadonlyMap<string, readonly Contact[]> => {
  const contacts = new Map<string, Contact[]>();
  for (const contact of all) getOrMake(contacts, contact.server.address, (): Contact[] => []).push(contact);
  for (const there of contacts.values()) there.sort((a, b) => labelCount(b.zone) - labelCount(a.zone));
  return contacts;
});

/** The text that is equal only for the same question to the same zone. */
export function replySetKey({ zone, question }: Pick<ReplySet, 'zone' | 'question'>): string {
  return `${zone} ${questionKey(question)}`;
}

/** Whether the reply gives data or denies it, rather than referring on or failing. */
export function isFinal({ meaning }: Observation): boolean {
  return givesOrDenies(meaning);
}

/** What the server itself says, whatever is planned to take the place of that: svc-model(7), WHAT IF. */
export function saidItself({ exchanged, zone }: Observation): Meaning {
  return meaningFor(exchanged, zone);
}

/** The exchanges alone. */
export function exchangesOf(observed: readonly Observation[]): readonly Exchanged[] {
  return observed.map(({ exchanged }) => exchanged);
}

/** Whether a reply came and has the flag. */
export function hasFlag({ exchanged }: Pick<Observation, 'exchanged'>, flag: 'aa' | 'ra'): boolean {
  return exchanged.outcome.kind === 'reply' && exchanged.outcome.flags.includes(flag);
}

/** The SOA records that show which zone a denial comes from (RFC 2308 2). */
export function soasOf({
  exchanged: { outcome },
}: Pick<Observation, 'exchanged'>): readonly ResourceRecord[] {
  if (outcome.kind !== 'reply') return [];
  return outcome.authority.filter((record) => record.type === 'SOA' && record.class === undefined);
}

/** Whether the reply denies the name or the type. */
export function isNegative({ meaning }: Pick<Observation, 'meaning'>): boolean {
  return meaning.kind === 'nxdomain' || meaning.kind === 'nodata';
}

/** System error codes that say something of the other side. All others are trouble of this host. */
const NETWORK_SAYS: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
]);

/** Whether a query was sent and nothing at all came back from the server. */
export function isLost({ outcome, ignored }: Try): boolean {
  if (ignored.length > 0) return false;
  return outcome.kind === 'timeout' || (outcome.kind === 'unreachable' && NETWORK_SAYS.has(outcome.code));
}

/** Whether the other side refused a connection or broke it off. */
export function isTurnedAway({ outcome }: Try): boolean {
  return outcome.kind === 'closed' || (outcome.kind === 'unreachable' && REFUSALS.has(outcome.code));
}

const REFUSALS: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** Whether the server sent something, usable or not. */
export function isAnswered({ outcome, ignored }: Try): boolean {
  return outcome.kind === 'reply' || outcome.kind === 'case-mismatch' || ignored.length > 0;
}

/** Whether this host could not even send: a local firewall, no address to send from. */
export function isOwnTrouble({ outcome }: Try): boolean {
  return outcome.kind === 'unreachable' && !NETWORK_SAYS.has(outcome.code);
}

/** The tries over one transport. */
export function triesOver(transport: Try['transport'], { tries }: Exchanged): readonly Try[] {
  return tries.filter((one) => one.transport === transport);
}

/** Whether the first query, over UDP, brought a whole reply that is usable, and nothing came before it. */
export function isSmooth({ exchanged, meaning }: Observation): boolean {
  return isHeardAtOnce(exchanged) && isUsable(meaning.kind);
}

/** The same, whatever the reply says. */
export function isHeardAtOnce({ tries }: Exchanged): boolean {
  const [first] = tries;
  if (first === undefined || tries.length > 1) return false;
  const { transport, outcome, ignored } = first;
  const isWhole = outcome.kind === 'reply' && !outcome.truncated;
  return isWhole && transport === 'udp' && ignored.length === 0;
}

/** Whether the server serves the zone: what it said is usable to a resolver. */
export function isWorking({ meaning }: Observation): boolean {
  return isUsable(meaning.kind);
}

/** What a reply says of the question's name: the target of its alias, or the data. */
export interface ReplyContent {
  readonly alias: Name | undefined;
  readonly data: readonly string[] | undefined;
}

/** What a reply says; undefined if it neither gives nor denies data or an alias. */
export function contentOf({ meaning }: Pick<Observation, 'meaning'>): ReplyContent | undefined {
  if (meaning.kind === 'alias') return { alias: meaning.target, data: undefined };
  if (meaning.kind === 'nodata') return { alias: undefined, data: [] };
  if (meaning.kind !== 'answer') return undefined;
  return { alias: undefined, data: [...new Set(meaning.records.map(comparableData))].sort() };
}

/** The text that is equal for replies that neither ANSWERS_DIFFER nor EXISTENCE_DIFFERS tells apart. */
export function contentKeyOf(observed: Pick<Observation, 'exchanged' | 'meaning'>): string {
  const content = contentOf(observed);
  return content === undefined ? observed.meaning.kind : (content.alias ?? content.data?.join('\n') ?? '');
}
