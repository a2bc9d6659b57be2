import type { RankedQuery } from '../exchanged.ts';
import { encodeQuery } from '../wire/encode.ts';
import type { EdnsOption } from '../wire/message.ts';
import type { Name } from '../wire/name.ts';
import type { Expected } from './match.ts';
import type { ExchangeOptions } from './options.ts';
import type { Random } from './random.ts';
import type { ExchangeStage } from './stage.ts';

/** A query that may have a class other than IN, and EDNS options (which a stage without EDNS leaves out). */
export interface SpecialQuery extends RankedQuery {
  readonly class?: string;
  readonly ednsOptions?: readonly EdnsOption[];
}

/** A message to send, and what its reply must repeat. */
interface Composed {
  readonly query: Uint8Array;
  readonly expected: Expected;
}

const IDS = 65_536;

/**
 * A query as its stage sends it. Every call draws a new ID and new case, so that knowing one try does not
 * help to forge the reply to another.
 */
export function compose(query: SpecialQuery, stage: ExchangeStage, options: ExchangeOptions): Composed {
  const { name, type } = query.question;
  const { payloadSize, random } = options;
  const expected = {
    id: random(IDS),
    name,
    nameAsSent: stage.nameCase === 'mixed' ? randomCase(name, random) : name,
    type,
    class: query.class ?? 'IN',
    accept: stage.nameCase === 'mixed' ? 'exact-case' : 'any-case',
  } as const;
  const edns = { version: 0, payloadSize, do: false, options: query.ednsOptions ?? [] };
  return { query: encodeQuery(stage.edns ? { ...expected, edns } : expected), expected };
}

/**
 * The name with each letter in upper or lower case by chance (0x20). Escapes contain no letters, so
 * every letter of the text is one of the name.
 */
export function randomCase(name: Name, random: Random): string {
  return name.replace(/[a-z]/g, (letter) => (random(2) === 1 ? letter.toUpperCase() : letter));
}
