import type { IncomingMessage } from 'node:http';

/** Octets that the body of a request may have. */
export const MAX_BODY_BYTES = 16 * 1024;

/** What came as the body of a request. */
export type BodyRead =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  /** The client went away. */
  | { readonly kind: 'cut-off' };

/**
 * Reads a body of at most `MAX_BODY_BYTES` octets; of a larger one no more is kept, and of one that is
 * announced as larger nothing is read. `goOn` is called when reading begins.
 */
export function readBody(message: IncomingMessage, goOn: () => void): Promise<BodyRead> {
  if (Number(message.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    return Promise.resolve({ kind: 'too-large' });
  }
  goOn();
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

/** Octets of an unwanted body that are read and thrown away, so that the client sees the reply before the end. */
const MAX_DISCARDED_BYTES = 1024 * 1024;

/** Throws away what is still to come of a body; from a client that does not stop, the connection is taken. */
export function discardBody(message: IncomingMessage): void {
  if (message.complete) return;
  let size = 0;
  message.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_DISCARDED_BYTES) message.destroy();
  });
}
