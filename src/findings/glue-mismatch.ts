import { listed } from '../reading/listed.ts';
import { plain } from '../reading/names.ts';
import { type Family, familyOf } from '../wire/address.ts';
import { isAtOrBelow, type Name } from '../wire/name.ts';
import type { Check, Draft } from './draft.ts';
import type { Evidence, Heard } from './evidence.ts';

/** GLUE_MISMATCH: glue for a name inside the zone is wrong. */
export const glueMismatch: Check = (evidence) => mismatches(evidence, 'in-domain');

/** GLUE_FOREIGN_MISMATCH: so is glue that the referral need not have carried. */
export const foreignGlueMismatch: Check = (evidence) => mismatches(evidence, 'foreign');

/**
 * Only where the traversal happened to ask for the name itself. No address in common with what any
 * server says with authority: a server that has moved, not one that has one address more here or there.
 */
function mismatches(evidence: Evidence, where: 'in-domain' | 'foreign'): readonly Draft[] {
  return evidence.referred.flatMap(({ delegation: { zone, nameservers }, heard }) =>
    nameservers.flatMap(({ name, glue }): Draft[] => {
      if (glue.length === 0 || isAtOrBelow(name, zone) !== (where === 'in-domain')) return [];
      return ([4, 6] as const).flatMap((family) => {
        const given = glue.filter((address) => familyOf(address) === family);
        const said = authoritative(evidence, name, family);
        const right = new Set(said.flatMap(addressesIn));
        const [address] = given;
        if (address === undefined || right.size === 0 || given.some((one) => right.has(one))) return [];
        const message = `The delegation of ${plain(zone)} gives ${plain(name)} the address ${listed(given)}, but its own zone says ${listed([...right])}: correct the glue at the parent.`;
        const proof = [...heard, ...said].map(({ exchanged }) => exchanged);
        return [{ zone, server: { name, address }, message, proof }];
      });
    }),
  );
}

function authoritative({ byName }: Evidence, name: Name, family: Family): readonly Heard[] {
  const type = family === 4 ? 'A' : 'AAAA';
  return (byName.get(name) ?? []).filter(
    ({ exchanged, response }) =>
      exchanged.question.type === type &&
      response.kind === 'answer' &&
      response.authoritative &&
      response.aliases.length === 0,
  );
}

function addressesIn({ response }: Heard): readonly string[] {
  return response.kind === 'answer' ? response.records.map(({ data }) => data) : [];
}
