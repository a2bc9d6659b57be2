import type { Nameserver } from '../explore/delegation.ts';
import { listed } from '../reading/words/listed.ts';
import { plain } from '../reading/words/names.ts';
import { type Family, familyOf } from '../wire/address.ts';
import { isAtOrBelow, type Name } from '../wire/name.ts';
import { byDelegatedName, type Check, type Draft } from './check.ts';
import type { Evidence, Heard } from './evidence.ts';
import { exchangesOf } from './heard.ts';
import { type HostAddresses, hostAddresses } from './host-addresses.ts';

/** GLUE_MISSING: a server's name is inside the zone, so only the referral can give its address, and it does not. */
export const glueMissing = byDelegatedName(
  ({ name, glue }, zone) => glue.length === 0 && isAtOrBelow(name, zone),
  (name, zone) => ({
    problem: `The delegation of ${plain(zone)} gives no address for ${plain(name)}, although that name is inside the zone`,
    advice: 'Add glue for it at the parent',
  }),
);

/** GLUE_MISMATCH: glue for a name inside the zone is wrong. */
export const glueMismatch: Check = (evidence) => mismatches(evidence, 'in-domain');

/** GLUE_FOREIGN_MISMATCH: glue that the referral need not have carried is wrong. */
export const foreignGlueMismatch: Check = (evidence) => mismatches(evidence, 'foreign');

/**
 * The glue must have no address in common with any authoritative answer: then the server has moved,
 * rather than gained or lost an address.
 */
function mismatches(evidence: Evidence, where: 'in-domain' | 'foreign'): readonly Draft[] {
  return comparisons(evidence, where).flatMap(({ zone, name, given, said, heard }): Draft[] => {
    const [address] = given;
    if (address === undefined || said.addresses.length === 0 || given.some((one) => has(said, one)))
      return [];
    const right = listed(said.addresses);
    const problem = `The delegation of ${plain(zone)} gives ${plain(name)} the address ${listed(given)}, but its own zone says ${right}`;
    const advice = `Correct the glue at the parent to ${right}`;
    return [
      { zone, server: { name, address }, problem, advice, proof: [...exchangesOf(heard), ...said.proof] },
    ];
  });
}

/** GLUE_EXTRA: glue has an address that the zone itself does not have, and if it has others of that family, one of them too. */
export const glueExtra: Check = (evidence) =>
  comparisons(evidence, 'in-domain').flatMap(({ zone, name, given, said, heard }): Draft[] => {
    if (!evidence.zones.has(zone)) return [];
    if (said.addresses.length > 0 && !given.some((one) => has(said, one))) return [];
    return given
      .filter((address) => !has(said, address))
      .map((address) => ({
        zone,
        server: { name, address },
        problem: `The delegation of ${plain(zone)} gives ${plain(name)} the address ${address}, which the zone itself does not have`,
        advice: 'Remove it from the glue at the parent, or add it to the zone',
        proof: [...exchangesOf(heard), ...said.proof],
      }));
  });

/** GLUE_MISSING_FAMILY: a server inside the zone has glue, but none of a family of which the zone has addresses. */
export const glueMissingFamily: Check = (evidence) => {
  const given = comparisons(evidence, 'in-domain');
  const covered = new Set(given.filter(({ given }) => given.length > 0).map(comparedKey));
  return given.flatMap((comparison): Draft[] => {
    const { zone, name, family, said, heard } = comparison;
    const isCovered = covered.has(comparedKey(comparison));
    if (isCovered || !evidence.zones.has(zone) || said.addresses.length === 0) return [];
    const problem = `The delegation of ${plain(zone)} gives no IPv${family} address for ${plain(name)}, which has ${listed(said.addresses)}`;
    const advice = 'Add it to the glue at the parent';
    return [{ zone, server: { name }, problem, advice, proof: [...exchangesOf(heard), ...said.proof] }];
  });
};

/** The glue of one name server and family in one delegation, and what the zone of its name says. */
interface Comparison {
  readonly zone: Name;
  readonly name: Name;
  readonly family: Family;
  /** None: the delegation gives addresses of the other family only. */
  readonly given: readonly string[];
  readonly said: HostAddresses;
  readonly heard: readonly Heard[];
}

function comparisons(evidence: Evidence, where: 'in-domain' | 'foreign'): readonly Comparison[] {
  return evidence.referred.flatMap(({ delegation: { zone, nameservers }, heard }) =>
    nameservers
      .filter(({ name, glue }) => glue.length > 0 && isAtOrBelow(name, zone) === (where === 'in-domain'))
      .flatMap((server) =>
        compared(evidence, server).map((one) => ({ ...one, zone, name: server.name, heard })),
      ),
  );
}

function compared(
  evidence: Evidence,
  { name, glue }: Nameserver,
): readonly Pick<Comparison, 'family' | 'given' | 'said'>[] {
  return ([4, 6] as const).flatMap((family) => {
    const said = hostAddresses(evidence, name, family);
    if (said === undefined) return [];
    return [{ family, given: glue.filter((address) => familyOf(address) === family), said }];
  });
}

function comparedKey({ zone, name, family }: Comparison): string {
  return `${zone} ${name} ${family}`;
}

function has({ addresses }: HostAddresses, address: string): boolean {
  return addresses.includes(address);
}
