/* The program of the worker that reads large jobs, which takes some tenths of a second. */

import { type ReadReply, type ReadRequest, readJob } from './model/read-job.ts';

addEventListener('message', ({ data: { number, reply } }: MessageEvent<ReadRequest>) => {
  postMessage({ number, answer: readJob(reply) } satisfies ReadReply);
});
