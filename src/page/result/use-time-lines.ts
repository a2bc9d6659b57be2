import { useEffect, useState } from 'preact/hooks';
import type { TraversalResult } from '../../document/result.ts';
import type { TimeLines } from '../model/time-lines.ts';
import { askWorker, startWorker } from '../model/worker-scripts.ts';

/** How long changes take, worked out in a worker; undefined until it is known. */
export function useTimeLines(result: TraversalResult): TimeLines | 'failed' | undefined {
  const [lines, setLines] = useState<TimeLines | 'failed'>();
  useEffect(() => {
    setLines(undefined);
    const worker = startWorker('times');
    const stop = askWorker<TimesRequest, TimesReply>(worker, { number: 1, result }, (reply) => {
      setLines(reply === 'failed' ? 'failed' : reply.lines);
      worker.terminate();
    });
    return () => {
      stop();
      worker.terminate();
    };
  }, [result]);
  return lines;
}

/** A request to the times worker. */
export interface TimesRequest {
  readonly number: number;
  readonly result: TraversalResult;
}

/** A reply of the worker, with the number of its request. */
export interface TimesReply {
  readonly number: number;
  readonly lines: TimeLines;
}
