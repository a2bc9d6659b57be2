import { ok } from '../../client/failure.ts';
import type { Exchange } from '../../exchanged.ts';
import { traverse } from '../../traverse.ts';
import type { Question } from '../../wire/question.ts';
import type { TraversalFlags } from '../flags/traversal-flags.ts';
import type { Io } from '../process/io.ts';
import { type Network, openNetwork } from './network.ts';
import type { RunObserver } from './observer.ts';
import type { Runner } from './runner.ts';

/** A runner on this host. Throws a `CommandError` if there is no network. */
export async function openLocalRunner(flags: TraversalFlags, io: Io): Promise<Runner> {
  const network = await openNetwork(flags, io);
  return runnerOn(network, ({ tell }) =>
    network.exchangeWith({
      ...network.options,
      onTry: ({ address, question }, number) => tell({ event: 'try', address, question, number }),
    }),
  );
}

/** Replies kept for other names: a few dozen megabytes. */
const MOST_KEPT = 20_000;

/** The same for many names, which share exchanges where that is sound. */
export async function openSharingRunner(flags: TraversalFlags, io: Io): Promise<Runner> {
  const network = await openNetwork(flags, io);
  const { shareExchanges } = await import('../../exchange/shared.ts');
  const { maxTimeMs } = network.options;
  const shared = shareExchanges(network.exchange, { maxAgeMs: maxTimeMs, maxKept: MOST_KEPT });
  return runnerOn(network, () => shared);
}

function runnerOn(network: Network, exchangeFor: (observer: RunObserver) => Exchange): Runner {
  const { options, hints, close } = network;
  const run = (question: Question, observer: RunObserver) => {
    const { tell, signal } = observer;
    return traverse({ question, options, hints }, { exchange: exchangeFor(observer), emit: tell, signal });
  };
  return {
    traverse: async (question, observer) => ok(await run(question, observer)),
    identify: async (question, observer) => {
      const result = await run(question, observer);
      const { identifyServers } = await import('./identify-servers.ts');
      return ok(await identifyServers(result, network, observer));
    },
    close,
  };
}
