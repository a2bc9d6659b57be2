import { INVALID, type Shape, turned } from './shape.ts';
import { oneOf } from './values.ts';

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
