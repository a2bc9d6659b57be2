import type { IncomingMessage } from 'node:http';
import type { TraversalOptions } from '../base/options.ts';
import { type Issue, readShape, ShapeError } from '../base/shape.ts';
import { requestBody } from '../document/api/request.ts';
import type { JobRequest } from './jobs/job.ts';

/** Octets allowed in the body of a request. */
export const MAX_BODY_BYTES = 16 * 1024;

/** The body of a request, or why there is none. */
export type BodyRead =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  /** The client went away before the end. */
  | { readonly kind: 'cut-off' };

/**
 * Reads a body of at most `MAX_BODY_BYTES` octets. Of a larger one it keeps no more than that, and one
 * that is announced as larger it does not read at all. It calls `begin` when it starts to read.
 */
export function readBody(message: IncomingMessage, begin: () => void): Promise<BodyRead> {
  if (Number(message.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    return Promise.resolve({ kind: 'too-large' });
  }
  // Meanwhile it was found out whether the client may ask at all, and it may have left.
  if (message.destroyed) return Promise.resolve({ kind: 'cut-off' });
  begin();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (read: BodyRead) => {
      message.off('data', take).off('end', whole).off('close', cutOff);
      resolve(read);
    };
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BODY_BYTES) settle({ kind: 'too-large' });
    };
    const whole = () => settle({ kind: 'whole', bytes: Buffer.concat(chunks) });
    const cutOff = () => settle({ kind: 'cut-off' });
    message.on('data', take).once('end', whole).once('close', cutOff);
  });
}

/** Octets of an unwanted body that are read and discarded, so that the client gets to read the reply. */
const MAX_DISCARDED_BYTES = 1024 * 1024;

/** Discards the rest of a body, and closes the connection of a client that keeps sending. */
export function discardBody(message: IncomingMessage): void {
  if (message.complete) return;
  let size = 0;
  message.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_DISCARDED_BYTES) message.destroy();
  });
}

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
