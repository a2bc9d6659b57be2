import { randomInt } from 'node:crypto';
import { Recent } from '../base/memo.ts';
import { encodeQuery } from '../dns/encode.ts';
import { type EdnsOption, type Flag, type Question, withId } from '../dns/message.ts';
import { HEADER_OCTETS } from '../dns/reader.ts';
import type { ExchangeStage } from './exchanged.ts';
import type { RankedQuery } from './query.ts';

/**
 * A query as its stage sends it, and what its reply must repeat. Every call draws a new ID and new case, so
 * that knowing one try does not help to forge the reply to another.
 */
export function compose(query: SpecialQuery, stage: ExchangeStage, options: QueryOptions): Expected {
  const { name, type } = query.question;
  const { random } = options;
  const id = random(IDS);
  const sent = withId(plain(query, stage, options), id);
  if (stage.nameCase === 'mixed') mixCase(sent, random);
  const accept = stage.nameCase === 'mixed' ? 'exact-case' : 'any-case';
  return { id, sent, name, type, class: query.class ?? 'IN', accept };
}

/**
 * A query that may be unlike those of a traversal. What is left out is as usual; a stage without EDNS leaves
 * EDNS version and options out.
 */
export interface SpecialQuery extends RankedQuery {
  readonly class?: string;
  readonly flags?: readonly Flag[];
  readonly ednsVersion?: number;
  readonly ednsOptions?: readonly EdnsOption[];
  /** Sent in the first stage with these changes and in no other: whatever reply comes is the outcome. */
  readonly onlyStage?: Partial<ExchangeStage>;
}

/** A query that was sent, and what of it the reply must repeat. */
export interface Expected extends Question {
  readonly id: number;
  /** The whole message, without framing. */
  readonly sent: Uint8Array;
  /** "IN", "CH", ... */
  readonly class: string;
  /** Whether the reply must repeat the name octet by octet (0x20), or may change the case of letters. */
  readonly accept: 'exact-case' | 'any-case';
}

/** The options of an exchange that show in its queries. */
interface QueryOptions {
  /** The largest reply, in octets, that the query accepts over UDP (EDNS). */
  readonly payloadSize: number;
  readonly random: Random;
}

const IDS = 65_536;

/** Without an ID, and the name in lower case. */
function plain(query: SpecialQuery, stage: ExchangeStage, options: QueryOptions): Uint8Array {
  const { name, type } = query.question;
  const { payloadSize } = options;
  const { class: recordClass = 'IN', flags = [], ednsVersion: version = 0, ednsOptions = [] } = query;
  const edns = stage.edns ? { version, payloadSize, do: true, options: ednsOptions } : undefined;
  const encode = () => encodeQuery({ id: 0, nameAsSent: name, type, class: recordClass, flags, edns });
  const isUsual = recordClass === 'IN' && flags.length === 0 && version === 0 && ednsOptions.length === 0;
  if (!isUsual) return encode();
  const size = stage.edns ? payloadSize : '';
  return recent.getOrMake(`${name} ${type} ${size}`, encode);
}

const MOST_RECENT = 256;
/** Of usual queries: all servers of a zone are asked the same. */
const recent = new Recent<Uint8Array>(MOST_RECENT);

/** One number is drawn for so many letters: for each it has a bit. */
const LETTERS_AT_ONCE = 32;
const [A, Z] = [0x61, 0x7a];
/** What tells a letter's cases apart. */
const CASE = 0x20;

/** Puts each letter of the question's name, all in lower case, in upper or lower case by chance (0x20). */
export function mixCase(query: Uint8Array, random: Random): void {
  const end = endOfName(query);
  let [drawn, left] = [0, 0];
  // The length of a label is never the code of a letter.
  for (let at = HEADER_OCTETS; at < end; at += 1) {
    const octet = query[at] ?? 0;
    if (octet < A || octet > Z) continue;
    if (left === 0) [drawn, left] = [random(2 ** LETTERS_AT_ONCE), LETTERS_AT_ONCE];
    if ((drawn & 1) === 1) query[at] = octet - CASE;
    drawn >>>= 1;
    left -= 1;
  }
}

/** Whether a message repeats the name of a query's question octet by octet. */
export function repeatsName(message: Uint8Array, query: Uint8Array): boolean {
  const end = endOfName(query);
  for (let at = HEADER_OCTETS; at <= end; at += 1) if (message[at] !== query[at]) return false;
  return true;
}

/** Where the question's name has its final zero. */
function endOfName(query: Uint8Array): number {
  let at = HEADER_OCTETS;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) at += 1 + length;
  return at;
}

/** Chance as a parameter: a whole number from 0 to `below` - 1, all equally likely. */
export type Random = (below: number) => number;

/** Unpredictable numbers, for IDs, ports and the case of names (RFC 5452 4). */
export const systemRandom: Random = (below) => randomInt(below);

const LEAST = 1024;
const MOST = 65_535;

/**
 * A random source port, out of all that need no privilege (RFC 5452 9.2: the largest possible range;
 * the kernel would choose among only 28,232). Never the port asked: on loopback the socket would talk
 * to itself.
 */
export function randomSourcePort(random: Random, portAsked: number): number {
  const isInRange = portAsked >= LEAST && portAsked <= MOST;
  const port = LEAST + random(MOST - LEAST + (isInRange ? 0 : 1));
  return isInRange && port >= portAsked ? port + 1 : port;
}
