import { LIMITS } from '../../../limits.ts';
import type { TraversalOptions } from '../../../options.ts';
import { array, integer, object, oneOf, optional, parsed, type Shape, ShapeError } from '../../../shape.ts';
import { type Family, parseAddress } from '../../../wire/address.ts';
import { asciiName } from '../../../wire/ascii-name.ts';
import { type Name, parseName } from '../../../wire/name.ts';
import { parseType } from '../../../wire/type.ts';
import type { JobRequest } from '../../engine/engine.ts';
import type { FieldError } from '../problem.ts';

/** What the body of a request to traverse says. */
export type RequestRead =
  | { readonly kind: 'valid'; readonly request: JobRequest }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

/**
 * Reads the body of POST /api/traverse. `most` is what holds where the request says nothing; it may ask
 * for less than that, never for more, and what it cannot name it cannot change.
 */
export function readTraversalRequest(body: Buffer, most: TraversalOptions): RequestRead {
  try {
    const document = parseJson(body);
    const strange = strangeMembers(document);
    if (strange.length > 0) return { kind: 'invalid', errors: strange };
    const { name, type = 'A', options } = requestShape(most)(document, '');
    return { kind: 'valid', request: { question: { name, type }, options: { ...most, ...options } } };
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    return { kind: 'invalid', errors: [{ pointer: error.pointer, detail: error.detail }] };
  }
}

/** The members of `options` that a request may have. */
export const REQUEST_OPTIONS = [
  'families',
  'maxDepth',
  'maxQueries',
  'maxTimeMs',
  'maxWork',
  'timeoutMs',
  'retries',
  'payloadSize',
  'edns',
  'nameCase',
  'transport',
] as const satisfies readonly (keyof TraversalOptions)[];

function requestShape(most: TraversalOptions) {
  const budget = (limit: keyof typeof LIMITS & keyof TraversalOptions) =>
    optional(integer(Math.min(LIMITS[limit].least, most[limit]), most[limit]));
  const options = {
    families: optional(familiesOf(most.families)),
    maxDepth: budget('maxDepth'),
    maxQueries: budget('maxQueries'),
    maxTimeMs: budget('maxTimeMs'),
    maxWork: budget('maxWork'),
    timeoutMs: budget('timeoutMs'),
    retries: budget('retries'),
    payloadSize: budget('payloadSize'),
    edns: optional(oneOf('on', 'off')),
    nameCase: optional(oneOf('mixed', 'lower')),
    transport: optional(oneOf('udp-then-tcp', 'tcp')),
  } satisfies Record<(typeof REQUEST_OPTIONS)[number], unknown>;
  return object({ name: readName, type: optional(parsed(readType)), options: optional(object(options)) });
}

const readName: Shape<Name> = (value, pointer) => {
  if (value === undefined) throw new ShapeError(pointer, 'is missing: the name to look up');
  return parsed((name) => {
    if (name.length > LONGEST_NAME) throw new Error('is longer than a name can be');
    if (parseAddress(name) !== undefined) throw new Error('is an address: ask PTR of its reverse name');
    return parseName(asciiName(name));
  })(value, pointer);
};

/** 253 octets, each written as an escape of four characters. */
const LONGEST_NAME = 1_012;

function readType(written: string): string {
  const type = parseType(written);
  if (type === undefined) throw new Error('must be a type of data, such as A, AAAA, MX or TYPE65280');
  return type;
}

function familiesOf(most: readonly Family[]): Shape<readonly Family[]> {
  return (value, pointer) => {
    const named = array(oneOf(...most))(value, pointer);
    if (named.length === 0) throw new ShapeError(pointer, 'must name at least one family');
    return most.filter((family) => named.includes(family));
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    if (error instanceof SyntaxError) throw new ShapeError('', 'is not JSON');
    if (error instanceof TypeError) throw new ShapeError('', 'is not UTF-8');
    throw error;
  }
}

/** Members that mean nothing to us: a typing error should not pass for consent to the default. */
function strangeMembers(document: unknown): readonly FieldError[] {
  const options = membersOf(document).find(([key]) => key === 'options')?.[1];
  return [
    ...strangers('', document, ['name', 'type', 'options']),
    ...strangers('/options', options, REQUEST_OPTIONS),
  ];
}

function strangers(pointer: string, value: unknown, known: readonly string[]): readonly FieldError[] {
  return membersOf(value)
    .filter(([key]) => !known.includes(key))
    .slice(0, MOST_ERRORS)
    .map(([key]) => ({
      pointer: `${pointer}/${key.slice(0, LONGEST_KEY).replaceAll('~', '~0').replaceAll('/', '~1')}`,
      detail: `is unknown: there are ${known.join(', ')}`,
    }));
}

const MOST_ERRORS = 10;
const LONGEST_KEY = 100;

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}
