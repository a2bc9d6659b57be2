import { type Question, questionKey } from '../dns/message.ts';
import type { Name } from '../dns/name.ts';

/** One question to one server address: asked once, however many paths need it. */
export interface Query {
  /** Canonical text of an IPv4 or IPv6 address (RFC 5952). */
  readonly address: string;
  readonly question: Question;
}

/** A question to an address, asked as a server of a zone. */
export interface ZoneQuery extends Query {
  readonly zone: Name;
}

/** A text that is equal if and only if question and address are. */
export function queryKey({ address, question }: Query): string {
  return `${address} ${questionKey(question)}`;
}

/**
 * The purposes of a query, the most urgent first: the cold walk, the warm walk, validating, minimised names, and the zone
 * questions of `--check`.
 */
export const RANKS = ['cold', 'warm', 'dnssec', 'minimise', 'check'] as const;

/** The purpose of a query. */
export type QueryRank = (typeof RANKS)[number];

/** Which of several waiting queries goes first. */
export interface Urgency {
  /** Absent: as the cold walk's. */
  readonly rank?: QueryRank;
  /** How many exchanges, one after another, led to it: of one rank, the end of the longest chain goes first. Absent: none. */
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
  /** Calls the listener each time that the urgency has become greater. */
  onRise(listener: () => void): void;
}

/** The urgency of a query at the time when it was asked, and where to learn that it has become greater. */
export interface LiveUrgency extends Urgency {
  /** Absent: it stays as it was. */
  readonly rising?: Rising | undefined;
}

/** A query as it is handed on to be carried out. */
export interface RankedQuery extends Query, LiveUrgency {
  /** Of the step that asks first; absent: asked for no step. */
  readonly zone?: Name;
}
