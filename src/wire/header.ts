import { getOrMake } from '../get-or-make.ts';
import type { Flag } from './message.ts';

/** Each flag's bit in the header's second 16 bits, from the left (RFC 1035 4.1.1, RFC 4035 3). */
const BITS: readonly (readonly [Flag, number])[] = [
  ['qr', 0x8000],
  ['aa', 0x0400],
  ['tc', 0x0200],
  ['rd', 0x0100],
  ['ra', 0x0080],
  ['ad', 0x0020],
  ['cd', 0x0010],
];

const ALL = BITS.reduce((all, [, bit]) => all | bit, 0);
/** By the bits that stand for flags. */
const known = new Map<number, readonly Flag[]>();

/** The flags set in the header's second 16 bits, in their order there. */
export function flagsOf(bits: number): readonly Flag[] {
  return getOrMake(known, bits & ALL, () =>
    BITS.filter(([, bit]) => (bits & bit) !== 0).map(([flag]) => flag),
  );
}

/** The bits of some flags. */
export function bitsOf(flags: readonly Flag[]): number {
  return BITS.reduce((bits, [flag, bit]) => (flags.includes(flag) ? bits | bit : bits), 0);
}

/** The ID of what may be a DNS message, decodable or not; undefined if it is too short for one. */
export function peekId(bytes: Uint8Array): number | undefined {
  const [high, low] = bytes;
  return high === undefined || low === undefined ? undefined : (high << 8) | low;
}

/** A copy of a message with another ID. */
export function withId(bytes: Uint8Array, id: number): Uint8Array {
  const copy = bytes.slice();
  copy[0] = id >> 8;
  copy[1] = id & 0xff;
  return copy;
}
