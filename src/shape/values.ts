import type { Schema, Shape } from './shape.ts';

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
    if (!text.endsWith('Z') || Number.isNaN(Date.parse(text)))
      throw new Error('must be a time in UTC (ISO 8601)');
    return text;
  },
  { format: 'date-time' },
);
