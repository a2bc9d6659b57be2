import t from 'tap';
import { heapSetBy, LEAST_MEMORY, ownMemory, tooLittleMemory } from '../../src/cli/process/memory.ts';
import { startServe } from '../service/spawned.ts';
import { ended, start } from './svc.ts';

const MIB = 1024 * 1024;

t.test('a service that may take too little memory does not start', async (t) => {
  for (const [limit, heap, expected] of [
    [192, 32, undefined],
    [191, 32, /^191 MiB of memory are too little, 192 MiB are needed: raise the limit /],
    [192, 31, /^a heap of 31 MiB is too small, 32 MiB are needed: raise --max-old-space-size /],
  ] as const) {
    const error = tooLittleMemory({ limit: limit * MIB, heap: heap * MIB });
    if (expected === undefined) t.equal(error, undefined);
    else t.match(error?.message, expected);
  }
});

t.test('memory is read of this process', async (t) => {
  const { limit, heap } = ownMemory();
  t.ok(limit >= LEAST_MEMORY.limit && Number.isFinite(limit), `${limit} octets`);
  t.ok(heap >= LEAST_MEMORY.heap, `${heap} octets of heap`);
});

t.test('the last option of Node counts that sets the heap', async (t) => {
  t.equal(heapSetBy('--enable-source-maps'), Number.POSITIVE_INFINITY);
  t.equal(heapSetBy('--max-old-space-size=64 --trace-warnings --max_old_space_size 24'), 24 * MIB);
});

t.test('svc serve says so in one line, with status 3', async (t) => {
  const env = { NODE_OPTIONS: '--max-old-space-size=24' };
  const { status, stderr } = await ended(start(['serve', '--demo', '--listen', '127.0.0.1:0'], env));
  t.equal(status, 3);
  t.match(stderr, /^svc: a heap of \d+ MiB is too small, 32 MiB are needed: [^\n]*\n$/);
});

t.test('with metrics elsewhere it says where', async (t) => {
  const service = await startServe(t, ['--demo', '--metrics-listen', '127.0.0.1:0']);
  t.match(service.entries()[0], {
    message: 'listening',
    metrics: /^http:\/\/127\.0\.0\.1:[1-9]\d*\/metrics$/,
  });
});
