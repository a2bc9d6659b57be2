import { type Name, parseName, ROOT } from '../../wire/name.ts';

/** The wildcard right below a name (RFC 4592 2.1.1). There is room for its asterisk wherever there is any name below. */
export function wildcardAt(encloser: Name): Name {
  return parseName(encloser === ROOT ? '*.' : `*.${encloser}`);
}
