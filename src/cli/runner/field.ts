import { createExchange, type SpecialExchange } from '../../exchange/ask.ts';
import { createPacer, type Pace, type Pacer } from '../../exchange/pace.ts';
import type { Delegation } from '../../explore/delegation.ts';
import { BUILT_IN_HINTS, parseRootHints } from '../../explore/roots.ts';
import { LIMITS } from '../../limits.ts';
import type { TraversalOptions } from '../../options.ts';
import { chooseFamilies, namedFamilies } from '../flags/choose-families.ts';
import { optionsFromFlags, type TraversalFlags } from '../flags/traversal-flags.ts';
import { notDone, usageError } from '../process/exit-status.ts';
import { reason } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import { readRootHints } from './root-hints.ts';

/** What a traversal runs on: the internet, or the demo. */
export interface Field {
  readonly options: TraversalOptions;
  readonly hints: Delegation;
  readonly exchange: SpecialExchange;
  /** An exchange with other options. All of a field share their pacing. */
  readonly exchangeWith: (options: TraversalOptions) => SpecialExchange;
  readonly close: () => Promise<void>;
}

/** How many queries may be in flight. */
export type InFlight = Partial<Pick<Pace, 'totalInFlight' | 'perTraversalInFlight'>>;

/** Makes ready what the flags ask for. Throws a `CommandError` for what cannot be had. */
export function openField(flags: TraversalFlags, io: Io, inFlight: InFlight = {}): Promise<Field> {
  return flags.demo ? openDemo(flags, inFlight) : openInternet(flags, io, inFlight);
}

async function openInternet(flags: TraversalFlags, io: Io, inFlight: InFlight): Promise<Field> {
  const hints = flags.rootHints === undefined ? BUILT_IN_HINTS : await readRootHints(flags.rootHints);
  const families = await chooseFamilies(namedFamilies(flags), hints, io.families);
  const options = optionsFromFlags(flags, { families });
  const pacer = pacerFor(options, inFlight);
  const exchangeWith = (others: TraversalOptions) => createExchange({ ...others, pacer });
  return { options, hints, exchange: exchangeWith(options), exchangeWith, close: async () => {} };
}

/** The demo's servers are near and patient. */
const DEMO_OPTIONS = { rate: 0, timeoutMs: 300, retries: 1, specialTargets: 'allowed' } as const;

async function openDemo(flags: TraversalFlags, inFlight: InFlight): Promise<Field> {
  const { startLab } = await import('../../lab/lab.ts');
  const { demoWorld } = await import('../../lab/demo/world.ts');
  if (flags.rootHints !== undefined)
    throw usageError('--demo has root servers of its own: leave --root-hints out');
  if (flags.port !== undefined)
    throw usageError(
      '--demo has name servers with ports of their own: leave --port out (svc serve takes requests at --listen)',
    );
  const lab = await startLab(demoWorld).catch((error: unknown) => {
    throw notDone(`cannot start the servers of the demo: ${reason(error)}`);
  });
  const named = namedFamilies(flags);
  const families = named.length > 0 ? named : ([4, 6] as const);
  const options = optionsFromFlags(flags, { ...DEMO_OPTIONS, families });
  const around = { route: lab.route, pacer: pacerFor(options, inFlight) };
  const exchangeWith = (others: TraversalOptions) => createExchange({ ...others, ...around });
  const hints = parseRootHints(lab.hints);
  return { options, hints, exchange: exchangeWith(options), exchangeWith, close: lab.close };
}

function pacerFor(options: TraversalOptions, inFlight: InFlight): Pacer {
  return createPacer({
    ratePerAddress: options.rate,
    perAddressInFlight: LIMITS.perAddressInFlight.default,
    totalInFlight: LIMITS.totalInFlight.default,
    ...inFlight,
  });
}
