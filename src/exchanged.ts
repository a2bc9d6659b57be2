import type { Edns, Flag } from './wire/message.ts';
import type { Name } from './wire/name.ts';
import { type Question, questionKey } from './wire/question.ts';
import type { Records } from './wire/records.ts';

/** One question to one server address: asked once, however many paths need it. */
export interface Query {
  /** Canonical text of an IPv4 or IPv6 address (RFC 5952). */
  readonly address: string;
  readonly question: Question;
}

/** What a question is asked for: the cold walk, or what `--dnssec` and `--check` ask besides; in the order in which they go. */
export const RANKS = ['cold', 'dnssec', 'check'] as const;

/** One of these. */
export type QueryRank = (typeof RANKS)[number];

/** Which of several queries that wait for the same thing goes first. */
export interface Urgency {
  /** Absent: as the cold walk's. */
  readonly rank?: QueryRank;
  /** How many exchanges, one after another, led to it: of one rank, what the longest chain waits for goes first. Absent: none. */
  readonly links?: number;
  /**
   * How many other addresses were known that can be asked the same: of as many links, the first of a zone's servers
   * goes first, as it leads on, and the others mostly say the same. Absent: none.
   */
  readonly place?: number;
}

/** Urgency that may become greater while a query waits. */
export interface Rising {
  readonly now: Required<Urgency>;
  /** Calls the listener each time that it has become greater. */
  onRise(listener: () => void): void;
}

/** Urgency as it was when a query was asked, and where it may become greater since. */
export interface LiveUrgency extends Urgency {
  /** Absent: it stays as it was. */
  readonly rising?: Rising | undefined;
}

/** A query as it is handed on to be carried out. */
export interface RankedQuery extends Query, LiveUrgency {
  /** Of the step that asks first; absent: asked for no step. */
  readonly zone?: Name;
}

/** A text that is equal if and only if question and address are. */
export function queryKey({ address, question }: Query): string {
  return `${address} ${questionKey(question)}`;
}

/** The usable reply that decided an exchange. */
export interface Reply {
  readonly kind: 'reply';
  readonly rcode: string;
  readonly flags: readonly Flag[];
  /** From the last query's packet to the reply. */
  readonly rttMs: number;
  /** Octets of the reply's message. */
  readonly bytes: number;
  readonly edns?: Edns;
  readonly answer: Records;
  readonly authority: Records;
  readonly additional: Records;
}

/** No usable reply after all attempts (svc-model(7), EXCHANGES rule 1). */
export interface Failure {
  readonly kind: 'malformed' | 'unreachable' | 'timeout';
  /** What was seen, for people: "ECONNREFUSED", "truncated over TCP". Never raw octets. */
  readonly detail?: string;
}

/** What came of one try: one packet, or one TCP connection. */
export type TryOutcome =
  /** A usable reply; the exchange may still go on to a fallback because of it. */
  | { readonly kind: 'reply'; readonly rcode: string; readonly truncated: boolean; readonly bytes: number }
  /** A reply whose question differed in case only. */
  | { readonly kind: 'case-mismatch' }
  | { readonly kind: 'timeout' }
  /** TCP: closed before a whole message. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'unreachable'; readonly code: string };

/** A datagram or message that did not count, and why the wait went on. */
export interface Ignored {
  readonly reason: 'wrong-id' | 'wrong-question' | 'undecodable' | 'not-a-reply';
  readonly detail?: string;
  /** Octets. */
  readonly bytes: number;
  /** The first octets, at most 64, in lower-case hexadecimal: evidence for findings. */
  readonly head: string;
}

/** How a query travels. */
export type Transport = 'udp' | 'tcp';

/** One try, kept as evidence for findings. */
export interface Try {
  readonly transport: Transport;
  readonly edns: boolean;
  readonly nameCase: 'mixed' | 'lower';
  /** From the exchange's first packet to this try's packet. */
  readonly sentMs: number;
  readonly elapsedMs: number;
  readonly outcome: TryOutcome;
  readonly ignored: readonly Ignored[];
}

/** One exchange as it was recorded: the query and what came of it. Trouble on the wire is a value. */
export interface Exchanged extends Query {
  readonly outcome: Reply | Failure;
  /** Of the stage that decided. */
  readonly transport: Transport;
  readonly tries: readonly Try[];
  /** From the first packet to the end, attempts and fallbacks included. */
  readonly elapsedMs: number;
  readonly traffic: Traffic;
  /** Nothing was sent for it: the referral that another name got from the address stands for its reply. */
  readonly shared?: true;
}

/** What one exchange put on the wire and got from it (DNS messages, headers below not counted). */
export interface Traffic {
  readonly packetsSent: number;
  readonly packetsReceived: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
}

/**
 * Puts a question to an address, and resolves with what came of it. `leaving` is called before each packet
 * (over TCP: connection), which is not sent if that aborts the signal or throws. It rejects only with the
 * signal's reason when `signal` is aborted, and with what `leaving` throws. Pacing, replay and test worlds
 * are wrappers or stand-ins of the same type.
 */
export type Exchange = (query: RankedQuery, signal: AbortSignal, leaving?: () => void) => Promise<Exchanged>;

/** What a probe tries that exchanges do not: svc-model(7), COLD AND WARM. */
export type ProbeKind =
  | 'tcp'
  | 'no-edns'
  | 'edns-version'
  | 'edns-option'
  | 'recursion'
  | 'other-type'
  | 'ancestor'
  | 'own-name';

/** A question that is put to an address only to find out how its server behaves. */
export interface Probe extends Query {
  readonly probe: ProbeKind;
}

/** A probe and what came of it: evidence of findings alone. */
export interface Probed extends Exchanged {
  readonly probe: ProbeKind;
}

/** Who is asked beside a traversal what its users would ask. */
export interface Resolver {
  /** Canonical text of an IPv4 or IPv6 address (RFC 5952). */
  readonly address: string;
  readonly port: number;
  /** As it was named; absent: by its address. */
  readonly name?: Name;
}

/** The traversal's question, put to a resolver, and what came of it. No view and no count reads it. */
export interface Consulted extends Exchanged {
  readonly resolver: Resolver;
}

/** Carries a probe out. What `Exchange` says of the signal and of `leaving` holds here too. */
export type Probing = (probe: Probe, signal: AbortSignal, leaving?: () => void) => Promise<Probed>;

/** Whether it is a probe rather than an exchange. */
export function isProbed(one: Exchanged | Probed): one is Probed {
  return 'probe' in one;
}
