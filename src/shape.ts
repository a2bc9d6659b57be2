/** What is wrong with a document from outside, and where (RFC 6901 pointer). */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
  readonly pointer: string;
  readonly detail: string;

  constructor(pointer: string, detail: string) {
    super(`${pointer === '' ? 'the document' : pointer}: ${detail}`);
    this.pointer = pointer;
    this.detail = detail;
  }
}

/** Reads a value that came from outside into a type we trust, or throws a `ShapeError`. */
export type Shape<T> = (value: unknown, pointer: string) => T;

/** A member that may be absent. */
export interface Optional<T> {
  readonly optional: Shape<T>;
}

type Fields = Readonly<Record<string, Shape<unknown> | Optional<unknown>>>;
type Read<F extends Fields> = {
  readonly [K in keyof F as F[K] extends Shape<unknown> ? K : never]: F[K] extends Shape<infer T> ? T : never;
} & {
  readonly [K in keyof F as F[K] extends Shape<unknown> ? never : K]?: F[K] extends Optional<infer T>
    ? T
    : never;
};

/** An object with at least these members; others are passed over. */
export function object<F extends Fields>(fields: F): Shape<Read<F>> {
  return (value, pointer) => {
    if (!isRecord(value)) throw new ShapeError(pointer, 'must be an object');
    const read = Object.entries(fields).flatMap(([key, field]) => {
      if ('optional' in field && value[key] === undefined) return [];
      const shape = 'optional' in field ? field.optional : field;
      return [[key, shape(value[key], `${pointer}/${key}`)]];
    });
    return Object.fromEntries(read);
  };
}

/** An array of values of one shape. */
export function array<T>(item: Shape<T>): Shape<readonly T[]> {
  return (value, pointer) => {
    if (!Array.isArray(value)) throw new ShapeError(pointer, 'must be an array');
    return value.map((element, index) => item(element, `${pointer}/${index}`));
  };
}

/** A member that is absent or of the shape. */
export function optional<T>(shape: Shape<T>): Optional<T> {
  return { optional: shape };
}

/** One of several shapes: the first that fits, else the last one's complaint. */
export function either<A, B>(first: Shape<A>, second: Shape<B>): Shape<A | B> {
  return (value, pointer) => {
    try {
      return first(value, pointer);
    } catch (error) {
      if (error instanceof ShapeError) return second(value, pointer);
      throw error;
    }
  };
}

export const text: Shape<string> = (value, pointer) => {
  if (typeof value !== 'string') throw new ShapeError(pointer, 'must be a string');
  return value;
};

/** A finite number. */
export const number: Shape<number> = (value, pointer) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new ShapeError(pointer, 'must be a number');
  return value;
};

/** An integer between two bounds, both included. */
export function integer(least: number, most: number): Shape<number> {
  return (value, pointer) => {
    const whole = number(value, pointer);
    if (!Number.isInteger(whole) || whole < least || whole > most) {
      throw new ShapeError(pointer, `must be an integer from ${least} to ${most}`);
    }
    return whole;
  };
}

export const boolean: Shape<boolean> = (value, pointer) => {
  if (typeof value !== 'boolean') throw new ShapeError(pointer, 'must be true or false');
  return value;
};

/** One of a few values. */
export function oneOf<const T extends string | number>(...values: readonly T[]): Shape<T> {
  return (value, pointer) => {
    const found = values.find((one) => one === value);
    if (found === undefined) throw new ShapeError(pointer, `must be one of ${values.join(', ')}`);
    return found;
  };
}

/** Text that a function of ours reads; what it throws is the reason. */
export function parsed<T>(parse: (value: string) => T): Shape<T> {
  return (value, pointer) => {
    const read = text(value, pointer);
    try {
      return parse(read);
    } catch (error) {
      throw new ShapeError(pointer, error instanceof Error ? error.message : String(error));
    }
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
