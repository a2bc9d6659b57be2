/* What is planned beside delegations: zone files, and the DS records that parents are going to publish. */

import type { ZoneFault } from '../authority/zone-fault.ts';
import { insecureTrust, type Trust, trustFrom } from '../dns/dnssec/trust.ts';
import type { Name } from '../dns/name.ts';

/** A zone file that planned servers reply from: svc-model(7), ZONE FILES. */
export interface ZoneFile {
  readonly zone: Name;
  /** As it was named: a path, or "stdin". */
  readonly file: string;
  readonly faults: readonly ZoneFault[];
}

/** The DS records that a zone is going to have. */
export interface PlannedDs {
  readonly zone: Name;
  /** Their data in presentation format; none: the zone is going to be insecure. */
  readonly ds: readonly string[];
}

const trusts = new WeakMap<PlannedDs, Trust>();

/** The trust in a zone that its planned DS records give; undefined where none are planned. */
export function plannedTrust(zone: Name, plannedDs: readonly PlannedDs[] = []): Trust | undefined {
  const planned = plannedDs.find((one) => one.zone === zone);
  if (planned === undefined) return undefined;
  const known = trusts.get(planned) ?? trustOf(planned);
  trusts.set(planned, known);
  return known;
}

function trustOf({ zone, ds }: PlannedDs): Trust {
  if (ds.length === 0) return insecureTrust({ reason: 'no-ds', zone });
  return trustFrom(
    ds.map((data) => ({ type: 'DS', data })),
    zone,
  );
}
