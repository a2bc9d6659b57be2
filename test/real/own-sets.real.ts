import t, { type Test } from 'tap';
import { checkTraversal, checkViews, questionText } from './check-traversal.ts';
import { type Lookup, userOutcomes } from './cold-resolver.ts';
import { all } from './daemon.ts';
import { countsText, type Seen, sample } from './resolver-sample.ts';
import {
  bind,
  knotResolver,
  powerdnsRecursor,
  powerdnsWithoutParentSets,
  type ResolverSoftware,
  trustingUnbound,
  unbound,
  verifyingUnbound,
} from './resolvers.ts';
import { settingFor } from './setting.ts';
import { expectedOwnSets, type OwnSetExpectation } from './world/expected-own-sets.ts';
import { namesAsked } from './world/own-sets.ts';

const effort = { times: 5, processes: 3 };

/** Every server in these zones answers, so patience costs no time. */
const flags = ['--check', '--timeout', '5s'];

/** Unbound as Debian has it. Its log says "removing promiscuous RRset", since the fix of CVE-2025-11411. */
const unboundHabits: Habits = {
  software: unbound,
  learnsFrom: 'nothing',
  keepsIt: 'from then on',
  asks: "the zone's addresses",
  otherwise: "asks the parent's servers",
};

/** PowerDNS Recursor as Debian has it. */
const powerdnsHabits: Habits = {
  software: powerdnsRecursor,
  learnsFrom: 'all answers',
  keepsIt: 'from then on',
  asks: "the zone's addresses",
  otherwise: "asks the parent's servers",
};

const habits: readonly Habits[] = [
  unboundHabits,
  { ...unboundHabits, software: trustingUnbound, learnsFrom: 'all answers' },
  // It asks for the RRset while it looks up the first name, and does not wait for it.
  { ...unboundHabits, software: verifyingUnbound, learnsFrom: 'a question of its own' },
  // Since the fix of CVE-2025-40778 it ignores NS records in answers that may be forged. It looks the
  // addresses of the zone's servers up from the root, meets the delegation on the way, and goes by that
  // from then on. Addresses that it has as glue it does not look up.
  {
    software: bind,
    learnsFrom: 'answers with a cookie',
    keepsIt: 'until it meets the delegation again',
    asks: "the parent's addresses",
    otherwise: 'gives up',
  },
  // It keeps nothing that comes with an answer, neither NS records nor addresses.
  {
    software: knotResolver,
    learnsFrom: 'nothing',
    keepsIt: 'from then on',
    asks: "the parent's addresses",
    otherwise: 'gives up',
  },
  powerdnsHabits,
  { ...powerdnsHabits, software: powerdnsWithoutParentSets, otherwise: 'gives up' },
];

const afterAnswer: Record<Habits['learnsFrom'], Record<OwnSetExpectation['told'], Followed>> = {
  nothing: {
    'with a cookie': 'cold',
    'without a cookie': 'cold',
    'by some with a cookie': 'cold',
    'not at all': 'cold',
  },
  'answers with a cookie': {
    'with a cookie': 'warm',
    'without a cookie': 'cold',
    'by some with a cookie': 'either',
    'not at all': 'cold',
  },
  'all answers': {
    'with a cookie': 'warm',
    'without a cookie': 'warm',
    'by some with a cookie': 'warm',
    'not at all': 'cold',
  },
  'a question of its own': {
    'with a cookie': 'either',
    'without a cookie': 'either',
    'by some with a cookie': 'either',
    'not at all': 'either',
  },
};

t.test('zones that name other servers than their delegations', { timeout: 600_000 }, async (t) => {
  const setting = await settingFor(t);

  await t.test('cold and warm views are as computed by hand', async (t) => {
    for (const expectation of expectedOwnSets) {
      await t.test(questionText(expectation), async (t) => {
        const { views } = await checkTraversal(t, expectation, setting.rootHints, flags);
        const { 'first-tries/warm': tries, warm } = views;
        t.ok(warm, 'there are warm views');
        if (tries && warm) checkViews(t, 'warm', { 'first-tries': tries, resolver: warm }, expectation.warm);
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

/** What a resolver makes of a zone's own NS RRset, as svc-model(7), Real resolvers says. */
interface Habits {
  readonly software: ResolverSoftware;
  /** What teaches it the RRset before somebody asks for it. */
  readonly learnsFrom: 'nothing' | 'answers with a cookie' | 'all answers' | 'a question of its own';
  /** How long it goes by the RRset. */
  readonly keepsIt: 'from then on' | 'until it meets the delegation again';
  /** Where it asks a server that parent and zone give different addresses. */
  readonly asks: "the parent's addresses" | "the zone's addresses";
  /** What it does when no server in the RRset is of use. */
  readonly otherwise: "asks the parent's servers" | 'gives up';
}

/** What a resolver can know of a zone when it is asked. */
type Knowledge =
  | 'the delegation'
  | 'the answer to a name'
  | "the zone's NS RRset"
  | 'an answer by a server in it';

/** Whose outcomes it gives; "either" where it depends on which server was asked or what came first. */
type Followed = 'cold' | 'warm' | 'either';

/** Which view a resolver of these habits follows. */
function followed(habits: Habits, zone: OwnSetExpectation, knowledge: Knowledge): Followed {
  if (zone.own === 'other addresses' && habits.asks === "the parent's addresses") return 'cold';
  if (zone.own === 'servers that refuse' && habits.otherwise === "asks the parent's servers") return 'cold';
  switch (knowledge) {
    case 'the delegation':
      return 'cold';
    case 'the answer to a name':
      return afterAnswer[habits.learnsFrom][zone.told];
    case "the zone's NS RRset":
      return mayForget(habits, zone) && knewBefore(habits, zone) ? 'either' : 'warm';
    case 'an answer by a server in it':
      return mayForget(habits, zone) ? 'either' : 'warm';
  }
}

/** Whether the addresses of its servers lead through the delegation. */
function mayForget({ keepsIt }: Habits, { own }: OwnSetExpectation): boolean {
  return keepsIt === 'until it meets the delegation again' && own !== 'servers elsewhere';
}

/** Whether it may be looking these addresses up already when the NS RRset is asked for. */
function knewBefore({ learnsFrom }: Habits, { told }: OwnSetExpectation): boolean {
  return afterAnswer[learnsFrom][told] !== 'cold';
}
