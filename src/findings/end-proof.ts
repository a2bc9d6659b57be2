import type { End } from '../evaluate/end.ts';
import type { Exchanged } from '../explore/recording.ts';
import { type Evidence, panelKey } from './evidence.ts';
import { causeOf, exchangedAt } from './reached.ts';

/**
 * The exchanges that show an end: the one in which its path stops, or its cause does; of a resolver
 * that found no usable server, all that were put to the zone's servers. Where none was put to them,
 * the referrals that name servers without an address.
 */
export function endProof(evidence: Evidence, end: End): readonly Exchanged[] {
  const leaf = causeOf(end);
  const { zone, question } = leaf;
  if (leaf.server !== null) {
    const exchanged = exchangedAt(evidence, leaf);
    return exchanged === undefined ? [] : [exchanged];
  }
  const panel = leaf.kind === 'servfail' ? evidence.panels.get(panelKey({ zone, question })) : undefined;
  return (panel?.heard ?? evidence.referrals.get(zone) ?? []).map(({ exchanged }) => exchanged);
}
