import { requestBody } from '../../../document/api/request.ts';
import type { TraversalOptions } from '../../../options.ts';
import { type Issue, readShape, ShapeError } from '../../../shape/shape.ts';
import type { JobRequest } from '../../engine/engine.ts';

/** The body of a request to traverse, read. */
type RequestRead =
  | { readonly kind: 'valid'; readonly request: JobRequest }
  | { readonly kind: 'invalid'; readonly errors: readonly Issue[] };

/** Reads the body of POST /api/traverse. `most` are the service's options, which a request may lower. */
export function readTraversalRequest(body: Buffer, most: TraversalOptions): RequestRead {
  try {
    const { name, type = 'A', options } = readShape(requestBody(most), parseJson(body));
    return { kind: 'valid', request: { question: { name, type }, options: { ...most, ...options } } };
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    return { kind: 'invalid', errors: error.issues };
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    if (error instanceof SyntaxError) throw new ShapeError({ pointer: '', detail: 'is not JSON' });
    if (error instanceof TypeError) throw new ShapeError({ pointer: '', detail: 'is not UTF-8' });
    throw error;
  }
}
