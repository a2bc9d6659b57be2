/* Decides where the lines for a list of names are made: at a service, in this thread, or in several. */

import { availableParallelism } from 'node:os';
import { LIMITS } from '../../base/limits.ts';
import type { Pace } from '../../exchange/pacer.ts';
import type { LineForm } from '../../report/result-line.ts';
import { replaying } from '../../traversal/replay.ts';
import { type LineRun, sharedForMoment } from '../../traversal/threads/lines.ts';
import { WorkerPool } from '../../traversal/threads/pool.ts';
import type { ManyFlags } from '../flags/many-flags.ts';
import { requestOptionsFromFlags, type TraversalFlags } from '../flags/traversal-flags.ts';
import { allot, quickDescriptors } from '../process/descriptors.ts';
import { usageError } from '../process/errors.ts';
import type { Io } from '../process/io.ts';
import { readConfiguration, withConfiguration } from '../runner/input-files.ts';
import { runnerOn } from '../runner/local.ts';
import { type Network, openNetwork } from '../runner/network.ts';
import type { Evaluating, Runner } from '../runner/runner.ts';
import { type LineMaker, linesByPool, linesByRunner, linesByTurns } from './line-maker.ts';
import { delayReporter, linesAtService } from './lines-at-service.ts';
import type { ListScreen } from './tally.ts';

/** Opens the place where lines are made. Throws a `CommandError` if there is no network. */
export async function openLineMaker(plan: WorkshopPlan, io: Io): Promise<OpenLineMaker> {
  const { server, flags, form } = plan;
  if (server === undefined) return await openHere(plan, io);
  if (flags.share) throw usageError('--share is for names that are traversed here: leave out --server');
  const most = flags.namesAtOnce ?? LIMITS.namesAtOnce.most;
  const report = delayReporter(server, plan.screen.say, plan.toResume);
  const evaluate = await withConfiguration(replaying, flags, io);
  const options = requestOptionsFromFlags(flags);
  const makeLine = linesAtService({ server, options, evaluate, form, most, report });
  return { makeLine, linesAtOnce: most, close: async () => {} };
}

/** Where lines are made. */
interface OpenLineMaker {
  /** What binds all lines together; absent: it is somebody else's. */
  readonly pace?: Pace;
  readonly makeLine: LineMaker;
  /** How many lines are made at once, unless somebody wants another number. */
  readonly linesAtOnce: number;
  readonly close: () => Promise<void>;
}

/** What a run over many names needs of whoever makes its lines. */
interface WorkshopPlan {
  readonly flags: TraversalFlags & ManyFlags;
  readonly form: LineForm;
  /** Undefined: this host. */
  readonly server: URL | undefined;
  readonly screen: Pick<ListScreen, 'say' | 'audience'>;
  /** How an interrupted run is resumed. */
  readonly toResume: string;
}

/**
 * So many lines are made on the main thread: few names are done before a thread has started. Its memory keeps the size
 * that they needed.
 */
const FIRST_LINES = 16;

/** With fewer a thread would wait for name servers now and then, and have nothing else to do. */
const LINES_PER_THREAD = 4;

async function openHere({ flags, form, screen: { audience } }: WorkshopPlan, io: Io): Promise<OpenLineMaker> {
  const network = await openNetwork(flags, io);
  const { options, pace } = network;
  const threads = threadsAllowed(pace);
  const configuration = await readConfiguration(flags, io);
  const runner = sharingRunner(network, await withConfiguration(replaying, flags, io));
  const expected = configuration && { configuration };
  const lines: LineRun = { options, form, audience, ...ownPace(pace), ...expected };
  let pool: WorkerPool | undefined;
  const later = () => {
    pool = new WorkerPool({ network: network.elsewhere, pacer: network.pacer, lines, threads });
    return linesByPool(pool);
  };
  return {
    pace,
    linesAtOnce: Math.max(LIMITS.namesAtOnce.default, LINES_PER_THREAD * threads),
    makeLine: linesByTurns(linesByRunner(runner, form), options.share ? 0 : FIRST_LINES, later),
    close: async () => {
      await pool?.close();
      await runner.close();
    },
  };
}

/** A runner for many names, which share exchanges where that is sound. */
function sharingRunner(network: Network, evaluate: Evaluating): Runner {
  const among = sharedForMoment(network.exchange, network.options.maxTimeMs);
  return runnerOn(network, () => among.exchange, among.probing, { evaluate, ifAgreed: 'leave' });
}

/** One for each processor, unless the limit on open files allows fewer. */
function threadsAllowed({ totalInFlight: queries }: Pace): number {
  const threads = availableParallelism();
  const own = quickDescriptors();
  if (own === undefined) return threads;
  const allotment = allot(own, { connections: 0, queries, threads });
  return allotment.kind === 'allotted' ? allotment.use.threads : 1;
}

/** A thread that need not be polite together with this one goes its own way: each question would take two messages. */
function ownPace(pace: Pace): Pick<LineRun, 'ownPace'> {
  const { ratePerAddress, ratePerPrefix = 0, rateTotal = 0 } = pace;
  return ratePerAddress + ratePerPrefix + rateTotal > 0 ? {} : { ownPace: pace };
}
