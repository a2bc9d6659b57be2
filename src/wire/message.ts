// dns has all that is DNS and does no I/O: messages, names, addresses, types, records and their data, and DNSSEC.
// message has the form of a decoded message; decode reads octets strictly (reader) and never trusts a length or a count;
// encode writes them (writer). name and address have one text for equal values, so strings compare. record is a resource
// record everywhere in the program. codes has IANA's mnemonics, edns the OPT record, sections the records of large
// messages. idn, mistaken-name and special-purpose are about names and addresses that people write.
// rdata/ reads and writes the data of each type by a row of fields; dnssec/ validates replies.
// The room knows nothing of sockets, clocks and options, and runs in browsers, node-crypto excepted.

import type { Name } from './name.ts';
import type { Records } from './records.ts';

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
