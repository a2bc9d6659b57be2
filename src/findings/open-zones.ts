import { familyOf } from '../wire/address.ts';
import type { Name } from '../wire/name.ts';
import type { Evidence } from './evidence.ts';
import { isUnproven, isUntried } from './reached.ts';

/** The zones some way into which was not examined. Of them nobody can say that nothing works. */
export function openZones(
  evidence: Pick<Evidence, 'recording' | 'reached' | 'contacts' | 'resolutions'>,
): ReadonlySet<Name> {
  const zones = new Set<Name>();
  for (const { zone, heard } of evidence.contacts) {
    if (heard.length === 0 || heard.some(({ exchanged }) => isUntried(evidence, exchanged))) zones.add(zone);
  }
  for (const { zone, failed } of evidence.resolutions) {
    if (failed.some((end) => isUnproven(evidence, end))) zones.add(zone);
  }
  return zones;
}

/** The zones that have servers in a family which this traversal leaves out, as their glue shows. */
export function zonesOfOtherFamily({ plan, steps }: Evidence): ReadonlySet<Name> {
  const isLeftOut = (address: string) => !plan.families.includes(familyOf(address));
  const other = steps.filter(({ delegation }) =>
    delegation.nameservers.some(({ glue }) => glue.some(isLeftOut)),
  );
  return new Set(other.map(({ delegation }) => delegation.zone));
}
