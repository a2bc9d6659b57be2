/* Tells which planned zones somebody delegates, today or with the plan. */

import { rrset } from '../../authority/zone.ts';
import type { Name } from '../../dns/name.ts';
import type { TraversalResult } from '../../document/result.ts';
import { enclosing } from '../../explore/delegation.ts';
import type { PlannedName } from '../../report/views/plan-report.ts';
import type { Plan } from '../../traversal/traverse.ts';

/** The planned zones that nobody delegates, although the servers above deny their names. */
export function undelegatedZones(
  plan: Plan,
  names: readonly PlannedName[],
  reached: ReadonlySet<Name>,
): readonly Name[] {
  return zonesOf(plan).filter((zone) => {
    const within = names.filter(({ query: { name, type } }) => enclosing(type)(name, zone));
    // Servers that have the zone above as well reply for a zone without a referral to it.
    return !reached.has(zone) && within.some(({ planned: { summary } }) => isDenied(summary));
  });
}

/** The zones of a plan, each once. */
export function zonesOf({ zones, delegations, ds }: Plan): readonly Name[] {
  return [...new Set([...zones, ...delegations, ...ds].map(({ zone }) => zone))];
}

function isDenied(summary: PlannedName['planned']['summary']): boolean {
  return summary.length > 0 && summary.every(({ kind }) => kind === 'nxdomain' || kind === 'nodata');
}

/**
 * Adds the zones that paths came to; those that name themselves in a SOA record, as servers of a zone and its parent do without a
 * referral; those planned at the servers that replied. A denial without a SOA record can come from any of the zones.
 */
export function noteReached({ zones, exchanges }: TraversalResult, plan: Plan, reached: Set<Name>): void {
  for (const { zone } of zones) reached.add(zone);
  for (const { question, server, planned, rcode, answer = [], authority = [] } of exchanges) {
    const isEmpty = answer.length + authority.length === 0;
    const named = [...answer, ...authority].filter(({ type }) => type === 'SOA');
    for (const { name } of named) reached.add(name);
    const isBareDenial = rcode === 'NXDOMAIN' ? named.length === 0 : rcode === 'NOERROR' && isEmpty;
    if (isBareDenial)
      for (const zone of zonesOf(plan)) if (enclosing(question.type)(question.name, zone)) reached.add(zone);
    if (planned !== true) continue;
    const file = plan.zones
      .filter(({ zone }) => enclosing(question.type)(question.name, zone))
      .filter(({ contents, zone }) =>
        rrset(contents, zone, 'NS').some(({ target }) => server.names.some((name) => name === target)),
      );
    for (const { zone } of file) reached.add(zone);
  }
}
