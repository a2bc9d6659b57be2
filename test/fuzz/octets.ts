import fc from 'fast-check';

/** Values that matter: lengths and counts at their edges, pointers, blanks and quotes. */
const TELLING = [0, 1, 2, 9, 0x0a, 0x0b, 0x20, 0x22, 0x29, 0x3f, 0x40, 0x5c, 0x7f, 0x80, 0xc0, 0xff];

/** One change to octets; where it happens is a fraction of their length, so that it fits any. */
type Change =
  | { readonly kind: 'set'; readonly at: number; readonly value: number }
  | { readonly kind: 'cut'; readonly at: number; readonly to: number }
  | { readonly kind: 'repeat'; readonly at: number; readonly to: number }
  | { readonly kind: 'insert'; readonly at: number; readonly octets: Uint8Array }
  | { readonly kind: 'end'; readonly at: number };

const place = fc.nat(0xffff).map((value) => value / 0x1_0000);

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constant('set' as const),
    at: place,
    value: fc.oneof(fc.constantFrom(...TELLING), fc.nat(0xff)),
  }),
  fc.record({ kind: fc.constant('cut' as const), at: place, to: place }),
  fc.record({ kind: fc.constant('repeat' as const), at: place, to: place }),
  fc.record({ kind: fc.constant('insert' as const), at: place, octets: fc.uint8Array({ maxLength: 8 }) }),
  fc.record({ kind: fc.constant('end' as const), at: place }),
);

/** The same octets, in about half of all cases with some of them changed. */
export function mutated(octets: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  const some = fc.oneof(fc.constant<Change[]>([]), fc.array(changes, { minLength: 1, maxLength: 3 }));
  return fc.tuple(octets, some).map(([whole, all]) => all.reduce(changed, whole));
}

function changed(octets: Uint8Array, change: Change): Uint8Array {
  const at = Math.floor(change.at * octets.length);
  const parts = (...pieces: readonly Uint8Array[]) => Uint8Array.from(Buffer.concat(pieces));
  switch (change.kind) {
    case 'set':
      return parts(octets.subarray(0, at), Uint8Array.of(change.value), octets.subarray(at + 1));
    case 'cut':
      return parts(octets.subarray(0, at), octets.subarray(Math.floor(change.to * octets.length)));
    case 'repeat':
      return parts(octets, octets.subarray(at, Math.floor(change.to * octets.length)));
    case 'insert':
      return parts(octets.subarray(0, at), change.octets, octets.subarray(at));
    case 'end':
      return octets.subarray(0, at);
  }
}
