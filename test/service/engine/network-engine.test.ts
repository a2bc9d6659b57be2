import t from 'tap';
import type { Exchanged, Query } from '../../../src/exchanged.ts';
import { BUILT_IN_HINTS } from '../../../src/explore/roots.ts';
import { DEFAULT_OPTIONS } from '../../../src/options.ts';
import { mostHeardBytes } from '../../../src/service/engine/bounded-exchange.ts';
import { createEngine } from '../../../src/service/engine/network-engine.ts';
import { parseName } from '../../../src/wire/name.ts';

const MIB = 1024 * 1024;

/** An exchange that brought this many octets and no usable reply. */
function heardOf(query: Query, bytesReceived: number): Exchanged {
  const traffic = { packetsSent: 1, packetsReceived: 1, bytesSent: 40, bytesReceived };
  return { ...query, outcome: { kind: 'timeout' }, transport: 'tcp', tries: [], elapsedMs: 1, traffic };
}

t.test('name servers that send too much make a traversal fail, which says why', async (t) => {
  let heard = 0;
  const exchangeWith = () => async (query: Query) => {
    heard += 1;
    return heardOf(query, 3 * MIB);
  };
  const evaluate = () => Promise.reject(new Error('nothing to evaluate'));
  const engine = createEngine({
    hints: BUILT_IN_HINTS,
    exchangeWith,
    options: DEFAULT_OPTIONS,
    evaluator: { evaluate },
  });
  const request = { question: { name: parseName('www.example'), type: 'A' }, options: DEFAULT_OPTIONS };
  const around = { emit: () => {}, signal: new AbortController().signal };
  t.same(await engine.traverse(request, around), {
    kind: 'failed',
    error: { title: 'Too much data', detail: 'The name servers sent more than 16 MiB.' },
  });
  t.ok(heard >= 6, 'there are more root servers than that');
});

t.test('a traversal may hear what its questions can bring over UDP, and always 16 MiB', async (t) => {
  const ROWS = [
    [1, 16 * MIB],
    [5_000, 16 * MIB],
    [1_000_000, 1_232_000_000],
  ] as const;
  for (const [maxQueries, bytes] of ROWS) {
    t.equal(mostHeardBytes({ ...DEFAULT_OPTIONS, maxQueries }), bytes, `${maxQueries} questions`);
  }
});
