import { isRecord } from './object.ts';
import { INVALID, type Shape } from './shape.ts';

/**
 * Lists of which equal ones are read as one object: they take up memory once, and who finds something out about
 * one has found it out for all. It remembers what it read, so make one for each document.
 */
export function alike<T>(lists: Shape<T>): Shape<T> {
  const known = new Map<string, { readonly value: unknown; readonly list: T }>();
  return {
    ...lists,
    read: (value, pointer, note) => {
      if (!Array.isArray(value) || value.length === 0) return lists.read(value, pointer, note);
      const key = `${value.length} ${JSON.stringify(value[0])}`;
      const before = known.get(key);
      if (before !== undefined && isEqual(before.value, value)) return before.list;
      const list = lists.read(value, pointer, note);
      if (list !== INVALID) known.set(key, { value, list });
      return list;
    },
  };
}

/** Of two JSON values. */
function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => isEqual(item, b[at]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => isEqual(a[key], b[key]));
}
