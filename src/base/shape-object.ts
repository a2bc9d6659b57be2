/* Shapes of objects: their members, and alternatives. */

import { getOrMake } from './memo.ts';
import { INVALID, type Invalid, type NamedShape, type Note, type Schema, type Shape } from './shape.ts';

/** A member that may be absent. */
export interface Optional<T> {
  readonly optional: Shape<T>;
}

/** The members of an object. */
export type Fields = Readonly<Record<string, Shape<unknown> | Optional<unknown>>>;

type Flat<T> = { readonly [K in keyof T]: T[K] };
type Inside<S> = S extends Shape<infer T> | Optional<infer T> ? T : never;

/** The type of an object with these members. */
type ObjectOf<F extends Fields> = Flat<
  { [K in keyof F as F[K] extends Shape<unknown> ? K : never]: Inside<F[K]> } & {
    [K in keyof F as F[K] extends Shape<unknown> ? never : K]?: Inside<F[K]>;
  }
>;

/** A member that is absent or of the shape. */
export function optional<T>(shape: Shape<T>): Optional<T> {
  return { optional: shape };
}

/** The members, each of which may be absent. */
export function partial<F extends Readonly<Record<string, Shape<unknown>>>>(
  fields: F,
): { readonly [K in keyof F]: Optional<Inside<F[K]>> } {
  return typed(Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, optional(field)])));
}

/** The members of those names. The compiler cannot tell that `make` gives each its own shape: callers can. */
export function fieldsNamed<F extends Fields>(
  names: readonly (keyof F & string)[],
  make: (name: keyof F & string) => Fields[string],
): F {
  return typed(Object.fromEntries(names.map((name) => [name, make(name)])));
}

/** An object with at least these members; others are passed over. */
export function object<F extends Fields>(fields: F): Shape<ObjectOf<F>> {
  const members = membersOf(fields);
  return {
    read: (value, pointer, note) =>
      isRecord(value) ? readMembers(members, value, pointer, note) : note(pointer, 'must be an object'),
    schema: () => objectSchema(fields),
    uses: () => usesOf(fields),
  };
}

/** An object whose absent members have these defaults. */
export function withDefaults<T>(own: Shape<T>, defaults: Readonly<Record<string, unknown>>): Shape<T> {
  const read = (value: unknown, pointer: string, note: Note) =>
    own.read(isRecord(value) ? { ...defaults, ...value } : value, pointer, note);
  return { ...own, read };
}

/** An object with no members but these. `gone`: what is wrong with members that there were before. */
export function closed<F extends Fields>(
  fields: F,
  gone: Readonly<Record<string, string>> = {},
): Shape<ObjectOf<F>> {
  const open = object(fields);
  const allowed = Object.keys(fields).join(', ');
  const read = (value: unknown, pointer: string, note: Note) => {
    const own = open.read(value, pointer, note);
    const strangers = isRecord(value) ? Object.keys(value).filter((key) => !Object.hasOwn(fields, key)) : [];
    for (const key of strangers)
      note(
        `${pointer}/${pointerToken(key)}`,
        (Object.hasOwn(gone, key) && gone[key]) || `is unknown (known: ${allowed})`,
      );
    return strangers.length === 0 ? own : INVALID;
  };
  return { ...open, read, schema: () => ({ ...open.schema(), additionalProperties: false }) };
}

/** An object whose members, of any name, all have one shape. */
export function dictionary<T>(each: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return {
    read: (value, pointer, note) => {
      if (!isRecord(value)) return note(pointer, 'must be an object');
      const read: [string, T][] = [];
      for (const [key, member] of Object.entries(value)) {
        const one = each.read(member, `${pointer}/${pointerToken(key)}`, note);
        if (one !== INVALID) read.push([key, one]);
      }
      return read.length === Object.keys(value).length ? Object.fromEntries(read) : INVALID;
    },
    schema: () => ({ type: 'object', additionalProperties: each.schema() }),
    uses: each.uses,
  };
}

/** Each variant by the value of one member, the rest of its members being `common` and its own. */
type VariantsOf<K extends string, C extends Fields, V extends Readonly<Record<string, Fields>>> = {
  [Kind in keyof V & string]: Flat<{ readonly [P in K]: Kind } & ObjectOf<C & V[Kind]>>;
}[keyof V & string];

/** Objects that one member tells apart, which comes first: `common` members, and those of each variant. */
export function variants<
  const K extends string,
  C extends Fields,
  V extends Readonly<Record<string, Fields>>,
