import { useEffect, useState } from 'preact/hooks';
import type { TraversalResult } from '../../document/result.ts';
import type { BoxServer } from '../../report/diagram.ts';
import type { SvgElement } from '../model/svg.ts';
import { askWorker, startWorker } from '../model/worker-scripts.ts';

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

/** The state of a result's picture. */
type DrawingState =
  | { readonly kind: 'drawing' }
  | { readonly kind: 'drawn'; readonly drawing: Drawing }
  | { readonly kind: 'failed' };

let latest = 0;
/** One worker for all pictures: it takes a moment to start. */
let worker: Worker | undefined;

/** A request to the draw worker. */
export interface DrawRequest {
  readonly number: number;
  readonly result: TraversalResult;
}

/** A picture of a result. */
export interface Drawing {
  /** As a file. */
  readonly svg: string;
  /** The same, to be shown. */
  readonly tree: SvgElement;
  /** The servers in each box, by the name of its node. */
  readonly servers: ReadonlyMap<string, readonly BoxServer[]>;
}

/** A reply of the worker, with the number of its request. */
export type DrawReply =
  | { readonly number: number; readonly kind: 'drawn'; readonly drawing: Drawing }
  | { readonly number: number; readonly kind: 'failed' };
