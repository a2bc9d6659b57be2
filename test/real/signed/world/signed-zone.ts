import type { Denial, SigningAlgorithm, SigningTime } from '../signers/signer.ts';
import type { Host } from './hosts.ts';

/** Whose tools make a zone's keys and sign it. */
export type Tool = 'BIND' | 'Knot' | 'PowerDNS';

/** Changes a zone's records, each on a line, all names in full. */
export type Edit = (lines: readonly string[]) => readonly string[];

/**
 * What the parent says of a zone's keys: a DS of its own, of its own and of its other keys, of the others only
 * (which no server has, or one), with an algorithm or a digest that nobody knows, or nothing.
 */
export type Delegated =
  | 'own'
  | 'own and other'
  | 'own and unknown digest'
  | 'other'
  | 'unknown algorithm'
  | 'nothing';

/** The zone as one of its servers has it. */
export interface Copy {
  readonly host: Host;
  /** With which keys and when; `unsigned`: not at all. */
  readonly signed: { readonly keys: 'own' | 'other'; readonly time: SigningTime } | 'unsigned';
  /** Before it is signed; absent: nothing is changed. */
  readonly before?: Edit;
  /** After it was signed; absent: nothing is changed. */
  readonly after?: Edit;
}

/** A zone, and what is wrong with it. Its servers are ns1, ns2 and so on, in the order of its copies. */
export interface SignedZone {
  readonly origin: string;
  readonly tool: Tool;
  readonly algorithm: SigningAlgorithm;
  readonly denial: Denial;
  readonly delegated: Delegated;
  /** Records besides SOA, NS and what its servers and those of delegated zones need, relative to the origin. */
  readonly lines: string;
  readonly copies: readonly Copy[];
}

/** As the zone should be. */
export function whole(host: Host): Copy {
  return { host, signed: { keys: 'own', time: 'now' } };
}

/** What is wrong with a copy. */
export function broken(host: Host, fault: Omit<Partial<Copy>, 'host'>): Copy {
  return { ...whole(host), ...fault };
}
