import type { TraversalEvent } from '../traverse.ts';
import type { Question } from '../wire/question.ts';
import type { Format } from './format.ts';
import type { Io } from './io.ts';
import { jsonLine } from './json.ts';

/** What a command gives a traversal to be told of it and to cancel it. */
export interface Watch {
  readonly emit: (event: TraversalEvent) => void;
  readonly signal: AbortSignal;
  /** Takes the display away and listens no more. */
  readonly stop: () => void;
}

/** Shows a traversal while it runs: as events on stdout, or as a live display on stderr if that is a terminal. */
export function watchTraversal(_question: Question, format: Format, io: Io): Watch {
  const cancel = new AbortController();
  const unlisten = io.onSignal(() => cancel.abort());
  return {
    emit: (event) => {
      if (format.kind === 'jsonl') io.stdout.write(jsonLine(event));
    },
    signal: cancel.signal,
    stop: () => {
      unlisten();
    },
  };
}
