import { open } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/**
 * Opens a named pipe to read. Rejects with the system's error. (As a file, one that nobody writes to any more would
 * keep the process: a read of a file cannot be taken back.)
 */
export function openPipe(path: string): Promise<Readable> {
  return new Promise((resolve, reject) => {
    open(path, 'r', (error, fd) => {
      if (error === null) resolve(new Socket({ fd, readable: true, writable: false }));
      else reject(error);
    });
  });
}
