import type { End } from '../../evaluate/end.ts';
import type { Exchanged } from '../../explore/recording.ts';
import type { Check, Draft } from './draft.ts';
import { endProof } from './end-proof.ts';
import type { Evidence, Resolution } from './evidence.ts';
import { delegatedNames } from './names-of-servers.ts';
import { causeOf, isUnproven } from './reached.ts';
import { listed, plain } from './words.ts';

/**
 * NS_UNRESOLVABLE: no path comes to an address of a name server. Rings of lookups and missing glue
 * have codes of their own; and who asks for one family only has not proven that the other is empty too.
 */
export const unresolvable: Check = (evidence) =>
  evidence.resolutions.flatMap((resolution): Draft[] => {
    const { zone, name, addresses, failed } = resolution;
    if (addresses.size > 0 || failed.length === 0) return [];
    const leaves = failed.map(causeOf);
    if (!leaves.every((leaf) => isProof(evidence, leaf))) return [];
    const message = `${plain(name)}, a server of ${plain(zone)}, ${reason(leaves)}: correct the name in the delegation, or give it an address.`;
    return [{ zone, server: { name }, message, proof: proofOf(evidence, resolution) }];
  });

function isProof(evidence: Evidence, leaf: End): boolean {
  if (leaf.kind === 'loop' || leaf.kind === 'no-glue' || isUnproven(evidence, leaf)) return false;
  return leaf.kind !== 'nodata' || evidence.plan.families.length === 2;
}

function reason(leaves: readonly End[]): string {
  const kinds = new Set(leaves.map(({ kind }) => kind));
  if (kinds.size === 1 && kinds.has('nxdomain')) return 'does not exist';
  if (kinds.has('nodata')) return 'has no address';
  return `cannot be looked up (${listed([...kinds])})`;
}

function proofOf(evidence: Evidence, { failed }: Resolution): readonly Exchanged[] {
  return failed.flatMap((end) => endProof(evidence, end));
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
