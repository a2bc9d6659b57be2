/** A number from 0 to below 1 that looks random but depends on the text alone. */
export function chanceOf(text: string): number {
  // FNV-1a over the UTF-16 units, then the finalizer of MurmurHash3, which spreads the low bits.
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** Chance that can be had again: a whole number from 0 to below `below`, all equally likely. */
export type Draw = (below: bigint) => bigint;

/** Draws that look random but depend on the seed alone. */
export function drawingFrom(seed: number): Draw {
  let drawn = 0;
  const word = () => {
    drawn += 1;
    return BigInt(chanceOf(`${seed} ${drawn}`) * WORD);
  };
  return (below) => {
    for (;;) {
      let value = 0n;
      let range = 1n;
      for (; range < below; range *= BigInt(WORD)) value = value * BigInt(WORD) + word();
      // What is left over beyond a multiple would make small numbers likelier.
      if (value < range - (range % below)) return value % below;
    }
  };
}

const WORD = 2 ** 32;
