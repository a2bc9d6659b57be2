/* Joins the ends of the A and the AAAA lookup into sets of addresses, with their parts of the whole. */

import { getOrMake } from '../../base/memo.ts';
import { addressesIn } from '../../explore/addresses.ts';
import { type Distribution, include } from '../distribution.ts';
import { causeOf, type End, isUnknown } from '../end.ts';
import { type Fraction, ONE } from '../fraction.ts';
import type { StepServer, Walk } from '../step.ts';
import type { Selection } from '../world.ts';

/**
 * The address sets that independent lookups come to, and why others give none: svc-model(7), WALKING A
 * STEP 2.4. `lookups` are the distributions of the A lookup, the AAAA lookup, or both in this order.
 */
export function lookupResult(lookups: readonly Distribution[], selection: Selection): LookupResult {
  const result = lookups.map((one) => resultOf(one, selection)).reduce(together);
  if (selection.ofAll === undefined) return result;
  const sets = new Map<string, AddressSet>();
  for (const { addresses, parts } of result.sets.values()) put(sets, selection.ofAll(addresses), parts);
  return { ...result, sets };
}

/** What lookups give, as parts of one whole. */
export interface LookupResult {
  readonly whole: bigint;
  /** By the addresses, joined. */
  readonly sets: ReadonlyMap<string, AddressSet>;
  /** The limits that lookups themselves ended in. */
  readonly limits: ReadonlyMap<End, bigint>;
  /** What other lookups gave no address because of: their ends, or the causes of these. */
  readonly causes: ReadonlyMap<End, bigint>;
}

interface AddressSet {
  readonly addresses: readonly string[];
  readonly parts: bigint;
}

/**
 * At most how many addresses there are to pick in all outcomes together: an A and an AAAA lookup come to
 * as many pairs as there are outcomes of the one times outcomes of the other.
 */
export function picksAhead(lookups: readonly Distribution[], selection: Selection): number {
  return lookups
    .map((one) => sizeOf(one, selection))
    .reduce((a, b) => ({
      outcomes: a.outcomes * b.outcomes,
      addresses: a.addresses * b.outcomes + b.addresses * a.outcomes,
    })).addresses;
}

function sizeOf(
  distribution: Distribution,
  selection: Selection,
): { readonly outcomes: number; readonly addresses: number } {
  const { sets, limits, causes } = resultOf(distribution, selection);
  const none = limits.size + causes.size;
  let addresses = none;
  for (const set of sets.values()) addresses += set.addresses.length;
  return { outcomes: sets.size + none, addresses };
}

/** Many steps need what one lookup gives. A distribution belongs to one world. */
const known = new WeakMap<Distribution, LookupResult>();

function resultOf(distribution: Distribution, selection: Selection): LookupResult {
  return getOrMake(known, distribution, () => {
    const { whole, portions } = distribution;
    const sets = new Map<string, AddressSet>();
    const limits = new Map<End, bigint>();
    const causes = new Map<End, bigint>();
    for (const [end, parts] of portions) {
      // Data that do not fit their type are no address, so an answer may have none.
      const addresses = end.kind === 'answer' ? selection.ofAnswer(addressesIn(end.records)) : [];
      if (addresses.length > 0) put(sets, addresses, parts);
      else if (isUnknown(end)) limits.set(end, parts);
      else include(causes, causeOf(end), parts);
    }
    return { whole, sets, limits, causes };
  });
}

function together(a: LookupResult, aaaa: LookupResult): LookupResult {
  const sets = new Map<string, AddressSet>();
  const [failedA, failedAaaa, limitedAaaa] = [total(a.causes), total(aaaa.causes), total(aaaa.limits)];
  const [noneA, noneAaaa] = [failedA + total(a.limits), failedAaaa + limitedAaaa];
  for (const { addresses, parts } of a.sets.values()) {
    if (noneAaaa > 0n) put(sets, addresses, parts * noneAaaa);
    for (const other of aaaa.sets.values()) {
      put(sets, [...addresses, ...other.addresses], parts * other.parts);
    }
  }
  if (noneA > 0n) {
    for (const { addresses, parts } of aaaa.sets.values()) put(sets, addresses, noneA * parts);
  }
  // Where neither gives an address, the A lookup says why, unless only the other one ended in a limit.
  const limits = times(a.limits, noneAaaa);
  for (const [end, parts] of times(aaaa.limits, failedA)) include(limits, end, parts);
  return { whole: a.whole * aaaa.whole, sets, limits, causes: times(a.causes, failedAaaa) };
}

function put(sets: Map<string, AddressSet>, addresses: readonly string[], parts: bigint): void {
  const key = addresses.join(' ');
  const known = sets.get(key);
  sets.set(key, { addresses, parts: known === undefined ? parts : known.parts + parts });
}

function times(parts: ReadonlyMap<End, bigint>, factor: bigint): Map<End, bigint> {
  return factor === 0n ? new Map() : new Map([...parts].map(([end, own]) => [end, own * factor]));
}

function total(parts: ReadonlyMap<End, bigint>): bigint {
  let sum = 0n;
  for (const part of parts.values()) sum += part;
  return sum;
}

/** What a server's lookups come to, with its probability: addresses, none of which need be usable, or a limit. */
export type AddressWay = { readonly weight: Fraction } & (
  | { readonly kind: 'addresses'; readonly set: readonly string[] }
  | { readonly kind: 'limited'; readonly end: End }
);

/** All that a server's lookups can come to; the weights sum to 1. */
export function addressWays(
  server: StepServer,
  distributionOf: (walk: Walk) => Distribution,
): readonly AddressWay[] {
  switch (server.kind) {
    case 'glue':
      return [{ kind: 'addresses', set: server.addresses, weight: ONE }];
    case 'not-looked-up':
      return [{ kind: 'addresses', set: [], weight: ONE }];
    case 'lookup': {
      const { whole, sets, limits, causes } = lookupResult(
        server.lookups.map(({ walk }) => distributionOf(walk)),
        server.selection,
      );
      const weigh = (parts: bigint): Fraction => ({ numerator: parts, denominator: whole });
      const none = [...causes.values()].reduce((sum, parts) => sum + parts, 0n);
      return [
        ...[...sets.values()].map(({ addresses, parts }): AddressWay => {
          return { kind: 'addresses', set: addresses, weight: weigh(parts) };
        }),
        ...(none === 0n ? [] : [{ kind: 'addresses', set: [], weight: weigh(none) } as const]),
        ...[...limits].map(([end, parts]): AddressWay => ({ kind: 'limited', end, weight: weigh(parts) })),
      ];
    }
  }
}
