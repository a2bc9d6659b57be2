import { PROBLEM } from '../../document/api/problem.ts';
import type { Schema, Shape } from '../../shape/shape.ts';
import { TEXT } from '../../shape/values.ts';

/** A reply with a JSON body. */
export function json(
  description: string,
  { schema }: Shape<unknown>,
  headers: readonly HeaderName[] = [],
): Schema {
  return reply(description, { 'application/json': { schema } }, headers);
}

/** A reply that tells a problem. */
export function problem(description: string, headers: readonly HeaderName[] = []): Schema {
  return reply(description, { 'application/problem+json': { schema: PROBLEM.schema } }, headers);
}

/** A reply of text. */
export function text(description: string, type: string, headers: readonly HeaderName[] = []): Schema {
  return reply(description, { [type]: { schema: TEXT.schema } }, headers);
}

/** A reply without a body. */
export function empty(description: string, headers: readonly HeaderName[] = []): Schema {
  return reply(description, undefined, headers);
}

/** Every operation's other replies. */
export const OTHERS: Schema = {
  default: problem(
    'What is wrong with the request whatever it is for (400, 408, 417, 431), or with us (500).',
  ),
};

const SECONDS = { type: 'string', pattern: '^[1-9][0-9]*$' };

/** Headers of replies that mean something. */
const HEADERS = {
  Allow: { description: 'What may be done here.', schema: TEXT.schema },
  Location: { description: 'Where the job is.', schema: TEXT.schema },
  'Retry-After': { description: 'Seconds to wait.', schema: SECONDS },
} as const;

type HeaderName = keyof typeof HEADERS;

function reply(description: string, content: Schema | undefined, names: readonly HeaderName[]): Schema {
  const headers = Object.fromEntries(names.map((name) => [name, { required: true, ...HEADERS[name] }]));
  return {
    description,
    ...(names.length === 0 ? {} : { headers }),
    ...(content === undefined ? {} : { content }),
  };
}
