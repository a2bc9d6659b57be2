/**
 * The one description of a document, or of a part of one: how to read it where it comes from outside,
 * and what it is called in a JSON Schema. Its type follows from it (`Of`).
 */
export interface Shape<T> {
  /** The value, or `INVALID` after it has noted everything that is wrong. */
  readonly read: (value: unknown, pointer: string, note: Note) => T | Invalid;
  /** Made on demand: only who describes the document needs it. */
  readonly schema: () => Schema;
  /** The named shapes that the schema refers to. */
  readonly uses: () => readonly NamedShape[];
}

/*
 * base: helpers that know no DNS, which every room may import.
 *
 * `shape.ts` describes a value once: a TypeScript type, a check that says where a value is wrong, and a JSON schema follow
 * from it; `shape-values.ts` and `shape-object.ts` have the kinds of values. `options.ts` and `limits.ts` have the options
 * of a traversal with their bounds, `work.ts` the costs of computation. `json.ts`, `encodings.ts`, `octets.ts`,
 * `packing.ts` and `files.ts` read and write. `clock.ts`, `chance.ts` and `abort.ts` make time, chance and cancellation
 * parameters; `memo.ts` keeps a value for each key.
 * Files that the page imports use no `node:` module.
 */

/** A JSON Schema (2020-12), as OpenAPI 3.1 uses them. */
export type Schema = Readonly<Record<string, unknown>>;

/** A shape that schemas refer to by its name. */
export interface NamedShape<T = unknown> extends Shape<T> {
  readonly name: string;
  /** What the name stands for. */
  readonly definition: () => Schema;
  /** The named shapes that the definition refers to. */
  readonly within: () => readonly NamedShape[];
}

/** The type of what has the shape. */
export type Of<S> = S extends Shape<infer T> ? T : never;

/** One thing that is wrong with a document, and where (RFC 6901 pointer). */
export interface Issue {
  readonly pointer: string;
  readonly detail: string;
}

/** Stands for a value that does not have the shape. */
export const INVALID: unique symbol = Symbol('invalid');

/** The type of `INVALID`. */
export type Invalid = typeof INVALID;

/** Notes what is wrong at a place. */
export type Note = (pointer: string, detail: string) => Invalid;

/** What is wrong with a document from outside. The message has the first issue. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
  readonly issues: readonly Issue[];
  /** Of the first issue. */
  readonly pointer: string;
  /** Of the first issue. */
  readonly detail: string;

  constructor(first: Issue, ...others: readonly Issue[]) {
    super(`${first.pointer === '' ? 'the document' : first.pointer}: ${first.detail}`);
    this.issues = [first, ...others];
    this.pointer = first.pointer;
    this.detail = first.detail;
  }
}

/** A bound on the list of issues: a hostile document may have thousands. */
const MOST_ISSUES = 20;

/** Reads a value that came from outside into a type we trust, or throws a `ShapeError` with all that is wrong. */
export function readShape<T>(shape: Shape<T>, value: unknown): T {
  const issues: Issue[] = [];
  const read = shape.read(value, '', (pointer, detail) => {
    if (issues.length < MOST_ISSUES) issues.push({ pointer, detail });
    return INVALID;
  });
  const [first, ...others] = issues;
  if (first !== undefined) throw new ShapeError(first, ...others);
  if (read === INVALID) throw new Error('a shape refused a value and did not say why');
  return read;
}

/** The shape, read into something else. What `turn` notes is wrong with it. */
export function turned<A, B>(
  shape: Shape<A>,
  turn: (value: A, pointer: string, note: Note) => B | Invalid,
): Shape<B> {
  const read = (value: unknown, pointer: string, note: Note) => {
    const own = shape.read(value, pointer, note);
    return own === INVALID ? INVALID : turn(own, pointer, note);
  };
  return { ...shape, read };
}

/** Where an OpenAPI document keeps its schemas. */
const HOME = '#/components/schemas/';

/** The shape under a name, by which schemas refer to it. */
export function named<T>(name: string, shape: Shape<T>): NamedShape<T> {
  const own: NamedShape<T> = {
    name,
    read: shape.read,
    schema: () => reference(name),
    uses: () => [own],
    definition: shape.schema,
    within: shape.uses,
  };
  return own;
}

/** A named shape that is defined further down, or holds itself. */
export function later<T>(name: string, shape: () => NamedShape<T>): Shape<T> {
  return {
    read: (value, pointer, note) => shape().read(value, pointer, note),
    schema: () => reference(name),
    uses: () => [shape()],
  };
}

/** The shape with annotations in its schema (JSON Schema 2020-12 validation, 9). */
export function annotated<T>(shape: Shape<T>, annotations: Schema): Shape<T> {
  return { ...shape, schema: () => ({ ...shape.schema(), ...annotations }) };
}

/** The shape with words on what it stands for. */
export function described<T>(shape: Shape<T>, description: string): Shape<T> {
  return annotated(shape, { description });
}

/** The definitions of named shapes, and of all that these refer to. */
export function definitions(shapes: readonly NamedShape[]): Readonly<Record<string, Schema>> {
  const found = new Map<string, NamedShape>();
  const ahead = [...shapes];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const known = found.get(next.name);
    if (known === next) continue;
    if (known !== undefined) throw new Error(`two shapes are called ${next.name}`);
    found.set(next.name, next);
    ahead.push(...next.within());
  }
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, { definition }]) => [name, definition()]));
}

function reference(name: string): Schema {
  return { $ref: `${HOME}${name}` };
}
