import type { Saved } from '../../document/read-result.ts';
import { replaying } from '../../traversal/replay.ts';
import type { ResolverFlags } from '../flags/names.ts';
import {
  requestOptionsFromFlags,
  requestOptionsLike,
  type TraversalFlags,
} from '../flags/traversal-flags.ts';
import type { WhatIfFlags } from '../flags/what-if-flags.ts';
import type { Io } from '../process/io.ts';
import { withConfiguration } from './input-files.ts';
import { openLocalRunner, runnerAlone } from './local.ts';
import { openNetworkOf } from './network.ts';
import type { Evaluating, Runner } from './runner.ts';

/**
 * The runner for a server; without one, the runner on this host. `evaluate`: for another world than the one
 * recorded. Throws a `CommandError` if there is no network.
 */
export async function openRunner(
  server: URL | undefined,
  flags: TraversalFlags & ResolverFlags & WhatIfFlags,
  io: Io,
  evaluate: Evaluating = replaying,
): Promise<Runner> {
  const evaluating = await withConfiguration(evaluate, flags, io);
  if (server === undefined) return await openLocalRunner(flags, io, evaluating);
  const { remoteRunner } = await import('../remote/remote-runner.ts');
  return remoteRunner(server, requestOptionsFromFlags(flags), evaluating);
}

/** The runner that does again what a saved traversal did, as far as a server lets its clients choose. */
export async function openRunnerLike(
  saved: Saved,
  server: URL | undefined,
  flags: Pick<TraversalFlags, 'demo'>,
): Promise<Runner> {
  if (server === undefined) {
    return runnerAlone(await openNetworkOf(saved, flags));
  }
  const { remoteRunner } = await import('../remote/remote-runner.ts');
  return remoteRunner(server, requestOptionsLike(saved.circumstances.options));
}
