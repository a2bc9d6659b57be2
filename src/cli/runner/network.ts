/* Opens the network that is traversed: the internet, or the demo. */

import { createFairClock } from '../../base/clock.ts';
import { LIMITS } from '../../base/limits.ts';
import type { TraversalOptions } from '../../document/options.ts';
import type { Saved } from '../../document/read-result.ts';
import { createExchange, type ExchangeOptions, type SpecialExchange } from '../../exchange/exchange.ts';
import { createPacer, type MainPacer, type Pace } from '../../exchange/pacer.ts';
import type { Delegation } from '../../explore/delegation.ts';
import { BUILT_IN_HINTS, parseRootHints } from '../../explore/root-hints.ts';
import { optionsLike } from '../../traversal/options-in-effect.ts';
import type { AskedNetwork } from '../../traversal/threads/messages.ts';
import {
  namedFamilies,
  optionsFromFlags,
  reachableFamilies,
  type TraversalFlags,
} from '../flags/traversal-flags.ts';
import { allot, quickDescriptors, tooFewDescriptors } from '../process/descriptors.ts';
import type { Io } from '../process/io.ts';
import type { Demo, DemoExtent } from './demo.ts';
import { readRootHints, readTrustAnchors } from './input-files.ts';

/** What is traversed: the internet, or the demo. */
export interface Network {
  readonly options: TraversalOptions;
  readonly hints: Delegation;
  /** The same for other threads. */
  readonly elsewhere: AskedNetwork;
  /** The limits that the pacer keeps. */
  readonly pace: Pace;
  /** What every exchange is paced by. */
  readonly pacer: MainPacer;
  readonly exchange: SpecialExchange;
  /** An exchange with other options. All exchanges of a network share their pacing. */
  readonly exchangeWith: (options: NetworkOptions) => SpecialExchange;
  /** An exchange with resolvers at a port. The demo's own addresses are in the demo. */
  readonly exchangeAt: (port: number) => SpecialExchange;
  readonly close: () => Promise<void>;
}

/** Options of a traversal, and who is told of its tries. */
type NetworkOptions = TraversalOptions & Pick<ExchangeOptions, 'onTry'>;

/** How many queries may be in flight, and how many may be sent in a second, by whatever allowances. */
export type Pacing = Partial<
  Pick<Pace, 'totalInFlight' | 'perTraversalInFlight' | 'rateTotal' | 'allowances'>
>;

/** Prepares the network that the flags name. Throws a `CommandError` if there is none. */
export function openNetwork(flags: TraversalFlags, io: Io, pacing: Pacing = {}): Promise<Network> {
  return flags.demo ? openDemo(flags, pacing, 'whole') : openInternet(flags, io, pacing);
}

/** The same for one name in this thread: of the demo only those servers are started that are asked. */
export function openNetworkForOne(flags: TraversalFlags, io: Io): Promise<Network> {
  return flags.demo ? openDemo(flags, {}, 'as-asked') : openInternet(flags, io, {});
}

/** Prepares the network of a saved traversal: its options and its root servers, on the internet or in the demo. */
export async function openNetworkOf(
  { recording, circumstances }: Saved,
  { demo }: Pick<TraversalFlags, 'demo'>,
): Promise<Network> {
  const options = optionsLike(circumstances.options);
  const { hints } = recording.scope;
  const pace = paceOf(options, {}, {});
  if (!demo) return onInternet(options, hints, pace);
  const { startDemo } = await import('./demo.ts');
  return inDemo(await startDemo('as-asked'), options, hints, pace);
}

async function openInternet(flags: TraversalFlags, io: Io, pacing: Pacing): Promise<Network> {
  const hints = flags.rootHints === undefined ? BUILT_IN_HINTS : await readRootHints(flags.rootHints);
  const named = namedFamilies(flags);
  const families = named.length > 0 ? named : await reachableFamilies(hints, io.families);
  const { trustAnchor, at } = flags;
  const trustAnchors =
    trustAnchor === undefined ? {} : { trustAnchors: await readTrustAnchors(trustAnchor, at) };
  const options = optionsFromFlags(flags, { families, ...trustAnchors });
  return onInternet(options, hints, paceOf(options, flags, pacing));
}

function onInternet(options: TraversalOptions, hints: Delegation, pace: Pace): Network {
  const pacer = createPacer(pace);
  const exchangeWith = (others: NetworkOptions) => createExchange({ ...others, pacer });
  const exchange = exchangeWith(options);
  const exchangeAt = (port: number) => exchangeWith({ ...options, port });
  const close = async () => {};
  return { options, hints, elsewhere: { hints }, pace, pacer, exchange, exchangeWith, exchangeAt, close };
}

async function openDemo(flags: TraversalFlags, pacing: Pacing, extent: DemoExtent): Promise<Network> {
  const { demoTrustAnchors, refuseWithDemo, startDemo } = await import('./demo.ts');
  const { DEMO_OPTIONS } = await import('../../lab/demo-world.ts');
  refuseWithDemo(flags);
  const lab = await startDemo(extent);
  const named = namedFamilies(flags);
  const families = named.length > 0 ? named : ([4, 6] as const);
  const trustAnchors = demoTrustAnchors();
  const options = optionsFromFlags(flags, { ...DEMO_OPTIONS, families, trustAnchors });
  return inDemo(lab, options, parseRootHints(lab.hints), paceOf(options, flags, pacing));
}

function inDemo(lab: Demo, options: TraversalOptions, hints: Delegation, pace: Pace): Network {
  const pacer = createPacer(pace);
  const { route, endpoints, beats, reaching, close } = lab;
  const clock = createFairClock();
  const exchangeWith = (others: NetworkOptions) =>
    reaching(createExchange({ ...others, route, pacer, clock }));
  const exchange = exchangeWith(options);
  const exchangeAt = (port: number) => {
    const routed = (address: string) => route(address) ?? { address, port };
    return reaching(createExchange({ ...options, route: routed, pacer, clock }));
  };
  const elsewhere = {
    hints,
    ...(endpoints === undefined ? {} : { routes: endpoints }),
    ...(beats === undefined ? {} : { beats }),
  };
  return { options, hints, elsewhere, pace, pacer, exchange, exchangeWith, exchangeAt, close };
}

function paceOf(
  { rate }: TraversalOptions,
  { ratePerPrefix }: Pick<TraversalFlags, 'ratePerPrefix'>,
  pacing: Pacing,
): Pace {
  const { totalInFlight = queriesAllowed() } = pacing;
  return {
    ratePerAddress: rate,
    // Who lifts the rate of an address wants to go faster than any prefix of usual size would allow.
    ratePerPrefix: ratePerPrefix ?? (rate === 0 ? 0 : LIMITS.ratePerPrefix.default),
    ...pacing,
    totalInFlight,
  };
}

/** As many as usual, unless the limit on open files allows no more than some. */
function queriesAllowed(): number {
  const queries = LIMITS.totalInFlight.default;
  const own = quickDescriptors();
  if (own === undefined) return queries;
  const allotment = allot(own, { connections: 0, queries, threads: 0 });
  if (allotment.kind === 'allotted') return allotment.use.queries;
  throw tooFewDescriptors(own, allotment);
}
