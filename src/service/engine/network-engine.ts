import type { SpecialExchange } from '../../exchange/ask.ts';
import type { Delegation } from '../../explore/delegation.ts';
import { fingerprint } from '../../fingerprint/fingerprint.ts';
import type { TraversalOptions } from '../../options.ts';
import { recordTraversal } from '../../traverse.ts';
import { boundedExchange, mostHeardBytes } from './bounded-exchange.ts';
import type { Engine } from './engine.ts';
import type { Evaluator } from './evaluation-threads.ts';

/** Where all jobs of a service ask: the internet, or the demo. */
export interface Network {
  readonly hints: Delegation;
  /** An exchange with these options. All share one pacer, so that their sum is polite. */
  readonly exchangeWith: (options: TraversalOptions) => SpecialExchange;
}

/**
 * The engine on a network. `options` are those of fingerprinting, which no request changes. Only what
 * waits for name servers is done here: a recording is evaluated by `evaluator`.
 */
export function createEngine(
  { hints, exchangeWith }: Network,
  options: TraversalOptions,
  { evaluate }: Evaluator,
): Engine {
  // Some servers know their CHAOS names by the exact octets.
  const ask = exchangeWith({ ...options, nameCase: 'lower' });
  return {
    traverse: async (request, running) => {
      const exchange = boundedExchange(exchangeWith(request.options), mostHeardBytes(options));
      return evaluate(await recordTraversal({ ...request, hints }, { exchange, ...running }));
    },
    fingerprint: (met, signal) => fingerprint(met, ask, signal),
  };
}
