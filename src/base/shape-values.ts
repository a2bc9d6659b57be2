/* Shapes of single values and of lists. */

import { INVALID, type Schema, type Shape, turned } from './shape.ts';

const NONE = () => [];

/** Any text. */
export const TEXT: Shape<string> = {
  read: (value, pointer, note) => (typeof value === 'string' ? value : note(pointer, 'must be a string')),
  schema: () => ({ type: 'string' }),
  uses: NONE,
};

/** True or false. */
export const BOOLEAN: Shape<boolean> = {
  read: (value, pointer, note) =>
    typeof value === 'boolean' ? value : note(pointer, 'must be true or false'),
  schema: () => ({ type: 'boolean' }),
  uses: NONE,
};

/** A number that is not negative. */
export const NUMBER: Shape<number> = {
  read: (value, pointer, note) =>
    typeof value === 'number' && value >= 0 && Number.isFinite(value)
      ? value
      : note(pointer, 'must be a number, 0 or more'),
  schema: () => ({ type: 'number', minimum: 0 }),
  uses: NONE,
};

/** An integer that is not negative. */
export const COUNT: Shape<number> = {
  read: (value, pointer, note) =>
    typeof value === 'number' && value >= 0 && Number.isSafeInteger(value)
      ? value
      : note(pointer, 'must be an integer, 0 or more'),
  schema: () => ({ type: 'integer', minimum: 0 }),
  uses: NONE,
};

/** An integer between two bounds, both included. */
export function integer(least: number, most: number): Shape<number> {
  return {
    read: (value, pointer, note) =>
      typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
        ? value
        : note(pointer, `must be an integer from ${least} to ${most}`),
    schema: () => ({ type: 'integer', minimum: least, maximum: most }),
    uses: NONE,
  };
}

/** The bounds that the complaint about an integer names; undefined for any other complaint. */
export function boundsNamedIn(detail: string): readonly [least: number, most: number] | undefined {
  const [, least, most] = /^must be an integer from (\d{1,12}) to (\d{1,12})\.?$/.exec(detail) ?? [];
  return least === undefined || most === undefined ? undefined : [Number(least), Number(most)];
}

/** One of a few values. */
export function oneOf<const T extends string | number | boolean>(...values: readonly T[]): Shape<T> {
  return {
    read: (value, pointer, note) =>
      values.find((one) => one === value) ?? note(pointer, `must be one of ${values.join(', ')}`),
    schema: () => (values.length === 1 ? { const: values[0] } : { enum: values }),
    uses: NONE,
  };
}

/** The shape of one of several names, and these. */
export interface Choice<T> extends Shape<T> {
  readonly names: readonly T[];
}

/** One of the names of a closed union, given as a record so that none can be forgotten. */
export function choice<T extends string>(each: Readonly<Record<T, unknown>>): Choice<T> {
  const isName = (value: string): value is T => Object.hasOwn(each, value);
  const names = Object.keys(each).filter(isName);
  return {
    names,
    read: (value, pointer, note) =>
      typeof value === 'string' && isName(value)
        ? value
        : note(pointer, `must be one of ${names.join(', ')}`),
    schema: () => ({ enum: names }),
    uses: NONE,
  };
}

/** Text that a function reads; what that throws is the reason why it does not. */
export function parsed<T>(parse: (value: string) => T, schema: Schema = {}): Shape<T> {
  return {
    read: (value, pointer, note) => {
      if (typeof value !== 'string') return note(pointer, 'must be a string');
      try {
        return parse(value);
      } catch (error) {
        return note(pointer, error instanceof Error ? error.message : String(error));
      }
    },
    schema: () => ({ type: 'string', ...schema }),
    uses: NONE,
  };
}

/** Text that fits a pattern. `meaning` completes "must be". */
export function matching(pattern: RegExp, meaning: string, schema: Schema = {}): Shape<string> {
  return {
    read: (value, pointer, note) =>
      typeof value === 'string' && pattern.test(value) ? value : note(pointer, `must be ${meaning}`),
    schema: () => ({ type: 'string', pattern: pattern.source, ...schema }),
    uses: NONE,
  };
}

/** A time of day: ISO 8601, UTC. */
export const TIME: Shape<string> = parsed(
  (text) => {
    if (!IN_UTC.test(text) || Number.isNaN(Date.parse(text)))
      throw new Error('must be a time in UTC (ISO 8601)');
    return text;
  },
  { format: 'date-time' },
);

/** RFC 3339 5.6: years have four digits, which leaves room to count on from any of them. */
const IN_UTC = /^\d{4}-.*Z$/;

/** A list of values of one shape. */
export function list<T>(item: Shape<T>): Shape<readonly T[]> {
  return {
    read: (value, pointer, note) => {
      if (!Array.isArray(value)) return note(pointer, 'must be an array');
      const read: T[] = [];
      for (let index = 0; index < value.length; index += 1) {
        const one = item.read(value[index], `${pointer}/${index}`, note);
        if (one !== INVALID) read.push(one);
      }
      return read.length === value.length ? read : INVALID;
    },
    schema: () => ({ type: 'array', items: item.schema() }),
    uses: item.uses,
  };
}

/** A list of some of a few values, at least one; it is read as each once, in the order given here. */
export function someOf<const T extends string | number>(...values: readonly T[]): Shape<readonly T[]> {
  const some = list(oneOf(...values));
  const read = turned(some, (named, pointer, note) =>
    named.length === 0
      ? note(pointer, `must hold at least one of ${values.join(', ')}`)
      : values.filter((value) => named.includes(value)),
  );
  return { ...read, schema: () => ({ ...some.schema(), minItems: 1 }) };
}

/** A value of the shape, or null. */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return {
    read: (value, pointer, note) => (value === null ? null : shape.read(value, pointer, note)),
    schema: () => ({ anyOf: [shape.schema(), { type: 'null' }] }),
    uses: shape.uses,
  };
}

/**
 * Lists of which equal ones are read as one object: they take up memory once, and who finds something out about
 * one has found it out for all. It remembers what it read, so make one for each document.
 */
export function alike<T extends {}>(lists: Shape<T>): Shape<T> {
  const known = new Map<string, T>();
  return {
    ...lists,
    read: (value, pointer, note) => {
      if (!Array.isArray(value)) return lists.read(value, pointer, note);
      const key = JSON.stringify(value);
      const before = known.get(key);
      if (before !== undefined) return before;
      const list = lists.read(value, pointer, note);
      if (list !== INVALID) known.set(key, list);
      return list;
    },
  };
}
