import { useEffect, useState } from 'preact/hooks';
import type { TraversalResult } from '../../document/result.ts';
import { workerAddress } from '../api/worker-address.ts';
import type { Drawing, DrawReply, DrawRequest } from './drawing.ts';

/** How far the picture of a result is. */
type DrawingState =
  | { readonly kind: 'drawing' }
  | { readonly kind: 'drawn'; readonly drawing: Drawing }
  | { readonly kind: 'failed' };

/** Has a result drawn in a worker, whenever it is another one. The last picture stays until the next is there. */
export function useDrawing(result: TraversalResult): DrawingState {
  const [state, setState] = useState<DrawingState>({ kind: 'drawing' });
  useEffect(() => {
    const number = ++latest;
    const worker = artist();
    const hear = ({ data }: MessageEvent<DrawReply>) => {
      if (data.number === number) setState(data);
    };
    const fail = () => setState({ kind: 'failed' });
    worker.addEventListener('message', hear);
    worker.addEventListener('error', fail);
    worker.postMessage({ number, result } satisfies DrawRequest);
    return () => {
      worker.removeEventListener('message', hear);
      worker.removeEventListener('error', fail);
    };
  }, [result]);
  return state;
}

let latest = 0;
let started: Worker | undefined;

/** One worker for all pictures: it takes a moment to start. */
function artist(): Worker {
  started ??= new Worker(workerAddress('draw'), { type: 'module' });
  return started;
}
