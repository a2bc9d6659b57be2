import type { TraversalResult } from '../../src/document/result.ts';
import { createExchange } from '../../src/exchange/ask.ts';
import { createFairClock } from '../../src/exchange/fair-clock.ts';
import { parseRootHints } from '../../src/explore/roots.ts';
import type { Lab } from '../../src/lab/lab.ts';
import { DEFAULT_OPTIONS, type TraversalOptions } from '../../src/options.ts';
import { traverse } from '../../src/traverse.ts';
import { parseName } from '../../src/wire/name.ts';

/** One patient try: on a busy machine a late reply must not count as lost. */
const TRIES = { timeoutMs: 1_500, retries: 0 } as const;

/** Traverses a name in a lab over both families, without events. */
export function traverseDemo(
  lab: Lab,
  name: string,
  type: string,
  others: Partial<TraversalOptions> = {},
): Promise<TraversalResult> {
  return traverse(
    {
      question: { name: parseName(name), type },
      options: { ...DEFAULT_OPTIONS, ...TRIES, specialTargets: 'allowed', ...others },
      hints: parseRootHints(lab.hints),
    },
    {
      exchange: createExchange({
        ...TRIES,
        clock: createFairClock(),
        route: lab.route,
        dnssec: others.dnssec,
      }),
      emit: () => undefined,
      signal: new AbortController().signal,
    },
  );
}
