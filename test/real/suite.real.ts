import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { all } from './all.ts';
import { Cleanup } from './cleanup.ts';
import { describeOutcome } from './describe.ts';
import { startHierarchy } from './hierarchy.ts';
import { exceptions } from './resolvers/exceptions.ts';
import { type Seen, sample } from './resolvers/sample.ts';
import { resolvers } from './resolvers/software.ts';
import { traverse } from './traverse.ts';
import type { Expectation, ExpectedEnd } from './world/expectation.ts';
import { expected } from './world/expected.ts';

const timesEach = 50;

t.test('a hierarchy of BIND, NSD, Knot DNS and PowerDNS', { timeout: 600_000 }, async (t) => {
  const cleanup = new Cleanup();
  const directory = await mkdtemp(join(tmpdir(), 'svc-real-'));
  cleanup.add(() => rm(directory, { recursive: true }));
  t.teardown(() => cleanup.run());
  const rootHints = await startHierarchy(directory, cleanup);

  await t.test('the traversal ends as computed by hand', async (t) => {
    for (const expectation of expected) {
      await t.test(questionText(expectation), (t) => checkTraversal(t, expectation, rootHints));
    }
  });

  await t.test('what real resolvers give is what the resolver view says', async (t) => {
    const samples = resolvers.map((software, i) =>
      sample(software, expected, timesEach, { network: `127.53.${10 + i}`, directory, rootHints }, cleanup),
    );
    for (const [i, seen] of (await all(samples)).entries()) {
      const resolver = resolvers[i]?.name ?? '';
      await t.test(resolver, async (t) => {
        for (const [j, expectation] of expected.entries()) {
          checkResolver(t, resolver, expectation, seen[j] ?? new Map());
        }
      });
    }
  });
});

async function checkTraversal(t: Test, expectation: Expectation, rootHints: string): Promise<void> {
  const { status, result } = await traverse(expectation, rootHints);
  t.equal(result.complete, true, 'complete');
  t.same(result.outcomes.map(describeOutcome).sort(), [...expectation.path].sort(), 'path view');
  t.same(
    result.resolver.outcomes.map(describeOutcome).sort(),
    [...expectation.resolver].sort(),
    'resolver view',
  );
  t.equal(result.stats.paths, expectation.paths, 'number of paths');
  t.equal(status, expectation.status, 'exit status');
  const asked = result.exchanges.map(
    ({ server, question }) => `${server.address} ${question.name} ${question.type}`,
  );
  t.equal(new Set(asked).size, asked.length, 'nothing is asked twice');
}

/** No outcome of probability 0 may be seen; one that is certain has to be seen, and nothing else. */
function checkResolver(t: Test, resolver: string, expectation: Expectation, seen: Seen): void {
  const possible = new Set(expectation.resolver.map(userOutcome));
  const excused = exceptions.filter(
    (known) => known.resolver === resolver && known.name === expectation.name,
  );
  for (const { outcome, reason } of excused) {
    t.comment(`${expectation.name}: ${outcome} excused: ${resolver} ${reason}`);
  }
  const allowed = new Set([...possible, ...excused.map((known) => known.outcome)]);
  const counts = [...seen].map(([outcome, times]) => `${times} × ${outcome}`).join(', ');
  const impossible = [...seen.keys()].filter((outcome) => !allowed.has(outcome));
  t.same(impossible, [], `${questionText(expectation)}: only what is possible (${counts})`);
  const [certain] = possible;
  if (possible.size === 1 && certain !== undefined) {
    t.ok(seen.has(certain), `${questionText(expectation)}: what is certain appears`);
  }
}

/** A user sees neither which server answered nor which aliases were followed. */
function userOutcome([, what]: ExpectedEnd): string {
  return what.replace(/ following .*/, '');
}

function questionText({ name, type }: Expectation): string {
  return `${name} ${type}`;
}
