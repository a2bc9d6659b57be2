import t, { type Test } from 'tap';
import { checkTraversal, questionText } from './check-traversal.ts';
import { userOutcomes } from './cold-resolver.ts';
import { all } from './daemon.ts';
import { exceptions } from './resolver-exceptions.ts';
import { countsText, type Seen, sample } from './resolver-sample.ts';
import { bind, knotResolver, powerdnsRecursor, type ResolverSoftware, unbound } from './resolvers.ts';
import { settingFor } from './setting.ts';
import type { Expectation } from './world/expectation.ts';
import { foreign } from './world/expected-foreign.ts';
import { inDomain } from './world/expected-in-domain.ts';
import { tangled } from './world/expected-tangled.ts';

/** Every resolver the suite compares the model with. */
const resolvers: readonly ResolverSoftware[] = [unbound, bind, knotResolver, powerdnsRecursor];

/** Every question the suite asks, first of the traversal, then of the resolvers. */
const expected: readonly Expectation[] = [...inDomain, ...foreign, ...tangled];

const effort = { times: 25, processes: 6 };

t.test('a hierarchy of BIND, NSD, Knot DNS and PowerDNS', { timeout: 600_000 }, async (t) => {
  const setting = await settingFor(t);

  await t.test('the traversal ends as computed by hand', async (t) => {
    for (const expectation of expected) {
      await t.test(questionText(expectation), async (t) => {
        await checkTraversal(t, expectation, setting.rootHints);
      });
    }
  });

  await t.test('what real resolvers give is what the resolver view says', async (t) => {
    const sessions = expected.map((expectation) => [expectation]);
    const samples = resolvers.map((software, i) =>
      sample(software, sessions, effort, { ...setting, network: `127.53.${10 + i}` }),
    );
    for (const [i, seen] of (await all(samples)).entries()) {
      const resolver = resolvers[i]?.name ?? '';
      await t.test(resolver, async (t) => {
        for (const [j, expectation] of expected.entries()) {
          checkResolver(t, resolver, expectation, seen[j]?.[0] ?? new Map());
        }
      });
    }
  });
});

/** No outcome of probability 0 may be seen; one that is certain has to be seen, and nothing else. */
function checkResolver(t: Test, resolver: string, expectation: Expectation, seen: Seen): void {
  const possible = userOutcomes(expectation);
  const excused = exceptions.filter(
    (known) => known.resolver === resolver && known.name === expectation.name,
  );
  for (const { outcome, reason } of excused) {
    t.comment(`${expectation.name}: ${outcome} excused: ${resolver} ${reason}`);
  }
  const allowed = new Set([...possible, ...excused.map((known) => known.outcome)]);
  const impossible = [...seen.keys()].filter((outcome) => !allowed.has(outcome));
  t.same(impossible, [], `${questionText(expectation)}: only what is possible (${countsText(seen)})`);
  const [certain] = possible;
  if (possible.size === 1 && certain !== undefined) {
    t.ok(seen.has(certain), `${questionText(expectation)}: what is certain appears`);
  }
}
