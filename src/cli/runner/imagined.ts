import type { TraversalResult } from '../../document/result.ts';
import { serverText, type WhatIf } from '../../evaluate/what-if/what-if.ts';
import { type ImaginedResult, imaginingResult } from '../../imagine.ts';
import type { Pausable } from '../../pausable.ts';
import { plain } from '../../reading/words/names.ts';
import { usageError } from '../process/command-error.ts';
import type { Evaluating } from './runner.ts';

/** Evaluates what was recorded for another world. Throws a `CommandError` if there is no such world. */
export function imaginedAs(whatIf: WhatIf): Evaluating {
  return function* (saved): Pausable<TraversalResult> {
    const imagined = yield* imaginingResult(saved, whatIf);
    if (imagined.kind === 'imagined') return imagined.result;
    throw usageError(whyNot(imagined));
  };
}

function whyNot(one: Exclude<ImaginedResult, { readonly kind: 'imagined' }>): string {
  switch (one.kind) {
    case 'unknown-server':
      return `no name server on the way ${one.server.kind === 'server' ? 'is called' : 'has the address'} ${serverText(one.server)}: --json lists them as nameservers`;
    case 'emptied':
      return `that leaves ${plain(one.zone)} without a name server: leave out one of --without and --only`;
  }
}
