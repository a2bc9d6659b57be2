import { encodeQuery } from '../wire/encode.ts';
import { withId } from '../wire/header.ts';
import type { EdnsOption, Flag } from '../wire/message.ts';
import type { Question } from '../wire/question.ts';
import { Recent } from '../wire/recent.ts';
import type { ExchangeStage } from './exchanged.ts';
import { mixCase } from './name-case.ts';
import type { RankedQuery } from './query.ts';
import type { Random } from './random.ts';

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
  readonly dnssec?: boolean | undefined;
  readonly random: Random;
}

const IDS = 65_536;

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

/** Without an ID, and the name in lower case. */
function plain(query: SpecialQuery, stage: ExchangeStage, options: QueryOptions): Uint8Array {
  const { name, type } = query.question;
  const { payloadSize, dnssec = false } = options;
  const { class: recordClass = 'IN', flags = [], ednsVersion: version = 0, ednsOptions = [] } = query;
  const edns = stage.edns ? { version, payloadSize, do: dnssec, options: ednsOptions } : undefined;
  const encode = () => encodeQuery({ id: 0, nameAsSent: name, type, class: recordClass, flags, edns });
  const isUsual = recordClass === 'IN' && flags.length === 0 && version === 0 && ednsOptions.length === 0;
  if (!isUsual) return encode();
  const size = stage.edns ? payloadSize : '';
  return recent.getOrMake(`${name} ${type} ${size} ${dnssec}`, encode);
}

const MOST_RECENT = 256;
/** Of usual queries: all servers of a zone are asked the same. */
const recent = new Recent<Uint8Array>(MOST_RECENT);
