/* Makes the line of output for one name of a list: by a runner, by the thread pool, or first one, then the other. */

import { failed, ok, type RunAnswer } from '../../document/run-answer.ts';
import { type LineForm, type ResultLine, resultLine } from '../../report/result-line.ts';
import type { Lined } from '../../traversal/threads/evaluation-order.ts';
import type { LineOrder } from '../../traversal/threads/lines.ts';
import type { WorkerPool } from '../../traversal/threads/pool.ts';
import { afterGrace } from '../process/interruption.ts';
import type { Runner, RunObserver } from '../runner/runner.ts';

/** Makes the line for a name. Once it is stopped, that of what was known; or it fails as stopped. */
export type LineMaker = (order: LineOrder, observer: LineObserver) => Promise<RunAnswer<ResultLine>>;

/** Whoever waits for a line. */
export type LineObserver = Required<Pick<RunObserver, 'tell' | 'signal'>>;

/** Lines of what a runner brings. */
export function linesByRunner({ traverse }: Pick<Runner, 'traverse'>, form: LineForm): LineMaker {
  return async ({ question, line }, observer) => {
    const answer = await traverse(question, observer);
    if (answer.kind === 'failed') return answer;
    return answerOf(resultLine(answer.value, line, form));
  };
}

/** Lines that the threads of a pool make. */
export function linesByPool(pool: Pick<WorkerPool, 'line'>): LineMaker {
  return async (order, { tell, signal }) => {
    let forget = () => {};
    const given = new Promise<Lined>((resolve) => {
      forget = afterGrace(signal, () => resolve({ kind: 'dropped' }));
    });
    try {
      return answerOf(await Promise.race([pool.line(order, tell, signal), given]));
    } finally {
      forget();
    }
  };
}

/** Lines that one maker makes at first, and then, as soon as a list turns out to be longer, another. */
export function linesByTurns(first: LineMaker, count: number, then: () => LineMaker): LineMaker {
  let begun = 0;
  let other: LineMaker | undefined;
  return (order, observer) => {
    begun += 1;
    if (begun <= count) return first(order, observer);
    other ??= then();
    return other(order, observer);
  };
}

function answerOf(lined: Lined): RunAnswer<ResultLine> {
  switch (lined.kind) {
    case 'line':
      return ok(lined);
    case 'failed':
      return failed({ kind: 'fault', detail: lined.error.detail });
    case 'dropped':
      return failed({ kind: 'stopped' });
  }
}
