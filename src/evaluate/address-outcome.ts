import { addressIn } from '../explore/classify.ts';
import type { Distribution } from './distribution.ts';
import { type End, isUnknown } from './end.ts';
import type { Measure } from './measure.ts';

/** What the lookup (or the two lookups) of a name server can come to. */
export type AddressOutcome<W> =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[]; readonly weight: W }
  | { readonly kind: 'none'; readonly end: End; readonly weight: W };

/**
 * The address sets, and the ends without one, that independent lookups come to (MODEL 3.2.4):
 * `lookups` are the distributions of the A lookup, the AAAA lookup, or both in this order.
 */
export function addressOutcomes<W>(
  lookups: readonly Distribution<W>[],
  measure: Measure<W>,
): readonly AddressOutcome<W>[] {
  return lookups.map((lookup) => outcomesOf(lookup, measure)).reduce((a, b) => pairs(a, b, measure));
}

function outcomesOf<W>(lookup: Distribution<W>, measure: Measure<W>): readonly AddressOutcome<W>[] {
  const outcomes: AddressOutcome<W>[] = [];
  for (const { end, weight } of lookup.values()) {
    if (end.kind !== 'answer') outcomes.push({ kind: 'none', end, weight });
    else {
      const addresses = end.records.map(addressIn).filter((address) => address !== undefined);
      outcomes.push({ kind: 'addresses', addresses: [...new Set(addresses)].sort(), weight });
    }
  }
  return merged(outcomes, measure);
}

function pairs<W>(
  a: readonly AddressOutcome<W>[],
  aaaa: readonly AddressOutcome<W>[],
  measure: Measure<W>,
): readonly AddressOutcome<W>[] {
  const outcomes: AddressOutcome<W>[] = [];
  for (const first of a) {
    for (const second of aaaa) {
      const weight = measure.multiply(first.weight, second.weight);
      outcomes.push({ ...union(first, second), weight });
    }
  }
  return merged(outcomes, measure);
}

function union<W>(a: AddressOutcome<W>, aaaa: AddressOutcome<W>): AddressOutcome<W> {
  if (a.kind === 'none' && aaaa.kind === 'none') {
    return isUnknown(aaaa.end) && !isUnknown(a.end) ? aaaa : a;
  }
  if (a.kind === 'none') return aaaa;
  if (aaaa.kind === 'none') return a;
  return { ...a, addresses: [...a.addresses, ...aaaa.addresses] };
}

/** Puts equal address sets together; ends are distinct by their distribution already, or cheap to keep. */
function merged<W>(
  outcomes: readonly AddressOutcome<W>[],
  measure: Measure<W>,
): readonly AddressOutcome<W>[] {
  const sets = new Map<string | End, AddressOutcome<W>>();
  for (const outcome of outcomes) {
    const key = outcome.kind === 'none' ? outcome.end : outcome.addresses.join(' ');
    const known = sets.get(key);
    sets.set(
      key,
      known === undefined ? outcome : { ...known, weight: measure.add(known.weight, outcome.weight) },
    );
  }
  return [...sets.values()];
}
