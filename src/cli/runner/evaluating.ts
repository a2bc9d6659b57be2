import type { Pausable } from '../../base/pausable.ts';
import type { TraversalResult } from '../../document/result.ts';
import { plain } from '../../document/words/names.ts';
import { serverText } from '../../evaluate/world.ts';
import type { WhatIfReplay } from '../../traversal/replay.ts';
import { type WhatIfFlags, whatIfOf } from '../flags/what-if-flags.ts';
import { usageError } from '../process/errors.ts';
import type { Evaluating } from './runner.ts';

/**
 * How to evaluate the world that the flags imagine; undefined: the recorded one. Throws a `CommandError` for bad flags,
 * and so does the evaluation if there is no such world.
 */
export async function evaluatingFor(flags: WhatIfFlags): Promise<Evaluating | undefined> {
  const whatIf = whatIfOf(flags);
  if (whatIf === undefined) return undefined;
  const { replayWhatIf } = await import('../../traversal/replay.ts');
  return function* (saved): Pausable<TraversalResult> {
    const imagined = yield* replayWhatIf(saved, whatIf);
    if (imagined.kind === 'imagined') return imagined.result;
    throw usageError(whyNot(imagined));
  };
}

function whyNot(one: Exclude<WhatIfReplay, { readonly kind: 'imagined' }>): string {
  switch (one.kind) {
    case 'unknown-server':
      return `no name server on the way ${one.server.kind === 'server' ? 'is called' : 'has the address'} ${serverText(one.server)}: --json lists them as nameservers`;
    case 'emptied':
      return `that leaves ${plain(one.zone)} without a name server: leave out one of --without and --only`;
  }
}
