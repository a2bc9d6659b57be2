import { plain } from '../reading/names.ts';
import { isAtOrBelow, isBelow, labelCount, type Name } from '../wire/name.ts';
import { hasFlag, isFinal } from './authority.ts';
import type { Check, Draft } from './draft.ts';
import type { Heard } from './evidence.ts';
import { delegatedNames } from './names-of-servers.ts';
import { soasOf } from './soa.ts';

/**
 * NS_DOMAIN_UNREGISTERED: the registry above a name server says, with authority and out of its own
 * zone, that there is nothing at that name: the domain that it is in has no delegation, so whoever
 * gets it answers for the zone. Within an ordinary zone NXDOMAIN is a typing error, not an offer; and
 * where another server knows the name, or more of the way to it, nothing is proven.
 */
export const unregistered: Check = (evidence) =>
  delegatedNames(evidence).flatMap(({ zone, name, heard }): Draft[] => {
    const denials = heard.filter((one) => registryDenying(one) !== undefined);
    const [first] = denials;
    const registry = first && registryDenying(first);
    if (registry === undefined || heard.some((one) => contradicts(one, registry))) return [];
    const message = `The domain of ${plain(name)}, a server of ${plain(zone)}, is not in the registry ${plain(registry)} (never registered, expired or suspended): remove that server from the delegation at once, since whoever can register its domain takes over ${plain(zone)}.`;
    return [{ zone, server: { name }, message, proof: denials.map(({ exchanged }) => exchanged) }];
  });

/** The registry whose zone a denial comes out of, which its SOA says: a server may have several. */
function registryDenying(heard: Heard): Name | undefined {
  if (heard.response.kind !== 'nxdomain' || !hasFlag(heard, 'aa')) return undefined;
  const { name } = heard.exchanged.question;
  return soasOf(heard)
    .map((soa) => soa.name)
    .find((owner) => isRegistry(owner) && isBelow(name, owner));
}

/**
 * Whether the public registers directly below the zone: a top-level domain, or one like co.uk. There
 * is no way to tell from the DNS alone, so this takes few and sure ones.
 */
function isRegistry(zone: Name): boolean {
  return (labelCount(zone) === 1 && zone !== 'arpa.') || SECOND_LEVEL.test(zone);
}

const SECOND_LEVEL = /^(?:ac|co|com|edu|go|gob|gov|mil|ne|net|or|org)\.[a-z]{2}\.$/;

function contradicts(heard: Heard, registry: Name): boolean {
  const { response } = heard;
  if (response.kind === 'referral') return !isAtOrBelow(registry, response.delegation.zone);
  return isFinal(heard) && registryDenying(heard) !== registry;
}
