import type { SpecialExchange } from '../../exchange/ask.ts';
import type { Delegation } from '../../explore/delegation.ts';
import { fingerprint } from '../../fingerprint/fingerprint.ts';
import type { TraversalOptions } from '../../options.ts';
import { recordTraversal } from '../../traverse.ts';
import { boundedExchange, HeardTooMuch, mostHeardBytes } from './bounded-exchange.ts';
import type { Engine } from './engine.ts';
import type { Evaluator } from './evaluation-threads.ts';

/** What all jobs of a service ask: the internet, or the demo. */
interface Network {
  readonly hints: Delegation;
  /** An exchange with these options. All share one pacer, so that their sum is polite. */
  readonly exchangeWith: (options: TraversalOptions) => SpecialExchange;
  /** The options of the service: fingerprinting uses them as they are, a request may lower them. */
  readonly options: TraversalOptions;
  /** Evaluates what was recorded, off this thread, which only waits for name servers. */
  readonly evaluator: Evaluator;
}

/** The engine that asks name servers. */
export function createEngine({ hints, exchangeWith, options, evaluator }: Network): Engine {
  // Some servers recognise their CHAOS names by the exact octets.
  const ask = exchangeWith({ ...options, nameCase: 'lower' });
  return {
    traverse: async (request, around) => {
      const exchange = boundedExchange(exchangeWith(request.options), mostHeardBytes(options));
      try {
        return await evaluator.evaluate(
          await recordTraversal({ ...request, hints }, { exchange, ...around }),
        );
      } catch (error) {
        if (!(error instanceof HeardTooMuch)) throw error;
        return { kind: 'failed', error: { title: 'Too much data', detail: error.message } };
      }
    },
    fingerprint: (met, signal) => fingerprint(met, ask, signal),
  };
}
