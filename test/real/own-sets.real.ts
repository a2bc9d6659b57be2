import t, { type Test } from 'tap';
import { all } from './all.ts';
import { checkTraversal, checkViews, questionText } from './check-traversal.ts';
import type { Lookup } from './resolvers/cold.ts';
import { type Followed, followed, type Habits, habits, type Knowledge } from './resolvers/habits.ts';
import { userOutcomes } from './resolvers/outcome.ts';
import { countsText, type Seen, sample } from './resolvers/sample.ts';
import { settingFor } from './setting.ts';
import { expectedOwnSets, type OwnSetExpectation } from './world/expected-own-sets.ts';
import { namesAsked } from './world/own-sets.ts';

const effort = { times: 5, processes: 3 };

/** Every server in these zones answers, so patience costs no time. */
const flags = ['--check', '--timeout', '5s'];

t.test('zones that name other servers than their delegations', { timeout: 600_000 }, async (t) => {
  const setting = await settingFor(t);

  await t.test('cold and warm views are as computed by hand', async (t) => {
    for (const expectation of expectedOwnSets) {
      await t.test(questionText(expectation), async (t) => {
        const { warm } = await checkTraversal(t, expectation, setting.rootHints, flags);
        t.ok(warm, 'there are warm views');
        if (warm) checkViews(t, 'warm', warm, expectation.warm);
      });
    }
  });

  await t.test(
    'resolvers follow the cold or the warm view, as svc-model(7), Real resolvers says',
    async (t) => {
      const sessions = expectedOwnSets.map(sessionIn);
      const samples = habits.map(({ software }, i) =>
        sample(software, sessions, effort, { ...setting, network: `127.53.${20 + i}` }),
      );
      for (const [i, seen] of (await all(samples)).entries()) {
        const known = habits[i];
        if (known === undefined) continue;
        await t.test(known.software.name, async (t) => {
          for (const [j, expectation] of expectedOwnSets.entries()) {
            checkSession(t, known, expectation, seen[j] ?? []);
          }
        });
      }
    },
  );
});

/** What a resolver can know of the zone at which look-ups of a session. */
const stages: readonly (readonly [Knowledge, lookup: number])[] = [
  ['the delegation', 0],
  ['the answer to a name', 1],
  ["the zone's NS RRset", 3],
  ['an answer by a server in it', 4],
];

/** Names, and between them the NS RRset itself. */
function sessionIn({ zone }: OwnSetExpectation): readonly Lookup[] {
  const names = namesAsked.map((name) => ({ name: `${name}.${zone}`, type: 'A' }));
  return [...names.slice(0, 2), { name: zone, type: 'NS' }, ...names.slice(2)];
}

function checkSession(t: Test, known: Habits, expectation: OwnSetExpectation, seen: readonly Seen[]): void {
  for (const [knowledge, lookup] of stages) {
    const view = followed(known, expectation, knowledge);
    const counts = seen[lookup] ?? new Map();
    const possible = possibleIn(view, expectation);
    const expected = [...counts].filter(([outcome]) => possible.has(outcome));
    const times = expected.reduce((sum, [, times]) => sum + times, 0);
    t.equal(
      times,
      effort.times,
      `${expectation.zone} when it knows ${knowledge}: ${view} (${countsText(counts)})`,
    );
  }
}

function possibleIn(view: Followed, { warm, ...cold }: OwnSetExpectation): ReadonlySet<string> {
  switch (view) {
    case 'cold':
      return userOutcomes(cold);
    case 'warm':
      return userOutcomes(warm);
    case 'either':
      return new Set([...userOutcomes(cold), ...userOutcomes(warm)]);
  }
}
