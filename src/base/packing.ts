/* Compresses octets that are kept for long. */

import { promisify } from 'node:util';
import { deflateRawSync, inflateRaw } from 'node:zlib';

/** Octets as they are kept for long. */
export interface Packed {
  readonly form: 'plain' | 'deflated';
  readonly octets: Uint8Array<ArrayBuffer>;
  /** How many they are once they are unpacked. */
  readonly length: number;
}

/** Fewer octets are left as they are. */
const LEAST_DEFLATED = 2_048;

/** Results repeat themselves so much that more effort hardly makes them smaller. */
const EFFORT = { level: 1 };

/** Packs a copy of some octets. It computes for some milliseconds for each mebibyte. */
export function packed(octets: Uint8Array): Packed {
  const { length } = octets;
  if (length < LEAST_DEFLATED) return { form: 'plain', octets: Uint8Array.from(octets), length };
  return { form: 'deflated', octets: deflated(octets), length };
}

/** The octets, raw-deflated with little effort. */
export function deflated(octets: Uint8Array): Uint8Array<ArrayBuffer> {
  // What comes out may be part of a larger buffer.
  return Uint8Array.from(deflateRawSync(octets, EFFORT));
}

/** The octets that were packed. They are inflated beside the event loop. */
export async function unpacked({ form, octets }: Packed): Promise<Uint8Array> {
  return form === 'plain' ? octets : await inflated(octets);
}

const inflated = promisify<Uint8Array, Buffer>(inflateRaw);
