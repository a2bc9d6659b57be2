import type { End } from '../evaluate/end.ts';
import { listed } from '../reading/listed.ts';
import { plain } from '../reading/names.ts';
import type { Name } from '../wire/name.ts';
import type { Check, Draft } from './draft.ts';
import { endProof } from './end-proof.ts';
import type { Evidence } from './evidence.ts';
import { delegatedNames } from './names-of-servers.ts';
import { causeOf, isUnproven } from './reached.ts';
import { overFamilies } from './words.ts';

/**
 * NS_UNRESOLVABLE: no path comes to an address of a name server. Rings of lookups and missing glue
 * have codes of their own; and who asks for one family only has not proven that the other is empty too.
 */
export const unresolvable: Check = (evidence) =>
  evidence.resolutions.flatMap(({ zone, name, addresses, failed }): Draft[] => {
    if (addresses.size > 0 || failed.length === 0) return [];
    const leaves = failed.map(causeOf);
    if (!leaves.every((leaf) => isProof(evidence, leaf))) return [];
    const message = `${plain(name)}, a server of ${plain(zone)}, ${reason(evidence, name, leaves)}: correct the name in the delegation, or see that it gets an address.`;
    return [{ zone, server: { name }, message, proof: failed.flatMap((end) => endProof(evidence, end)) }];
  });

function isProof(evidence: Evidence, leaf: End): boolean {
  if (leaf.kind === 'loop' || leaf.kind === 'no-glue' || isUnproven(evidence, leaf)) return false;
  return leaf.kind !== 'nodata' || evidence.plan.families.length > 1;
}

function reason({ plan }: Evidence, name: Name, leaves: readonly End[]): string {
  const isAll = (kind: End['kind']) =>
    leaves.every((leaf) => leaf.kind === kind && leaf.question.name === name);
  if (isAll('nxdomain')) return 'does not exist';
  if (isAll('nodata')) return 'has no address';
  const seen = new Set(leaves.map(({ kind, question }) => `${kind} for ${plain(question.name)}`));
  return `cannot be looked up${overFamilies(plan)} (${listed([...seen])})`;
}

/** NS_IS_ALIAS: the name of a server is an alias, which many resolvers do not follow. */
export const serverIsAlias: Check = (evidence) =>
  delegatedNames(evidence).flatMap(({ zone, name, heard }): Draft[] => {
    const aliasing = heard.filter(
      ({ response }) =>
        response.kind === 'alias' || (response.kind === 'answer' && response.aliases.length > 0),
    );
    if (aliasing.length === 0) return [];
    const message = `${plain(name)}, a server of ${plain(zone)}, is an alias: name the host itself in the delegation.`;
    return [{ zone, server: { name }, message, proof: aliasing.map(({ exchanged }) => exchanged) }];
  });
