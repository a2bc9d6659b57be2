import t from 'tap';
import type { Exchanged, Query } from '../../../src/exchanged.ts';
import { delegationOf } from '../../../src/explore/delegation.ts';
import { DEFAULT_OPTIONS } from '../../../src/options.ts';
import { evaluated } from '../../../src/service/engine/evaluation.ts';
import { createEvaluator } from '../../../src/service/engine/evaluation-threads.ts';
import { recordTraversal } from '../../../src/traverse.ts';
import { parseName } from '../../../src/wire/name.ts';
import { exchangeIn } from '../../evaluate/table-world.ts';

/** One of two root servers answers, the other is silent. */
const WORLD = {
  roots: 'ns1.x=192.0.2.1 ns2.x=192.0.2.2',
  says: { '192.0.2.1 www. A': 'answer 192.0.2.80', '192.0.2.2 *': 'timeout' },
};

function recorded() {
  const question = { name: parseName('www'), type: 'A' };
  const glue = new Map([
    [parseName('ns1.x'), ['192.0.2.1']],
    [parseName('ns2.x'), ['192.0.2.2']],
  ]);
  const hints = delegationOf(parseName('.'), glue);
  const options = { ...DEFAULT_OPTIONS, families: [4] as const, specialTargets: 'allowed' } as const;
  const exchange = async (query: Query): Promise<Exchanged> => exchangeIn(WORLD, query);
  const around = { exchange, emit: () => {}, signal: new AbortController().signal };
  return recordTraversal({ question, options, hints }, around);
}

t.test('a thread', async (t) => {
  const saved = await recorded();
  const evaluator = createEvaluator({ threads: 1 });

  t.test('says to the octet what the function says', async (t) => {
    const expected = evaluated(saved);
    t.match(expected, {
      conclusion: {
        status: 'complete',
        summary: [
          { fraction: '1/2', kind: 'answer', answer: ['192.0.2.80'] },
          { fraction: '1/2', kind: 'timeout' },
        ],
      },
      met: [{ address: '192.0.2.1' }, { address: '192.0.2.2' }],
    });
    const all = await Promise.all([1, 2, 3].map(() => evaluator.evaluate(saved)));
    for (const one of all) {
      t.same({ ...one, result: text(one.result) }, { ...expected, result: text(expected.result) });
    }
  });

  t.test('tells of a recording that cannot be evaluated, and goes on', async (t) => {
    const exchanges = new Map([['192.0.2.1 www. A', JSON.parse('{}')]]);
    const broken = { ...saved, recording: { ...saved.recording, exchanges } };
    await t.rejects(evaluator.evaluate(broken), TypeError);
    t.equal((await evaluator.evaluate(saved)).conclusion.status, 'complete');
  });

  t.test('is given up when an evaluation does not end, and another takes its place', async (t) => {
    const late = { ms: 0 };
    const after = (ms: number, run: () => void) => {
      // The first one's time is up before it has begun.
      if (late.ms === 0) queueMicrotask(run);
      late.ms = ms;
      return () => {};
    };
    const hurried = createEvaluator({ threads: 1, timeoutMs: 5_000, clock: { now: () => 0, after } });
    const [given, next] = [hurried.evaluate(saved), hurried.evaluate(saved)];
    await t.rejects(given, { message: 'an evaluation took longer than 5000 ms' });
    t.equal((await next).conclusion.status, 'complete');
    t.equal(late.ms, 5_000);
  });

  // Newer V8s give up as a whole when memory this small runs out while a thread is only being loaded.
  const skip = !process.version.startsWith('v20.') && 'only with a limit as large as the real one';
  t.test('that runs out of memory takes only its own evaluation with it', { skip }, async (t) => {
    const small = createEvaluator({ threads: 1, memoryMiB: 1 });
    for (let time = 0; time < 2; time += 1) {
      await t.rejects(small.evaluate(saved), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
    }
  });
});

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
