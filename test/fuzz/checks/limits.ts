import { isGloballyReachable } from '../../../src/dns/special-purpose.ts';
import type { TraversalResult } from '../../../src/document/result.ts';
import { causeOf, isUnknown } from '../../../src/evaluate/end.ts';
import { queryKey } from '../../../src/exchange/query.ts';
import { budgetOf } from '../../../src/explore/budget.ts';
import type { Wire } from '../arbitraries/hostile-internet.ts';
import { must } from '../subject.ts';

/** Nothing is asked twice, nobody who is not to be, and no more than the limits allow. */
export function keepLimits({ asked, sent }: Wire, result: TraversalResult): void {
  const { options, stats } = result;
  must(new Set(asked.map(queryKey)).size === asked.length, 'asked something twice');
  must(asked.length <= 2 * options.maxQueries, `asked ${asked.length}, ${options.maxQueries} count`);
  const counted = asked.length - stats.unused;
  must(counted <= options.maxQueries, `${counted} of ${options.maxQueries} count`);
  must(stats.exchanges <= asked.length, `has ${stats.exchanges} of ${asked.length} exchanges`);
  must(sent() <= (options.maxPackets ?? Number.POSITIVE_INFINITY), `sent ${sent()} packets`);
  const { maxOctets = 0 } = budgetOf(options);
  const heard = result.exchanges.map(({ traffic }) => traffic.bytesReceived);
  const before = heard.slice(0, -1).reduce((total, octets) => total + octets, 0);
  must(before <= maxOctets, `heard ${before} octets`);
  for (const { address } of asked) {
    must(options.families.includes(address.includes(':') ? 6 : 4), `asked ${address}`);
    must(options.specialTargets === 'allowed' || isGloballyReachable(address), `asked ${address}`);
  }
  tellUnknown(result);
}

/** A result says that it is complete where, and only where, nothing is unknown. */
function tellUnknown({ complete, ending, outcomes, resolver, warm }: TraversalResult): void {
  const own = warm === undefined ? [] : [...warm.outcomes, ...warm.resolver.outcomes];
  const unknown = [...outcomes, ...resolver.outcomes, ...own].filter((end) => isUnknown(causeOf(end)));
  must(complete === (unknown.length === 0 && ending !== 'cancelled'), `complete: ${complete}`);
  must(
    outcomes.every(({ kind }) => kind !== 'pending'),
    'an end is pending',
  );
}
