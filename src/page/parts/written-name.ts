import { type Name, ROOT } from '../../wire/name.ts';

/** A name as people write it: without its final dot, but for the root. */
export function writtenName(name: Name): string {
  return name === ROOT ? '.' : name.slice(0, -1);
}
