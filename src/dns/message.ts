/*
 * dns: messages, names, addresses, types, records and DNSSEC, without I/O.
 *
 * `message.ts` has the form of a decoded message; `decode.ts` reads octets strictly (`reader.ts`) and never trusts a
 * length or a count; `encode.ts` writes them (`writer.ts`). `name.ts` and `address.ts` have one text for equal values, so
 * strings compare. `record.ts` is a resource record everywhere in the program. `codes.ts` has IANA's mnemonics, `edns.ts`
 * the OPT record. `idn.ts`, `mistaken-name.ts` and `special-purpose.ts` are about names and addresses as users write them.
 * `rdata/` reads and writes the data of each type by a row of fields.
 * `dnssec/` validates replies: records, keys and a moment go in, a verdict comes out (secure, insecure, bogus, or the fact
 * that is needed first). `validate-reply.ts` decides what a reply has to prove, and whether it does; `validate-rrset.ts`
 * validates an RRset in it; `verify.ts` checks the signatures over one RRset; `denial.ts` reads the proofs
 * by NSEC and NSEC3; `trust.ts` follows DS records and trust anchors to keys. The cryptography is a parameter
 * (`node-crypto.ts` has Node's).
 * The room knows no sockets, clocks and options, and runs in browsers, `node-crypto.ts` excepted.
 */
import { getOrMake } from '../base/memo.ts';
import type { Name } from './name.ts';
import type { Records } from './record.ts';

/** Header flags by their RFC names, lower-case. */
export type Flag = 'qr' | 'aa' | 'tc' | 'rd' | 'ra' | 'ad' | 'cd';

/** One EDNS option: its code, and its data as lower-case hexadecimal. */
export interface EdnsOption {
  readonly code: number;
  readonly data: string;
}

/** What an OPT record says (RFC 6891 6.1). */
export interface Edns {
  readonly version: number;
  /** The largest message, in octets, that the sender accepts over UDP. */
  readonly payloadSize: number;
  /** DNSSEC OK (RFC 3225). */
  readonly do: boolean;
  readonly options: readonly EdnsOption[];
}

/** The question section's entry of a decoded message. */
export interface AskedQuestion {
  readonly name: Name;
  /** The name as it was on the wire, case included: what 0x20 compares. */
  readonly nameAsSent: string;
  readonly type: string;
  /** "IN", "CH", ... */
  readonly class: string;
}

/** A decoded DNS message. The OPT record is in `edns`, not in `additional`. */
export interface Message {
  readonly id: number;
  readonly opcode: number;
  readonly flags: readonly Flag[];
  /** IANA mnemonic, extended bits merged ("NOERROR", "BADVERS"), else "RCODE17". */
  readonly rcode: string;
  readonly questions: readonly AskedQuestion[];
  readonly answer: Records;
  readonly authority: Records;
  readonly additional: Records;
  readonly edns?: Edns;
}

/** A name and the mnemonic of a type ("A", "TYPE65280"); the class is IN unless stated otherwise. */
export interface Question {
  readonly name: Name;
  readonly type: string;
}

/** The text that is equal exactly for equal questions: "www.example.com. A". */
export function questionKey(question: Question): string {
  return `${question.name} ${question.type}`;
}

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
