import { chanceOf } from '../base/chance.ts';
import type { Message, Question } from '../dns/message.ts';
import { isAtOrBelow, parseName } from '../dns/name.ts';
import type { Transport } from '../exchange/exchanged.ts';
import type { SigningFault } from './signing/zone-signing.ts';

/** The faults that concern a query. */
export function faultsFor(faults: readonly Fault[], query: Traits): Fault[] {
  return faults.filter((fault) => concerns(fault.only ?? {}, query));
}

/** The queries a fault is limited to: those that match every member given. */
interface Only {
  /** The name asked is this one or below it. */
  readonly zone?: string;
  /** The name asked is this one. */
  readonly name?: string;
  /** Mnemonic of the type asked. */
  readonly type?: string;
  readonly transport?: Transport;
  /** The server's address that was asked, in canonical text. */
  readonly address?: string;
}

/** How a reply can be spoilt as a whole. */
export type Spoiling = 'wrong-id' | 'wrong-question' | 'garbage';

/** What can go wrong between a query and its answer, in the order in which it takes effect. */
type Misbehaviour =
  /** Never answers; over TCP it accepts the connection and stays silent. */
  | { readonly kind: 'dead' }
  /** Does not answer the first `count` queries of each question, counted per transport and address. */
  | { readonly kind: 'drops-first'; readonly count: number }
  /** Does not answer this share (0 to 1) of the queries; the seed decides which, the same in every run. */
  | { readonly kind: 'loss'; readonly ratio: number; readonly seed?: number }
  /** Refuses queries that have EDNS (RFC 6891 7), or does not answer them. */
  | {
      readonly kind: 'rejects-edns';
      readonly with: 'FORMERR' | 'FORMERR-with-OPT' | 'NOTIMP' | 'BADVERS' | 'SERVFAIL' | 'silence';
    }
  /** An rcode and nothing else: "REFUSED", "SERVFAIL", "NOTIMP", ... */
  | { readonly kind: 'rcode'; readonly rcode: string }
  /** A referral without the AA bit to this zone's servers: upward, to the zone itself, or sideways. */
  | { readonly kind: 'lame'; readonly zone: string; readonly ns: readonly string[] }
  /** NOERROR without the AA bit and without a record. */
  | { readonly kind: 'empty' }
  /** Adds the NS records of its zone and their addresses to each answer, as BIND does; no fault, but a habit of some servers. */
  | { readonly kind: 'brings-own-ns' }
  /** Leaves the authority section out, so a negative answer has no SOA record. */
  | { readonly kind: 'without-authority' }
  /** Answers with an A record of a name that nobody asked for, and with nothing else. */
  | { readonly kind: 'answers-other-name' }
  /** Answers as usual, but without AA, as a cache or a forwarder does. */
  | { readonly kind: 'not-authoritative' }
  /** RA is set, as an open resolver does. */
  | { readonly kind: 'recursion-available' }
  /** RA is set, and a query with RD for another zone gets a made-up SOA record without AA, as from a cache. */
  | { readonly kind: 'recurses' }
  /** Says NXDOMAIN where it should say NODATA: for types that a name does not have, and of empty non-terminals. */
  | { readonly kind: 'denies-nodata' }
  /** Takes every version of EDNS for the one that it knows. */
  | { readonly kind: 'ignores-edns-version' }
  /** Takes a query with DO for one without, as a middlebox does that does not know signatures. */
  | { readonly kind: 'ignores-do' }
  /** Sends the EDNS options of the query back. */
  | { readonly kind: 'echoes-options' }
  /** Sends only the question, with TC; without `only`, over TCP as well. */
  | { readonly kind: 'truncates' }
  /** Echoes the question in lower case. */
  | { readonly kind: 'lowers-case' }
  /** Cuts the last octet off the data of every record of this type, so that most do not fit it. */
  | { readonly kind: 'cuts-data'; readonly type: string }
  /** Spoils every reply. */
  | { readonly kind: Spoiling }
  /** Sends forged replies, one unless `count` says how many, before the right one; only the spoiling gives them away. */
  | { readonly kind: 'decoy'; readonly as: Spoiling | 'wrong-port'; readonly count?: number }
  /** UDP: sends every message so many times more. */
  | { readonly kind: 'duplicates'; readonly copies: number }
  /** Answers `ms` milliseconds later; several add up. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** Each message comes from 0 to `ms` milliseconds later; the seed decides how much, the same in every run. */
  | { readonly kind: 'jitter'; readonly ms: number; readonly seed?: number }
  /** This share (0 to 1) of the messages comes `ms` milliseconds later, so that others overtake them. */
  | { readonly kind: 'reorders'; readonly ratio: number; readonly ms: number; readonly seed?: number }
  /** TCP: closes after `after` octets of the reply, the two of its length included. */
  | { readonly kind: 'tcp-closes'; readonly after: number }
  /** TCP: sends the reply in segments of `octets` octets. */
  | { readonly kind: 'tcp-segments'; readonly octets: number };

/** What a lab server does wrong. Several faults can be combined. */
export type Fault =
  | ((Misbehaviour | SigningFault) & { readonly only?: Only })
  /** Nothing listens at all, so the network says so (ICMP; TCP: reset). */
  | { readonly kind: 'closed-port'; readonly only?: Pick<Only, 'transport' | 'address'> };

/** The parts of a query that a fault can be limited by. */
interface Traits {
  readonly question: Question;
  readonly transport: Transport;
  /** The server's address that was asked. */
  readonly address: string;
}

function concerns(only: Only, { question, transport, address }: Traits): boolean {
  return (
    (only.zone === undefined || isAtOrBelow(question.name, parseName(only.zone))) &&
    (only.name === undefined || question.name === parseName(only.name)) &&
    (only.type === undefined || question.type === only.type) &&
    (only.transport === undefined || transport === only.transport) &&
    (only.address === undefined || address === only.address)
  );
}

/** Whether nothing listens at that address for that transport. */
export function isClosed(faults: readonly Fault[], transport: Transport, address: string): boolean {
  return faults.some(
    ({ kind, only }) =>
      kind === 'closed-port' &&
      (only?.transport ?? transport) === transport &&
      (only?.address ?? address) === address,
  );
}

/** A query as it reached a server's address. */
export interface Received {
  readonly query: Message;
  readonly transport: Transport;
  /** The server's address. */
  readonly address: string;
  /** 1 the first time this question came to this address over this transport, 2 the second, ... */
  readonly count: number;
}

/** A number from 0 to below 1 that looks random but is the same whenever this query comes; another seed gives another. */
export function chanceAt({ query, transport, address, count }: Received, seed: number | string = 0): number {
  const [question] = query.questions;
  return chanceOf(`${seed} ${question?.name} ${question?.type} ${transport} ${address} ${count}`);
}