>(key: K, common: C, own: V): Shape<VariantsOf<K, C, V>> {
  const kinds = Object.keys(own);
  const all = new Map(kinds.map((kind) => [kind, { ...common, ...own[kind] }]));
  const membersBy = new Map([...all].map(([kind, fields]) => [kind, membersOf(fields)]));
  return {
    read: (value, pointer, note) => {
      if (!isRecord(value)) return note(pointer, 'must be an object');
      const { [key]: kind } = value;
      const members = typeof kind === 'string' ? membersBy.get(kind) : undefined;
      if (members === undefined) return note(`${pointer}/${key}`, `must be one of ${kinds.join(', ')}`);
      return readMembers(members, value, pointer, note, { [key]: kind });
    },
    schema: () => ({
      oneOf: alike(all).map(([names, fields]) => objectSchema(fields, { [key]: { enum: names } })),
    }),
    uses: () => [...all.values()].flatMap(usesOf),
  };
}

/** Each alternative by the member that only it has. */
type AlternativesOf<C extends Fields, A extends Readonly<Record<string, Shape<unknown>>>> = {
  [K in keyof A & string]: Flat<ObjectOf<C> & { readonly [P in K]: Inside<A[K]> }>;
}[keyof A & string];

/** Objects of which each has exactly one of some members, and the `common` ones. */
export function alternatives<C extends Fields, A extends Readonly<Record<string, Shape<unknown>>>>(
  common: C,
  each: A,
): Shape<AlternativesOf<C, A>> {
  const all = Object.entries(each).map(([key, shape]) => [key, { ...common, [key]: shape }] as const);
  const membersBy = all.map(([key, fields]) => [key, membersOf(fields)] as const);
  return {
    read: (value, pointer, note) => {
      if (!isRecord(value)) return note(pointer, 'must be an object');
      const [only, ...others] = membersBy.filter(([key]) => value[key] !== undefined);
      if (only === undefined || others.length > 0)
        return note(pointer, `must have one of ${Object.keys(each).join(', ')}`);
      return readMembers(only[1], value, pointer, note);
    },
    schema: () => ({ oneOf: all.map(([, fields]) => objectSchema(fields)) }),
    uses: () => all.flatMap(([, fields]) => usesOf(fields)),
  };
}

/** A member as it is read: `key` and what it is, worked out once for all objects. */
interface Member {
  readonly key: string;
  /** What it adds to the pointer of the object. */
  readonly token: string;
  readonly shape: Shape<unknown>;
  readonly mayBeAbsent: boolean;
}

function membersOf(fields: Fields): readonly Member[] {
  return Object.entries(fields).map(([key, field]) => {
    return { key, token: `/${key}`, shape: shapeOf(field), mayBeAbsent: 'optional' in field };
  });
}

/** The object with these members, behind those that are read already. */
function readMembers<T>(
  members: readonly Member[],
  value: Readonly<Record<string, unknown>>,
  pointer: string,
  note: Note,
  read: Record<string, unknown> = {},
): T | Invalid {
  let isWhole = true;
  for (const { key, token, shape, mayBeAbsent } of members) {
    const member = value[key];
    if (member === undefined && mayBeAbsent) continue;
    const at = pointer + token;
    const own = member === undefined ? note(at, 'is missing') : shape.read(member, at, note);
    if (own === INVALID) isWhole = false;
    else read[key] = own;
  }
  return isWhole ? typed(read) : INVALID;
}

/** What has been read, member by member. The compiler cannot tell which type comes of it: callers can. */
function typed<T>(read: object): T;
function typed(read: object): object {
  return read;
}

function objectSchema(fields: Fields, first: Schema = {}): Schema {
  const entries = Object.entries(fields);
  const schemas = entries.map(([key, field]) => [key, shapeOf(field).schema()]);
  const required = entries.filter(([, field]) => !('optional' in field)).map(([key]) => key);
  return {
    type: 'object',
    properties: { ...first, ...Object.fromEntries(schemas) },
    required: [...Object.keys(first), ...required],
  };
}

/** Kinds whose members are the same, together. */
function alike(all: ReadonlyMap<string, Fields>): readonly (readonly [names: string[], fields: Fields])[] {
  const groups = new Map<string, [string[], Fields]>();
  for (const [name, fields] of all) {
    const [names] = getOrMake(groups, JSON.stringify(objectSchema(fields)), () => [[], fields]);
    names.push(name);
  }
  return [...groups.values()];
}

function usesOf(fields: Fields): readonly NamedShape[] {
  return Object.values(fields).flatMap((field) => shapeOf(field).uses());
}

/** The shape of a member, if it is there. */
export function shapeOf(field: Shape<unknown> | Optional<unknown>): Shape<unknown> {
  return 'optional' in field ? field.optional : field;
}

/** RFC 6901 3; what a stranger calls a member can be long. */
function pointerToken(key: string): string {
  return key.slice(0, LONGEST_KEY).replaceAll('~', '~0').replaceAll('/', '~1');
}

const LONGEST_KEY = 100;

/** Whether it is an object with members, rather than a list. */
/** Whether a value from outside is an object with members. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
