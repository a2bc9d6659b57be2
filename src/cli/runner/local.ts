import { type ApiAnswer, ok } from '../../client/failure.ts';
import type { TraversalResult } from '../../document/result.ts';
import { probing } from '../../exchange/probe.ts';
import type { Exchange, Probing } from '../../exchanged.ts';
import { completeEvent, replaying } from '../../replay.ts';
import { recordTraversal } from '../../traverse.ts';
import type { Question } from '../../wire/question.ts';
import type { TraversalFlags } from '../flags/traversal-flags.ts';
import type { Io } from '../process/io.ts';
import { runUnlessStopped } from './hurry.ts';
import { type Network, openNetworkForOne } from './network.ts';
import type { RunObserver } from './observer.ts';
import type { Runner } from './runner.ts';

/** A runner on this host. Throws a `CommandError` if there is no network. */
export async function openLocalRunner(flags: TraversalFlags, io: Io): Promise<Runner> {
  return runnerAlone(await openNetworkForOne(flags, io));
}

/** A runner that has a network to itself, and tells of every try. */
export function runnerAlone(network: Network): Runner {
  const exchangeFor = ({ tell }: RunObserver) =>
    network.exchangeWith({
      ...network.options,
      onTry: ({ address, question }, number) => tell({ event: 'try', address, question, number }),
    });
  return runnerOn(network, exchangeFor, probing(network.exchange));
}

/** A runner on a network; closing it closes the network. */
export function runnerOn(
  network: Network,
  exchangeFor: (observer: RunObserver) => Exchange,
  probing: Probing,
): Runner {
  const { options, hints, close } = network;
  const run = async (question: Question, observer: RunObserver): Promise<ApiAnswer<TraversalResult>> => {
    const { tell, isWatched = () => false, signal } = observer;
    const around = { exchange: exchangeFor(observer), probing, emit: tell, isWatched, signal };
    const saved = await recordTraversal({ question, options, hints }, around);
    observer.heardAll?.();
    const answer = await runUnlessStopped(replaying(saved), signal);
    if (answer.kind === 'ok') tell(completeEvent(answer.value));
    return answer;
  };
  return {
    traverse: run,
    identify: async (question, observer) => {
      const answer = await run(question, observer);
      if (answer.kind === 'failed') return answer;
      const { identifyServers } = await import('./identify-servers.ts');
      return ok(await identifyServers(answer.value, network, observer));
    },
    close,
  };
}
