import type { TraversalResult } from '../../document/result.ts';
import { warmthOf } from '../../reading/cold-and-warm.ts';
import { summaryLine } from '../../reading/summary-line.ts';
import type { Name } from '../../wire/name.ts';
import type { Action, Advice } from './advice.ts';
import { sameServersAction } from './difference.ts';
import type { Scene } from './known.ts';
import { ownerOf } from './people.ts';

/** What users get, and what to do, where that changes once their resolver has learnt the zones' own name servers. */
export function explainOnceWarm(result: TraversalResult, context: Scene): Advice | undefined {
  const { warm, resolver, findings } = result;
  if (warm === undefined || warmthOf(result).kind !== 'differs') return undefined;
  const before = summaryLine(resolver.summary, 'terse');
  const after = summaryLine(warm.resolver.summary, 'terse');
  const zones = findings.flatMap(({ code, zone }) => (code === 'WARM_DIFFERS' && zone ? [zone] : []));
  return {
    means:
      before === after
        ? `Once a resolver has learnt the zones' own name servers, its lookups still end in ${after}, but first attempts end differently.`
        : `While a resolver knows only the parents' delegations, its users get ${before}. Once it has learnt the zones' own name servers, they get ${after}. Resolvers learn them at different times, so at any time some users get the one and some the other.`,
    actions: [...new Set(zones)].flatMap((zone) => actionsAt(zone, context)),
  };
}

function actionsAt(zone: Name, context: Scene): readonly Action[] {
  const search = { who: ownerOf(zone), what: 'find out which servers have the right data' };
  return [search, sameServersAction(zone, context)];
}
