import type { TraversalResult } from '../../document/result.ts';
import type { BoxServer } from '../../report/graph/box-servers.ts';
import type { SvgElement } from './svg-tree.ts';

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
