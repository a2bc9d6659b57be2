/** Negative, zero or positive as octets sort, the one that ends first going first: the order of RFC 4034 6. */
export function compareOctets(a: Uint8Array, b: Uint8Array): number {
  const common = Math.min(a.length, b.length);
  for (let at = 0; at < common; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
