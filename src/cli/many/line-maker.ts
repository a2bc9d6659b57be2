import { type ApiAnswer, failed, ok } from '../../client/failure.ts';
import { runInSlices } from '../../pausable.ts';
import type { Failed } from '../../work/evaluation.ts';
import type { LineOrder } from '../../work/line-work.ts';
import type { WorkerPool } from '../../work/pool.ts';
import { type LineForm, type ResultLine, resultLine } from '../../work/result-line.ts';
import type { Lined } from '../../work/task.ts';
import { afterGrace } from '../runner/hurry.ts';
import type { RunObserver } from '../runner/observer.ts';
import type { Runner } from '../runner/runner.ts';

/** Whoever waits for a line. */
export type LineObserver = Required<Pick<RunObserver, 'tell' | 'signal'>>;

/** Makes the line for a name. Once it is stopped, that of what was known; or it fails as stopped. */
export type LineMaker = (order: LineOrder, observer: LineObserver) => Promise<ApiAnswer<ResultLine>>;

/** Lines of what a runner brings. */
export function linesByRunner({ traverse }: Pick<Runner, 'traverse'>, form: LineForm): LineMaker {
  return async ({ question, line }, observer) => {
    const answer = await traverse(question, observer);
    if (answer.kind === 'failed') return answer;
    return answerOf(await runInSlices(resultLine(answer.value, line, form)));
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

function answerOf(lined: Lined): ApiAnswer<ResultLine> {
  switch (lined.kind) {
    case 'line':
      return ok(lined);
    case 'failed':
      return fault(lined);
    case 'dropped':
      return failed({ kind: 'stopped' });
  }
}

function fault({ error }: Failed): ApiAnswer<never> {
  return failed({ kind: 'fault', detail: error.detail });
}
