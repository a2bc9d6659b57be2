import { INVALID, type Shape } from './shape.ts';

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
