import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { readResult } from '../../src/document/read-result.ts';
import { RESULT, type TraversalResult } from '../../src/document/result.ts';
import { replay } from '../../src/replay.ts';
import { readShape, ShapeError } from '../../src/shape/shape.ts';

const SAVED = new URL('../fixtures/text/', import.meta.url);

/** Results with every kind of trouble, as JSON has them. */
const RESULTS: readonly (readonly [name: string, result: TraversalResult])[] = readdirSync(SAVED)
  .filter((file) => file.endsWith('.json') && file !== 'cases.json')
  .map((file) => {
    const saved = readResult(JSON.parse(readFileSync(new URL(file, SAVED), 'utf8')));
    return [file, JSON.parse(JSON.stringify(replay(saved)))];
  });

t.test('a result is what its description says, to the last member', async (t) => {
  for (const [name, result] of RESULTS) t.strictSame(readShape(RESULT, result), result, name);
});

t.test('ends stand once, and whatever is named is there', async (t) => {
  for (const [name, { ends, steps, delegations, exchanges, findings }] of RESULTS) {
    const contents = ends.map(({ id: _, ...end }) => JSON.stringify(end));
    t.equal(new Set(contents).size, ends.length, `${name}: ends`);
    const known = new Set([...ends, ...steps, ...delegations, ...exchanges, ...findings].map(({ id }) => id));
    const named = [
      ...steps.flatMap(({ delegation, nameservers }) => [delegation, ...nameservers.flatMap(namesIn)]),
      ...findings.flatMap(({ exchanges: proof, consequenceOf = [] }) => [...proof, consequenceOf].flat()),
    ];
    t.same(
      named.filter((id) => !known.has(id)),
      [],
      `${name}: what is named`,
    );
    const reached = new Set(named);
    t.same(
      ends.filter(({ id }) => !reached.has(id)),
      [],
      `${name}: every end is reached`,
    );
  }
});

type NameserverRow = TraversalResult['steps'][number]['nameservers'][number];

function namesIn({ lookups = [], addresses, failures = [] }: NameserverRow): readonly string[] {
  const onward = [...lookups, ...addresses.map(({ leadsTo }) => leadsTo)].map((to) =>
    'end' in to ? to.end : to.step,
  );
  return [
    ...onward,
    ...addresses.flatMap(({ exchange = [] }) => exchange),
    ...failures.map(({ end }) => end),
  ];
}

t.test('everything that is wrong with a file is told, the first in the message', async (t) => {
  const [, result] = RESULTS[0] ?? [];
  const options = { ...result?.options, families: [], maxDepth: 99 };
  try {
    readResult({ ...result, schema: 3, options, durationMs: 'long' });
    t.fail('it was read');
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    t.equal(error.message, '/schema: must be one of 1, 2');
    t.same(
      error.issues.map(({ pointer }) => pointer),
      ['/schema', '/options/families', '/options/maxDepth', '/durationMs'],
    );
  }
});
