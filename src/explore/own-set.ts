import type { Exchanged } from '../exchange/exchanged.ts';
import { getOrMake } from '../get-or-make.ts';
import { familyOf } from '../wire/address.ts';
import { isAtOrBelow, type Name } from '../wire/name.ts';
import { targetOf } from '../wire/record.ts';
import { addressIn } from './addresses.ts';
import { type Delegation, delegationOf, type Nameserver } from './delegation.ts';
import { lookupTypes } from './lookup-types.ts';
import { meaningFor } from './meaning-for.ts';

const known = new WeakMap<Exchanged, Map<Delegation, Delegation | undefined>>();

/**
 * The zone's own name servers as a reply to its apex question gives them: a delegation to stand for the
 * parent's (svc-model(7), COLD AND WARM). Undefined if the reply gives none. Kept for as long as the
 * exchange lives, as paths meet it in many places.
 */
export function ownSet(exchanged: Exchanged, delegation: Delegation): Delegation | undefined {
  const sets = getOrMake(known, exchanged, () => new Map<Delegation, Delegation | undefined>());
  if (!sets.has(delegation)) sets.set(delegation, readOwnSet(exchanged, delegation));
  return sets.get(delegation);
}

function readOwnSet(exchanged: Exchanged, delegation: Delegation): Delegation | undefined {
  const { zone } = delegation;
  const meaning = meaningFor(exchanged, zone);
  if (meaning.kind !== 'answer' || meaning.aliases.length > 0) return undefined;
  const names = new Set(meaning.records.map(targetOf).filter((name) => name !== undefined));
  if (names.size === 0) return undefined;
  const beside = addressesBeside(exchanged, names, zone);
  const before = new Map(delegation.nameservers.map((server) => [server.name, server]));
  return delegationOf(
    zone,
    new Map([...names].map((name) => [name, glueOf(beside.get(name), before.get(name))])),
  );
}

/** By name: the addresses beside the answer, of servers about which one of this zone is believed. */
function addressesBeside(
  { outcome }: Exchanged,
  names: ReadonlySet<Name>,
  zone: Name,
): ReadonlyMap<Name, readonly string[]> {
  const addresses = new Map<Name, string[]>();
  if (outcome.kind !== 'reply') return addresses;
  for (const record of outcome.additional) {
    if (!names.has(record.name) || !isAtOrBelow(record.name, zone)) continue;
    const address = addressIn(record);
    if (address !== undefined) getOrMake(addresses, record.name, () => []).push(address);
  }
  return addresses;
}

/** Of each family the addresses given, or those that the delegation had if there are none. */
function glueOf(given: readonly string[] = [], before: Nameserver | undefined): readonly string[] {
  return lookupTypes([4, 6]).flatMap(({ family }) => {
    const own = given.filter((address) => familyOf(address) === family);
    return own.length > 0 ? own : (before?.glue ?? []).filter((address) => familyOf(address) === family);
  });
}
