/* Reads streams of octets up to a bound, and views octets as text. */

/** Reads to the end. Stops and gives undefined as soon as there are more than `most` octets. */
export async function readOctets(source: OctetSource, most: number): Promise<Buffer | undefined> {
  const { pieces, rest } = await readPieces(source, most);
  return rest === 'none' ? Buffer.concat(pieces) : undefined;
}

/** What comes in pieces: a file, a reply, the standard input. */
export type OctetSource = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;

const KIB = 1_024;
const MIB = KIB * KIB;

/** The most octets of a result, as a service keeps it and as it is saved. */
export const RESULT_OCTETS = 128 * MIB;

/** The most octets read of anything that comes from outside; each row says of what. */
export const MOST_OCTETS = {
  /** A saved result, or a line of saved results. */
  saved: 256 * MIB,
  /** A job with its result, as a service sends it. */
  job: RESULT_OCTETS + MIB,
  /** The list of a job's servers. */
  servers: 16 * MIB,
  /** Any other reply of a service. */
  reply: 64 * KIB,
  /** One event of a job. */
  event: 16 * MIB,
  /** All events of a job. */
  events: 512 * MIB,
  /** A file of root hints. */
  hints: MIB,
  /** A configuration file. */
  config: MIB,
  /** A plan in JSON, or a BIND configuration. */
  plan: 16 * MIB,
  /** A file of trust anchors. */
  anchors: MIB,
  /** A list of prefixes and names to leave alone. */
  denyList: 16 * MIB,
  /** A line of a list of names. */
  nameLine: MIB,
} as const;

/** Reads to the end, or the first `most` octets of more. */
export async function readBeginning(source: OctetSource, most: number): Promise<Buffer> {
  const { pieces } = await readPieces(source, most);
  return Buffer.concat(pieces).subarray(0, most);
}

async function readPieces(source: OctetSource, most: number) {
  const pieces: Buffer[] = [];
  let octets = 0;
  for await (const piece of source) {
    const own = bufferOf(piece);
    pieces.push(own);
    octets += own.length;
    // Leaving the loop closes the source.
    if (octets > most) return { pieces, rest: 'unread' } as const;
  }
  return { pieces, rest: 'none' } as const;
}

/** The same octets, as a Buffer. */
export function bufferOf(piece: Uint8Array | string): Buffer {
  return typeof piece === 'string'
    ? Buffer.from(piece)
    : Buffer.from(piece.buffer, piece.byteOffset, piece.length);
}

/** A number of octets for people: "256 MiB". */
export function octetsText(octets: number): string {
  return octets % MIB === 0 ? `${octets / MIB} MiB` : `${octets / KIB} KiB`;
}
