import { isBelow, labelCount, type Name, parentOf } from '../../wire/name.ts';
import { hasFlag } from './authority.ts';
import type { Check, Draft } from './draft.ts';
import type { Heard } from './evidence.ts';
import { delegatedNames } from './names-of-servers.ts';
import { plain } from './words.ts';

/**
 * NS_DOMAIN_UNREGISTERED: the registry above a name server says that the domain it is in does not
 * exist, so anybody can register it and answer for the zone. Only all of the registry's servers that
 * say anything, and with authority, prove it. Within an ordinary zone NXDOMAIN is a typing error, not
 * an offer; and at the root nothing can be registered.
 */
export const unregistered: Check = (evidence) =>
  delegatedNames(evidence).flatMap(({ zone, name, heard }): Draft[] => {
    const domain = registeredDomain(name, heard);
    if (domain === undefined) return [];
    const registry = parentOf(domain);
    const said = heard.filter((one) => one.zone === registry);
    const denials = said.filter(isDenial);
    if (denials.length === 0 || said.some((one) => hasSpoken(one) && !isDenial(one))) return [];
    const message = `The domain ${plain(domain)} of ${plain(name)}, a server of ${plain(zone)}, is not registered: remove the server from the delegation at once, since whoever registers that domain takes over ${plain(zone)}.`;
    return [{ zone, server: { name }, message, proof: denials.map(({ exchanged }) => exchanged) }];
  });

/** The name one label below the registry that was asked for the name, if one was. */
function registeredDomain(name: Name, heard: readonly Heard[]): Name | undefined {
  const registries = heard.map(({ zone }) => zone).filter((zone) => isRegistry(zone) && isBelow(name, zone));
  const deepest = registries.sort((a, b) => labelCount(b) - labelCount(a))[0];
  if (deepest === undefined) return undefined;
  let domain = name;
  for (let up = parentOf(domain); up !== undefined && up !== deepest; up = parentOf(up)) domain = up;
  return domain;
}

/**
 * Whether a zone that paths came through is one under which the public registers: a top-level domain,
 * or one like co.uk. There is no way to tell from the DNS alone, so this takes few and sure ones.
 */
function isRegistry(zone: Name): boolean {
  return labelCount(zone) === 1 || SECOND_LEVEL.test(zone);
}

const SECOND_LEVEL = /^(?:ac|co|com|edu|go|gob|gov|mil|ne|net|or|org)\.[a-z]{2}\.$/;

function isDenial(heard: Heard): boolean {
  return heard.response.kind === 'nxdomain' && hasFlag(heard, 'aa');
}

function hasSpoken({ response }: Heard): boolean {
  return response.kind !== 'timeout' && response.kind !== 'unreachable' && response.kind !== 'malformed';
}
