import { DecodeError } from './decode-error.ts';
import type { Name } from './name.ts';
import { Reader } from './reader.ts';
import type { Writer } from './writer.ts';

/** Octets before the names, and the names, in the data of types whose names may be compressed (RFC 3597 4). */
const COMPRESSIBLE: Readonly<Record<string, { readonly before: number; readonly names: number }>> = {
  NS: { before: 0, names: 1 },
  CNAME: { before: 0, names: 1 },
  PTR: { before: 0, names: 1 },
  MX: { before: 2, names: 1 },
  SOA: { before: 0, names: 2 },
};

/** Writes record data, given uncompressed, with its names compressed where receivers expect that. */
export function writeRdata(writer: Writer, type: string, rdata: Uint8Array): void {
  const parts = split(type, rdata);
  writer.octets(parts.before);
  for (const name of parts.names) writer.name(name);
  writer.octets(parts.behind);
}

interface Parts {
  readonly before: Uint8Array;
  readonly names: readonly Name[];
  readonly behind: Uint8Array;
}

function split(type: string, rdata: Uint8Array): Parts {
  const layout = COMPRESSIBLE[type];
  const asItIs = { before: rdata, names: [], behind: new Uint8Array() };
  if (layout === undefined) return asItIs;
  try {
    const reader = Reader.of(rdata);
    const before = reader.octets(layout.before);
    const names = Array.from({ length: layout.names }, () => reader.uncompressedName());
    return { before, names, behind: reader.octets(reader.remaining) };
  } catch (error) {
    // Data that does not fit its type is sent all the same: tests of readers want it.
    if (error instanceof DecodeError) return asItIs;
    throw error;
  }
}
