import t from 'tap';
import { createPacer } from '../../src/exchange/pace.ts';
import { parseRootHints } from '../../src/explore/roots.ts';
import { demoWorld } from '../../src/lab/demo/world.ts';
import { startLab } from '../../src/lab/lab.ts';
import { DEFAULT_OPTIONS } from '../../src/options.ts';
import { parseName } from '../../src/wire/name.ts';
import type { SerialisedEvent } from '../../src/work/messages.ts';
import { createWorkerPool } from '../../src/work/pool.ts';

const OPTIONS = {
  ...DEFAULT_OPTIONS,
  rate: 0,
  timeoutMs: 300,
  retries: 1,
  specialTargets: 'allowed',
} as const;

t.test('a pool of threads', async (t) => {
  const lab = await startLab(demoWorld);
  const pacer = createPacer({ ratePerAddress: 0, perAddressInFlight: 5, totalInFlight: 64 });
  t.teardown(lab.close);
  const network = { hints: parseRootHints(lab.hints), routes: lab.endpoints };
  const pool = createWorkerPool({ network, pacer, threads: 2 });
  t.teardown(pool.close);
  const run = async (name: string, signal = new AbortController().signal) => {
    const events: SerialisedEvent[] = [];
    const request = { question: { name: parseName(name), type: 'A' }, options: OPTIONS };
    const traversed = await pool.traverse(request, { emit: (event) => events.push(event), signal });
    return { traversed, events, result: JSON.parse(new TextDecoder().decode(traversed.result)) };
  };

  t.test('traverses, and tells events on the way', async (t) => {
    const { traversed, events, result } = await run('www.mixed.example');
    t.equal(traversed.conclusion.status, 'complete');
    t.same(result.summary, traversed.conclusion.summary);
    t.equal(events[0]?.event, 'started');
    t.equal(events.filter(({ event }) => event === 'exchange').length, result.exchanges.length);
  });

  t.test('runs many side by side', async (t) => {
    const all = await Promise.all(Array.from({ length: 8 }, () => run('www.shop.example')));
    for (const { result } of all) t.same(result.summary, all[0]?.result.summary);
  });

  t.test('stops one that is cancelled, with what was known', async (t) => {
    const stop = new AbortController();
    const running = run('www.mixed.example', stop.signal);
    stop.abort();
    const { traversed } = await running;
    t.equal(traversed.conclusion.status, 'cancelled');
  });
});
