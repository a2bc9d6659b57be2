import { type Name, parentOf, parseName, ROOT } from '../../wire/name.ts';

/** A name that exists, and the name one label longer on the way down to another one that may not exist. */
interface Encloser {
  readonly name: Name;
  /** RFC 5155 1.3: the next closer name. */
  readonly nextCloser: Name;
}

/** The nearest name above this one that exists. The root, if nothing else, has to. */
export function closestEncloser(name: Name, exists: (name: Name) => boolean): Encloser {
  let nextCloser = name;
  let above = parentOf(name) ?? ROOT;
  while (!exists(above) && above !== ROOT) {
    nextCloser = above;
    above = parentOf(above) ?? ROOT;
  }
  return { name: above, nextCloser };
}

/** The wildcard right below a name (RFC 4592 2.1.1). */
export function wildcardBelow(name: Name): Name {
  return parseName(name === ROOT ? '*.' : `*.${name}`);
}
