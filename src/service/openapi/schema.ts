/** A JSON Schema (2020-12), as OpenAPI 3.1 uses them. */
export type Schema = Readonly<Record<string, unknown>>;

type Members = Readonly<Record<string, Schema>>;

/** An object: members that are always there, and members that may be. It may grow others. */
export function record(required: Members, optional: Members = {}): Schema {
  return { type: 'object', properties: { ...required, ...optional }, required: Object.keys(required) };
}

/** An array of these. */
export function list(items: Schema): Schema {
  return { type: 'array', items };
}

/** One of some values. */
export function oneOf(...values: readonly (string | number)[]): Schema {
  return { enum: values };
}

/** A schema of the document, by its name. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schema with a description of what it stands for. */
export function described(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

export const TEXT: Schema = { type: 'string' };
export const COUNT: Schema = { type: 'integer', minimum: 0 };
export const BOOLEAN: Schema = { type: 'boolean' };
export const TIME: Schema = { type: 'string', format: 'date-time' };
export const MILLISECONDS: Schema = { type: 'number', minimum: 0 };
