import { MAX_NAME } from '../../wire/label.ts';
import { type Name, nameToWire, parseName, ROOT } from '../../wire/name.ts';

/** The wildcard right below a name (RFC 4592 2.1.1); undefined where that would be too long for a name. */
export function wildcardAt(name: Name): Name | undefined {
  if (nameToWire(name).length > MAX_NAME - ASTERISK_OCTETS) return undefined;
  return parseName(name === ROOT ? '*.' : `*.${name}`);
}

/** An asterisk and its length. */
const ASTERISK_OCTETS = 2;
