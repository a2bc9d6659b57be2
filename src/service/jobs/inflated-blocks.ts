import { inflateRawSync } from 'node:zlib';
import { getOrMake, RecentlyUsed } from '../../base/memo.ts';

/**
 * The blocks of event logs that were read last, inflated. Readers of one job are mostly at the same place, and share one
 * copy, also while it waits in their connections.
 */
export class InflatedBlocks {
  /** By the deflated octets. */
  readonly #inflated: RecentlyUsed<Uint8Array, InflatedBlock>;

  /** `room`: how many octets to keep; the block that was read last stays in any case. */
  constructor(room: number) {
    this.#inflated = new RecentlyUsed(room, ({ octets }) => octets.length);
  }

  /** Octets kept. */
  get octets(): number {
    return this.#inflated.octets;
  }

  /** The events in some deflated octets. */
  of(deflated: Uint8Array<ArrayBuffer>): InflatedBlock {
    return getOrMake(this.#inflated, deflated, () => {
      const octets = inflateRawSync(deflated);
      return { octets, ends: endsIn(octets) };
    });
  }
}

/** Consecutive events. */
interface InflatedBlock {
  readonly octets: Buffer;
  /** Where each event ends. */
  readonly ends: readonly number[];
}

/** An event ends with the first blank line (WHATWG HTML 9.2.5). */
function endsIn(octets: Buffer): readonly number[] {
  const ends: number[] = [];
  for (let at = octets.indexOf(BLANK); at !== -1; at = octets.indexOf(BLANK, at + BLANK.length))
    ends.push(at + BLANK.length);
  return ends;
}

const BLANK = '\n\n';
