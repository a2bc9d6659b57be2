import fc from 'fast-check';
import type { Question } from '../../src/dns/message.ts';
import { type Name, NameError, nameFromLabels, parseName, ROOT } from '../../src/dns/name.ts';

const FEW = ['a', 'b', 'ns', 'www', 'x', 'com', '*', '_', '0'];

const ODD = [
  'A',
  '.',
  '\\',
  ' ',
  '"',
  ';',
  '(',
  '@',
  '$',
  '\n',
  '\u001b[31m',
  '\u202e',
  '\u0000',
  'é',
  '\u00ff',
];

/** A label's octets: mostly one of few, so that names meet; else odd ones, or any. */
export const labels: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...FEW).map(octetsOf) },
  { weight: 2, arbitrary: fc.constantFrom(...ODD).map(octetsOf) },
  { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 63 }) },
  { weight: 1, arbitrary: fc.constantFrom('l', '\u0000', '.').map((letter) => octetsOf(letter.repeat(63))) },
);

/** A name of at most some labels; it is the root where they are too long for one. */
export const names: fc.Arbitrary<Name> = fc.array(labels, { maxLength: 5 }).map(nameOf);

/** The name with these labels, or the root where they do not fit in one. */
export function nameOf(all: readonly Uint8Array[]): Name {
  try {
    return nameFromLabels(all);
  } catch (error) {
    if (error instanceof NameError) return ROOT;
    throw error;
  }
}

function octetsOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'utf8'));
}

const TYPES = ['A', 'A', 'AAAA', 'NS', 'CNAME', 'DNAME', 'SOA', 'ANY', 'RRSIG', 'DS', 'TYPE65280'];

/** What to look up. */
export const questions: fc.Arbitrary<Question> = fc.record({
  name: fc.oneof({ weight: 4, arbitrary: fc.constant(parseName('www.x.a.com.')) }, names),
  type: fc.constantFrom(...TYPES),
});
