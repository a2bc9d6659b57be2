/* Reads and writes the OPT record (EDNS). */

import { fromHex, toHex } from '../base/encodings.ts';
import type { Edns, EdnsOption } from './message.ts';
import { ROOT } from './name.ts';
import type { Reader } from './reader.ts';
import type { Writer } from './writer.ts';

/** The code of the OPT record's type. */
export const OPT = 41;
/** The code of the option that asks for a name server's identifier, and carries it (RFC 5001 2.1). */
export const NSID = 3;
/** The code of an option that nobody defines: it is for local use (RFC 6891 9). */
export const UNDEFINED_OPTION = 65_432;

const DO = 0x8000;

/** What an OPT record says, and the upper eight bits of the rcode, which it carries. */
export interface Opt {
  readonly edns: Edns;
  readonly extendedRcode: number;
}

/** Reads what follows an OPT record's type (RFC 6891 6.1.2). */
export function readOpt(reader: Reader): Opt {
  const payloadSize = reader.u16();
  const extendedRcode = reader.u8();
  const version = reader.u8();
  const bits = reader.u16();
  const options = readOptions(reader.part(reader.u16()));
  return { edns: { version, payloadSize, do: (bits & DO) !== 0, options }, extendedRcode };
}

function readOptions(data: Reader): EdnsOption[] {
  const options: EdnsOption[] = [];
  while (data.remaining > 0) {
    const code = data.u16();
    options.push({ code, data: toHex(data.octets(data.u16())) });
  }
  return options;
}

/** Writes an OPT record, its owner and type included. Throws RangeError for a number out of range. */
export function writeOpt(writer: Writer, { edns, extendedRcode }: Opt): void {
  writer.name(ROOT);
  writer.u16(OPT);
  writer.u16(edns.payloadSize);
  writer.u8(extendedRcode);
  writer.u8(edns.version);
  writer.u16(edns.do ? DO : 0);
  writer.counted(() => writeOptions(writer, edns.options));
}

/** The octets of an OPT record with these options: eleven, and for each option four and its data. */
export function optLength(options: readonly EdnsOption[]): number {
  return options.reduce((sum, { data }) => sum + 4 + data.length / 2, 11);
}

function writeOptions(writer: Writer, options: readonly EdnsOption[]): void {
  for (const { code, data } of options) {
    writer.u16(code);
    writer.counted(() => writer.octets(fromHex(data)));
  }
}
