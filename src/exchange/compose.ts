import type { Query } from '../exchanged.ts';
import { encodeQuery } from '../wire/encode.ts';
import type { EdnsOption } from '../wire/message.ts';
import type { Name } from '../wire/name.ts';
import type { Asked } from './match.ts';
import type { ExchangeOptions } from './options.ts';
import type { Random } from './random.ts';
import type { Stage } from './stage.ts';

/** A query that may be of another class than IN and carry EDNS options (which a stage without EDNS leaves out). */
export interface SpecialQuery extends Query {
  readonly class?: string;
  readonly ednsOptions?: readonly EdnsOption[];
}

/** A message to send, and what its reply must repeat. */
export interface Composed {
  readonly query: Uint8Array;
  readonly asked: Asked;
}

const IDS = 65_536;

/** A query as its stage has it; ID and case are new with each call, so that no try helps to forge another's reply. */
export function compose(query: SpecialQuery, stage: Stage, options: ExchangeOptions): Composed {
  const { name, type } = query.question;
  const { payloadSize, random } = options;
  const asked = {
    id: random(IDS),
    name,
    nameAsSent: stage.nameCase === 'mixed' ? randomCase(name, random) : name,
    type,
    class: query.class ?? 'IN',
    accept: stage.nameCase === 'mixed' ? 'exact-case' : 'any-case',
  } as const;
  const edns = { version: 0, payloadSize, do: false, options: query.ednsOptions ?? [] };
  return { query: encodeQuery(stage.edns ? { ...asked, edns } : asked), asked };
}

/**
 * The name with each letter in a case of its own by chance, for 0x20. `random(n)` gives a whole
 * number from 0 to n - 1, as crypto's randomInt does. Escapes hold no letters, so every letter of
 * the text is one of the name.
 */
export function randomCase(name: Name, random: Random): string {
  return name.replace(/[a-z]/g, (letter) => (random(2) === 1 ? letter.toUpperCase() : letter));
}
