import type { Edns, Flag } from '../dns/message.ts';
import type { Name } from '../dns/name.ts';
import type { Records } from '../dns/record.ts';
import type { Query, RankedQuery } from './query.ts';

/** One exchange as it was recorded: the query and its outcome. Trouble on the wire is a value. */
export interface Exchanged extends Query {
  readonly outcome: Reply | Failure;
  /** Of the stage that decided. */
  readonly transport: Transport;
  readonly tries: readonly Try[];
  /** From the first packet to the end, attempts and fallbacks included. */
  readonly elapsedMs: number;
  readonly traffic: Traffic;
  /** Nothing was sent for it: a reply that another name got from the address stands for its own. */
  readonly shared?: true;
  /** Nothing was sent for it: the reply is what the server is going to say, by a zone file. */
  readonly planned?: true;
  /** Where a zone file has the last alias of its answer, else its first record; absent: no file has one. */
  readonly source?: { readonly file: string; readonly line: number };
}

/**
 * Puts a question to an address, and resolves with the exchange. `leaving` is called before each packet
 * (over TCP: connection), which is not sent if that aborts the signal or throws. It rejects only with the
 * signal's reason when `signal` is aborted, and with what `leaving` throws. Pacing, replay and test worlds
 * are wrappers or stand-ins of the same type.
 */
export type Exchange = (query: RankedQuery, signal: AbortSignal, leaving?: () => void) => Promise<Exchanged>;

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

/** How a query travels. */
export type Transport = 'udp' | 'tcp';

/** How the queries of one stage of an exchange are sent. A fallback changes one of these; each changes at most once. */
export interface ExchangeStage {
  readonly transport: Transport;
  readonly edns: boolean;
  readonly nameCase: 'mixed' | 'lower';
}

/** One try, which is one packet or one TCP connection, kept as evidence for findings. */
export interface Try extends ExchangeStage {
  /** From the exchange's first packet to this try's packet. */
  readonly sentMs: number;
  readonly elapsedMs: number;
  readonly outcome: TryOutcome;
  readonly ignored: readonly Ignored[];
}

/** How a try ended. */
export type TryOutcome =
  /** A usable reply; the exchange may still go on to a fallback because of it. */
  | {
      readonly kind: 'reply';
      readonly rcode: string;
      readonly truncated: boolean;
      readonly bytes: number;
      /** Of an error: it had an OPT record all the same. */
      readonly opt?: true;
    }
  /** A reply whose question differed in case only. */
  | { readonly kind: 'case-mismatch' }
  /** Over TCP: whether something had accepted the connection. */
  | { readonly kind: 'timeout'; readonly connected?: true }
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

/** What one exchange put on the wire and got from it (DNS messages, headers below not counted). */
export interface Traffic {
  readonly packetsSent: number;
  readonly packetsReceived: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
}

/** A resolver that is asked beside a traversal what its users would ask. */
export interface Resolver {
  /** Canonical text of an IPv4 or IPv6 address (RFC 5952). */
  readonly address: string;
  readonly port: number;
  /** As it was named; absent: by its address. */
  readonly name?: Name;
}

/** The traversal's question, put to a resolver, and the reply. No view and no count reads it. */
export interface Consulted extends Exchanged {
  readonly resolver: Resolver;
}

/** What a probe tries that exchanges do not: svc-model(7), COLD AND WARM. */
export type ProbeKind =
  | 'tcp'
  | 'no-edns'
  | 'edns-version'
  | 'edns-option'
  | 'recursion'
  | 'other-type'
  /** The SOA record of a zone, of a server that gave nothing usable for it: svc-model(7), COLD AND WARM. */
  | 'control'
  | 'ancestor'
  | 'own-name'
  | 'next-name'
  /** The addresses of a server of a zone whose address in the delegation fails. */
  | 'host-address'
  /** A wildcard above a name without data, or the name below it that would hide one: RFC 4592 2.2. */
  | 'wildcard'
  /** The CAA records of a name above: RFC 8659 3. */
  | 'authorities'
  /** The question of an exchange again, or the SOA record of its zone: svc-model(7), ANSWERS THAT VARY. */
  | 'repeat';

/** A question that is put to an address only to find out how its server behaves. */
export interface Probe extends Query {
  readonly probe: ProbeKind;
}

/** A probe and its outcome: evidence of findings; views read repeats alone. */
export interface Probed extends Exchanged {
  readonly probe: ProbeKind;
}

/** Carries a probe out. The contract of `Exchange` for the signal and for `leaving` holds here too. */
export type Probing = (probe: Probe, signal: AbortSignal, leaving?: () => void) => Promise<Probed>;

/** Whether it is a probe rather than an exchange. */
export function isProbed(one: Exchanged | Probed): one is Probed {
  return 'probe' in one;
}
