// Loaded into a process that is measured: says what it holds whenever its parent asks.
import { readdirSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Threads load this too, and have nobody to tell.
if (isMainThread) {
  process.on('message', tell);
  process.channel.unref();
}

function tell() {
  for (let time = 0; time < 2; time += 1) globalThis.gc();
  const { rss, heapUsed: heap, external } = process.memoryUsage();
  // Less the one with which the folder is read.
  const descriptors = readdirSync('/proc/self/fd').length - 1;
  const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  process.send({ rss, heap, external, descriptors, timers });
}
