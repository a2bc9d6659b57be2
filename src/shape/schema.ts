import type { NamedShape, Schema, Shape } from './shape.ts';

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
