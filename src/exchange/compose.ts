import type { RankedQuery } from '../exchanged.ts';
import { encodeQuery } from '../wire/encode.ts';
import type { EdnsOption, Flag } from '../wire/message.ts';
import type { Name } from '../wire/name.ts';
import type { Expected } from './match.ts';
import type { ExchangeOptions } from './options.ts';
import type { Random } from './random.ts';
import type { ExchangeStage } from './stage.ts';

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

/** A message to send, and what its reply must repeat. */
interface Composed {
  readonly message: Uint8Array;
  readonly expected: Expected;
}

const IDS = 65_536;

/**
 * A query as its stage sends it. Every call draws a new ID and new case, so that knowing one try does not
 * help to forge the reply to another.
 */
export function compose(query: SpecialQuery, stage: ExchangeStage, options: ExchangeOptions): Composed {
  const { name, type } = query.question;
  const { payloadSize, dnssec = false, random } = options;
  const expected = {
    id: random(IDS),
    name,
    nameAsSent: stage.nameCase === 'mixed' ? randomCase(name, random) : name,
    type,
    class: query.class ?? 'IN',
    accept: stage.nameCase === 'mixed' ? 'exact-case' : 'any-case',
  } as const;
  const { flags = [], ednsVersion: version = 0, ednsOptions = [] } = query;
  const edns = stage.edns ? { version, payloadSize, do: dnssec, options: ednsOptions } : undefined;
  const { id, nameAsSent, class: recordClass } = expected;
  return { message: encodeQuery({ id, nameAsSent, type, class: recordClass, flags, edns }), expected };
}

/**
 * The name with each letter in upper or lower case by chance (0x20). Escapes contain no letters, so
 * every letter of the text is one of the name.
 */
export function randomCase(name: Name, random: Random): string {
  let [drawn, left] = [0, 0];
  return name.replace(/[a-z]/g, (letter) => {
    if (left === 0) [drawn, left] = [random(2 ** LETTERS_AT_ONCE), LETTERS_AT_ONCE];
    const isUpper = (drawn & 1) === 1;
    drawn >>>= 1;
    left -= 1;
    return isUpper ? letter.toUpperCase() : letter;
  });
}

/** One number is drawn for so many letters: for each it has a bit. */
const LETTERS_AT_ONCE = 32;
