/** A number from 0 to below 1 that looks random but depends on the text alone. */
export function chanceOf(text: string): number {
  // FNV-1a over the UTF-16 units, then the finalizer of MurmurHash3, which spreads the low bits.
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
