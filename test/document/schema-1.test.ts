import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { readResult } from '../../src/document/read-result.ts';
import { fractionText, toNumber } from '../../src/evaluate/fraction.ts';
import { replay } from '../../src/provable.ts';
import { failedShare, failuresAt } from '../../src/reading/failures.ts';
import { resultIndex } from '../../src/reading/result-index.ts';

/** A result as version 0.1.0 saved it: `svc traverse www.missing-glue.example --demo -4 --save`. */
const FIXTURE = fileURLToPath(new URL('../fixtures/document/schema-1.json', import.meta.url));

t.test('a file of schema 1 replays to the same numbers', async (t) => {
  const saved = JSON.parse(readFileSync(FIXTURE, 'utf8'));
  t.equal(saved.schema, 1);
  const result = JSON.parse(JSON.stringify(replay(readResult(saved))));
  t.equal(result.schema, 2);
  const same = [
    'query',
    'options',
    'startedAt',
    'finishedAt',
    'durationMs',
    'complete',
    'ending',
    'outcomes',
    'summary',
    'resolver',
    'coldLatencyMs',
    'zones',
    'delegations',
    'exchanges',
    'unasked',
  ];
  for (const member of same) t.strictSame(result[member], saved[member], member);
  t.strictSame(result.stats, { checkExchanges: 0, unused: 0, ...saved.stats }, 'stats');

  t.test('also where a limit left questions unasked, whose servers it does not name', async (t) => {
    const [{ server, question }] = saved.exchanges;
    const row = { server: { address: server.address }, question, kind: 'query-limit', limit: 5 };
    const { recording } = readResult({ ...saved, unasked: [row] });
    t.strictSame(
      [...recording.unasked.values()],
      [{ query: { address: server.address, question }, why: { kind: 'query-limit', limit: 5 } }],
    );
  });

  t.test('and to the same graph, its ends and lookups named instead of repeated', async (t) => {
    const again = replay(readResult(saved));
    const index = resultIndex(again);
    const steps = again.steps.map((step) => ({
      ...step,
      nameservers: step.nameservers.map((nameserver) => {
        const { lookup, end, ...rest } = nameserver;
        const failuresOf = failuresAt(step, index);
        const begins = lookup && { lookups: index.lookup(lookup).begins };
        const failures = failuresOf(nameserver).map((end) => {
          const share = failedShare(step, nameserver, end, index);
          return { share: toNumber(share), fraction: fractionText(share), end };
        });
        return { ...rest, ...begins, ...(failures.length > 0 && { failures }) };
      }),
    }));
    const ends = new Map<string, unknown>(again.ends.map(({ id, ...end }) => [id, end]));
    const inline = (key: string, value: unknown) =>
      key === 'end' && typeof value === 'string' ? ends.get(value) : value;
    t.same(JSON.parse(JSON.stringify(steps), inline), saved.steps);
    t.ok(ends.size > 1);
  });
});
