import { sum } from '../../evaluate/fraction.ts';
import { byFamily } from '../by-family.ts';
import { grouped } from '../grouped.ts';
import type { PickView } from './pick-views.ts';

/** The picks of a view by server and address, each once: a view can have several steps with the same pick. */
export function picksInOrder(picks: readonly PickView[]): readonly PickView[] {
  const servers = grouped(picks, ({ name }) => name).map((own) =>
    [...own].sort((a, b) => byAddress(a.address, b.address)),
  );
  const alike = grouped(servers.flat(), ({ name, address, account }) =>
    [name, address, account.words].join('\n'),
  );
  return alike.map((same) => ({
    ...same[0],
    probability: () => sum(same.map(({ probability }) => probability())),
  }));
}

function byAddress(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return byFamily(a, b);
}
