import { numbered } from './type.ts';

/** Classes by code, with the names of RFC 1035 3.2.4 and RFC 2136 2.4. */
const CLASSES: Readonly<Record<number, string>> = { 1: 'IN', 3: 'CH', 4: 'HS', 254: 'NONE', 255: 'ANY' };

const CODES = new Map(Object.entries(CLASSES).map(([code, mnemonic]) => [mnemonic, Number(code)]));

/** The code of a class's mnemonic or of RFC 3597's "CLASS4711", in capitals; undefined for any other text. */
export function classCode(mnemonic: string): number | undefined {
  return CODES.get(mnemonic) ?? numbered(mnemonic, 'CLASS');
}

/** The mnemonic of a class's code, else "CLASS4711" (RFC 3597 5). */
export function className(code: number): string {
  return CLASSES[code] ?? `CLASS${code}`;
}
