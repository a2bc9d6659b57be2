import { useEffect, useState } from 'preact/hooks';
import type { TraversalResult } from '../../document/result.ts';
import { askWorker, startWorker } from '../api/worker-address.ts';
import type { Drawing, DrawReply, DrawRequest } from './drawing.ts';

/** The state of a result's picture. */
type DrawingState =
  | { readonly kind: 'drawing' }
  | { readonly kind: 'drawn'; readonly drawing: Drawing }
  | { readonly kind: 'failed' };

/** Has a result drawn in a worker, whenever it is another one. The last picture stays until the next is there. */
export function useDrawing(result: TraversalResult): DrawingState {
  const [state, setState] = useState<DrawingState>({ kind: 'drawing' });
  useEffect(() => {
    latest += 1;
    worker ??= startWorker('draw');
    return askWorker<DrawRequest, DrawReply>(worker, { number: latest, result }, (reply) =>
      setState(reply === 'failed' ? { kind: 'failed' } : reply),
    );
  }, [result]);
  return state;
}

let latest = 0;
/** One worker for all pictures: it takes a moment to start. */
let worker: Worker | undefined;
