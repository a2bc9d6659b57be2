import { concat, fromHex, toBase32hex } from '../../encodings.ts';
import { getOrMake } from '../../get-or-make.ts';
import { type Name, nameToWire } from '../../wire/name.ts';
import type { Primitives } from '../primitives.ts';
import type { HashParameters } from './denial-records.ts';

/** A name's hash in base32hex. */
export type HashName = (name: Name) => string;

/** Hashes names (RFC 5155 5), each once. */
export function nameHasher({ iterations, salt }: HashParameters, digest: Primitives['digest']): HashName {
  const salted = salt === '-' ? new Uint8Array() : fromHex(salt);
  const known = new Map<Name, string>();
  const hash = (octets: Uint8Array) => digest('sha1', concat([octets, salted]));
  return (name) =>
    getOrMake(known, name, () => {
      let octets = hash(nameToWire(name));
      for (let again = 0; again < iterations; again += 1) octets = hash(octets);
      return toBase32hex(octets);
    });
}
