/* Finds planned zones whose name servers have other addresses than their glue at the parent. */

import { glueFaults, glueIn } from '../authority/glue-faults.ts';
import { isBelow } from '../dns/name.ts';
import type { Plan } from './traverse.ts';

/** Adds to planned zones the faults of their glue at planned parents and delegations. */
export function withGlueFaults(zones: Plan['zones'], delegations: Plan['delegations'] = []): Plan['zones'] {
  return zones.map((planned) => {
    const { zone, contents, faults } = planned;
    const delegation = delegations.find((one) => one.zone === zone);
    const [glue] =
      delegation === undefined
        ? zones.flatMap((parent) => (isBelow(zone, parent.zone) ? (glueIn(parent.contents, zone) ?? []) : []))
        : [new Map(delegation.nameservers.map((server) => [server.name, server.glue]))];
    const found = glue === undefined ? [] : glueFaults(contents, glue);
    return found.length === 0 ? planned : { ...planned, faults: [...faults, ...found] };
  });
}
