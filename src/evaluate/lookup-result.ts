import { addressesIn } from '../explore/addresses.ts';
import type { Distribution } from './distribution.ts';
import { type End, isUnknown } from './end.ts';

/** What lookups give, as parts of one whole. */
export interface LookupResult {
  readonly whole: bigint;
  /** By the addresses, joined. */
  readonly sets: ReadonlyMap<string, AddressSet>;
  /** Ends that give none. */
  readonly none: ReadonlyMap<End, bigint>;
}

interface AddressSet {
  readonly addresses: readonly string[];
  readonly parts: bigint;
}

/**
 * The address sets that independent lookups come to, and the ends that give none: svc-model(7), WALKING A
 * STEP 2.4. `lookups` are the distributions of the A lookup, the AAAA lookup, or both in this order.
 */
export function lookupResult(lookups: readonly Distribution[]): LookupResult {
  return lookups.map(resultOf).reduce(together);
}

/**
 * At most how many addresses there are to pick in all outcomes together: an A and an AAAA lookup come to
 * as many pairs as there are outcomes of the one times outcomes of the other.
 */
export function picksAhead(lookups: readonly Distribution[]): number {
  return lookups.map(sizeOf).reduce((a, b) => ({
    outcomes: a.outcomes * b.outcomes,
    addresses: a.addresses * b.outcomes + b.addresses * a.outcomes,
  })).addresses;
}

function sizeOf({ portions }: Distribution): { readonly outcomes: number; readonly addresses: number } {
  let addresses = portions.size;
  for (const end of portions.keys()) if (end.kind === 'answer') addresses += end.records.length;
  return { outcomes: portions.size, addresses };
}

function resultOf({ whole, portions }: Distribution): LookupResult {
  const sets = new Map<string, AddressSet>();
  const none = new Map<End, bigint>();
  for (const [end, parts] of portions) {
    // Data that do not fit their type are no address, so an answer may have none.
    const addresses = end.kind === 'answer' ? addressesIn(end.records) : [];
    if (addresses.length === 0) none.set(end, parts);
    else put(sets, addresses, parts);
  }
  return { whole, sets, none };
}

function together(a: LookupResult, aaaa: LookupResult): LookupResult {
  const sets = new Map<string, AddressSet>();
  const [noneA, noneAaaa] = [total(a.none), total(aaaa.none)];
  for (const { addresses, parts } of a.sets.values()) {
    if (noneAaaa > 0n) put(sets, addresses, parts * noneAaaa);
    for (const other of aaaa.sets.values()) {
      put(sets, [...addresses, ...other.addresses], parts * other.parts);
    }
  }
  if (noneA > 0n) {
    for (const { addresses, parts } of aaaa.sets.values()) put(sets, addresses, noneA * parts);
  }
  return { whole: a.whole * aaaa.whole, sets, none: withoutAddress(a.none, aaaa.none) };
}

/** Where neither lookup gives an address: the end of the A lookup says why, unless only the other's is a limit. */
function withoutAddress(
  a: ReadonlyMap<End, bigint>,
  aaaa: ReadonlyMap<End, bigint>,
): ReadonlyMap<End, bigint> {
  const known = new Map([...a].filter(([end]) => !isUnknown(end)));
  const unknown = new Map([...aaaa].filter(([end]) => isUnknown(end)));
  const [all, knownA, unknownAaaa] = [total(aaaa), total(known), total(unknown)];
  const none = new Map<End, bigint>();
  for (const [end, parts] of a) {
    const others = known.has(end) ? all - unknownAaaa : all;
    if (others > 0n) none.set(end, parts * others);
  }
  // A lookup that both need can end in a limit: then both have the same end.
  if (knownA > 0n) for (const [end, parts] of unknown) none.set(end, (none.get(end) ?? 0n) + parts * knownA);
  return none;
}

function put(sets: Map<string, AddressSet>, addresses: readonly string[], parts: bigint): void {
  const key = addresses.join(' ');
  const known = sets.get(key);
  sets.set(key, { addresses, parts: known === undefined ? parts : known.parts + parts });
}

function total(parts: ReadonlyMap<End, bigint>): bigint {
  let sum = 0n;
  for (const part of parts.values()) sum += part;
  return sum;
}
