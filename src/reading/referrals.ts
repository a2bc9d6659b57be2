import type { StepRow } from '../document/steps.ts';
import type { Name } from '../wire/name.ts';
import { grouped } from './grouped.ts';
import type { ResultIndex } from './result-index.ts';

/** A name server that delegates, the step at which it was asked and the step that its referral leads to. */
interface ReferralView {
  readonly nameserver: Name;
  readonly from: StepRow;
  readonly to: StepRow;
}

/** The referrals that lead from one of these steps to the next. */
export function referralsFrom(steps: Iterable<StepRow>, index: ResultIndex): readonly ReferralView[] {
  return [...steps].flatMap((from) =>
    from.nameservers.flatMap(({ name, addresses }) =>
      addresses.flatMap((row): readonly ReferralView[] => {
        const next = index.next(row.leadsTo);
        const isReferral = row.class === 'referral' && next.kind === 'step';
        return isReferral ? [{ nameserver: name, from, to: next.step }] : [];
      }),
    ),
  );
}

/** The zones that delegate each zone. */
export function parentZones(index: ResultIndex): ReadonlyMap<Name, readonly Name[]> {
  const byChild = grouped(referralsFrom(index.steps, index), ({ to }) => to.zone);
  return new Map(byChild.map((own) => [own[0].to.zone, [...new Set(own.map(({ from }) => from.zone))]]));
}
