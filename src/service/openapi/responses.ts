import { PROBLEM } from '../../document/api/problem.ts';
import type { Schema, Shape } from '../../shape/shape.ts';
import { TEXT } from '../../shape/values.ts';

/** A reply with a JSON body. */
export function json(description: string, body: Shape<unknown>, headers: readonly HeaderName[] = []): Schema {
  return reply(description, { 'application/json': { schema: body.schema() } }, headers);
}

/** A reply with a problem document. */
export function problem(description: string, headers: readonly HeaderName[] = []): Schema {
  return reply(description, { 'application/problem+json': { schema: PROBLEM.schema() } }, headers);
}

/** A reply of text. */
export function text(description: string, type: string, headers: readonly HeaderName[] = []): Schema {
  return reply(description, { [type]: { schema: TEXT.schema() } }, headers);
}

/** A reply without a body. */
export function empty(description: string, headers: readonly HeaderName[] = []): Schema {
  return reply(description, undefined, headers);
}

/** The other replies of every operation. */
export const OTHERS_SAID =
  'An error in the request itself (400, 408, 417, 421, 431) or in the service (500).';

/** The other replies of every operation. */
export const OTHERS: Schema = { default: problem(OTHERS_SAID) };

const SECONDS = { type: 'string', pattern: '^[1-9][0-9]*$' };

/** The headers of replies that carry meaning. */
const HEADERS = {
  Allow: { description: 'The supported methods.', schema: TEXT.schema() },
  Location: { description: 'The path of the job.', schema: TEXT.schema() },
  'Retry-After': { description: 'Seconds to wait before the next request.', schema: SECONDS },
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
