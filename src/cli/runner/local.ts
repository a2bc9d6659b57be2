/* Runs traversals on this host, alone or for several names. */

import { systemClock } from '../../base/clock.ts';
import type { Question } from '../../dns/message.ts';
import { withoutFinalDot } from '../../dns/name.ts';
import type { Saved } from '../../document/read-result.ts';
import type { TraversalResult } from '../../document/result.ts';
import { ok, type RunAnswer } from '../../document/run-answer.ts';
import { plain } from '../../document/words/names.ts';
import { probing, type SpecialExchange } from '../../exchange/exchange.ts';
import type { Consulted, Exchange, Probing, Resolver } from '../../exchange/exchanged.ts';
import { unusedPlan } from '../../explore/planned-delegations.ts';
import type { IfAgreed } from '../../explore/repeats.ts';
import { readyList } from '../../findings/server-list.ts';
import { fingerprint } from '../../traversal/fingerprint.ts';
import { completeEvent, replaying } from '../../traversal/replay.ts';
import { serversMet } from '../../traversal/servers-met.ts';
import { survey } from '../../traversal/survey.ts';
import { type Plan, recordTraversal } from '../../traversal/traverse.ts';
import type { NamedResolver, ResolverFlags } from '../flags/names.ts';
import type { TraversalFlags } from '../flags/traversal-flags.ts';
import type { WhatIfFlags } from '../flags/what-if-flags.ts';
import { notDone, reason, usageError } from '../process/errors.ts';
import type { Io } from '../process/io.ts';
import { type Network, openNetworkForOne } from './network.ts';
import { planOf } from './plan-files.ts';
import type { Evaluating, Runner, RunObserver } from './runner.ts';

/** A runner on this host. Throws a `CommandError` if there is no network. */
export async function openLocalRunner(
  flags: TraversalFlags & ResolverFlags & WhatIfFlags,
  io: Io,
  evaluate?: Evaluating,
): Promise<Runner> {
  const plan = await planOf(flags, io);
  const particulars = { ...(evaluate && { evaluate }), ...(plan && { plan }) };
  if (flags.resolvers === undefined) return runnerAlone(await openNetworkForOne(flags, io), particulars);
  const resolvers = await resolversOf(flags.resolvers, io);
  const network = await openNetworkForOne(flags, io);
  return runnerAlone(network, {
    ...particulars,
    consult: (question, signal) => consult(resolvers, question, network.exchangeAt, signal),
  });
}

/** A runner that has a network to itself, and tells of every try. */
export function runnerAlone(network: Network, particulars?: Particulars): Runner {
  const exchangeFor = ({ tell }: RunObserver) =>
    tell === undefined
      ? network.exchange
      : network.exchangeWith({
          ...network.options,
          onTry: ({ address, question }, number) => tell({ event: 'try', address, question, number }),
        });
  return runnerOn(network, exchangeFor, probing(network.exchange), particulars);
}

/** Asks resolvers the same question. */
type Consult = (question: Question, signal: AbortSignal) => Promise<readonly Consulted[]>;

/** What not every run does. */
interface Particulars {
  readonly consult?: Consult;
  /** Absent: as recorded. */
  readonly evaluate?: Evaluating;
  /** What is planned. */
  readonly plan?: Plan;
  /** Whether a question on which all servers agree is asked again; absent: it is. */
  readonly ifAgreed?: IfAgreed;
}

/** A runner on a network; closing it closes the network. */
export function runnerOn(
  network: Network,
  exchangeFor: (observer: RunObserver) => Exchange,
  probing: Probing,
  { consult, evaluate = replaying, plan, ifAgreed }: Particulars = {},
): Runner {
  const { options, hints, close } = network;
  const run = async (question: Question, observer: RunObserver): Promise<RunAnswer<TraversalResult>> => {
    const { tell, signal } = observer;
    const around = {
      exchange: exchangeFor(observer),
      probing,
      ...(tell && { emit: tell }),
      signal,
    };
    const [saved, consulted] = await Promise.all([
      recordTraversal(
        { question, options, hints, ...(plan && { plan }), ...(ifAgreed && { ifAgreed }) },
        around,
      ),
      consult?.(question, signal),
    ]);
    observer.heardAll?.();
    checkPlans(saved);
    const heard = consulted === undefined ? saved : { ...saved, consulted };
    const result = evaluate(heard);
    tell?.(completeEvent(result));
    return ok(result);
  };
  return {
    traverse: run,
    identify: async (question, observer) => {
      const answer = await run(question, observer);
      if (answer.kind === 'failed') return answer;
      return ok(await identifyServers(answer.value, network, observer));
    },
    close,
  };
}

/** Throws a `CommandError` if something that is planned changes nothing. What was cut short does not tell. */
function checkPlans({ recording, circumstances }: Saved): void {
  const planned = circumstances.ending === 'whole' ? unusedPlan(recording) : undefined;
  if (planned === undefined) return;
  const { name } = recording.scope.question;
  throw usageError(
    `nothing that is looked up on the way is in ${plain(planned.zone)}: ${planned.option} takes a zone that is or encloses ${plain(name)}, or a name that it depends on`,
  );
}

/**
 * The resolvers that the command line names, each address once. Throws a `CommandError` for a name that this
 * host finds no address for.
 */
async function resolversOf(
  resolvers: readonly NamedResolver[],
  io: Pick<Io, 'addressesOf'>,
): Promise<readonly Resolver[]> {
  const all = (await Promise.all(resolvers.map((named) => addressesOf(named, io)))).flat();
  return [...new Map(all.map((one) => [`${one.address}#${one.port}`, one])).values()];
}

async function addressesOf(named: NamedResolver, io: Pick<Io, 'addressesOf'>): Promise<readonly Resolver[]> {
  if ('address' in named) return [named];
  const { name, port } = named;
  try {
    const addresses = await io.addressesOf(withoutFinalDot(name));
    return addresses.map((address) => ({ address, port, name }));
  } catch (error) {
    throw notDone(`@${plain(name)}: this host finds no address for it: ${reason(error)}`);
  }
}

/** Puts the question to all resolvers at once, as users do (RD). Those that have not replied when it is aborted are left out. */
async function consult(
  resolvers: readonly Resolver[],
  question: Question,
  exchangeAt: (port: number) => SpecialExchange,
  signal: AbortSignal,
): Promise<readonly Consulted[]> {
  const ask = async (resolver: Resolver): Promise<readonly Consulted[]> => {
    try {
      const query = { address: resolver.address, question, flags: ['rd'] } as const;
      return [{ ...(await exchangeAt(resolver.port)(query, signal)), resolver }];
    } catch (error) {
      if (signal.aborted) return [];
      throw error;
    }
  };
  return (await Promise.all(resolvers.map(ask))).flat();
}

/** Asks the servers that a traversal met who they are, until it is stopped. */
async function identifyServers(
  result: TraversalResult,
  { options, exchangeWith }: Network,
  { tell, signal }: RunObserver,
): Promise<void> {
  if (signal.aborted) return;
  // Some servers know their CHAOS names only in lower case.
  const exchange = exchangeWith({ ...options, nameCase: 'lower' });
  try {
    const servers = await survey(serversMet(result), {
      fingerprint: (server, stop) => fingerprint(server, exchange, stop),
      clock: systemClock,
      signal,
      tell: (server) => tell?.({ event: 'identified', server }),
    });
    tell?.({ event: 'servers', ...readyList(servers) });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
