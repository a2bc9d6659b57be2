/** Which views a traversal makes, by its options. */
import t from 'tap';
import { readShape } from '../../src/base/shape.ts';
import { IANA_TRUST_ANCHORS } from '../../src/dns/dnssec/trust-anchors.ts';
import { parseName } from '../../src/dns/name.ts';
import { DEFAULT_OPTIONS, OPTIONS, type TraversalOptions } from '../../src/document/options.ts';
import { readResult } from '../../src/document/read-result.ts';
import { CHOSEN_VIEWS, QUICK_VIEWS } from '../../src/evaluate/views.ts';
import { delegationOf } from '../../src/explore/delegation.ts';
import { DEFAULT_PROFILES } from '../../src/explore/profiles/profiles.ts';
import { BUILT_IN_HINTS } from '../../src/explore/root-hints.ts';
import { notComparedIn } from '../../src/report/views/changes.ts';
import { replay, withoutViews } from '../../src/traversal/node-replay.ts';
import { optionsInEffect, optionsLike } from '../../src/traversal/options-in-effect.ts';
import { answer, reply, traverseWorld } from '../findings/world.ts';

const OTHER_HINTS = delegationOf(BUILT_IN_HINTS.zone, new Map([[parseName('ns.test'), ['192.0.2.1']]]));

const ANCHORS = { trustAnchors: ['. DS 1 8 2 00'] };

t.test('the views that are asked for are made, always those of the cold walk', async (t) => {
  const rows: readonly (readonly [asked: Partial<TraversalOptions>, views: string, profiles: number])[] = [
    [{}, 'first-tries resolver warm validating profiles', DEFAULT_PROFILES.length],
    [{ views: QUICK_VIEWS }, 'first-tries resolver', 0],
    [{ views: [] }, 'first-tries resolver', 0],
    [{ views: ['validating', 'warm'] }, 'first-tries resolver warm validating', 0],
    [{ views: ['resolver'], profiles: ['bind'] }, 'first-tries resolver', 1],
  ];
  for (const [asked, views, profiles] of rows) {
    const options = optionsInEffect({ ...DEFAULT_OPTIONS, ...asked }, BUILT_IN_HINTS);
    t.equal(options.views?.join(' '), views);
    t.equal(options.profiles?.length, profiles, views);
    const isValidated = options.views?.includes('validating');
    t.same(options.trustAnchors, isValidated ? IANA_TRUST_ANCHORS : undefined);
    t.same(optionsInEffect(optionsLike(options), BUILT_IN_HINTS), options, 'they bring the same again');
  }
});

t.test('replies are validated by trust anchors of the same root, and with EDNS', async (t) => {
  const anchors = (asked: Partial<TraversalOptions>) =>
    optionsInEffect({ ...DEFAULT_OPTIONS, ...asked }, OTHER_HINTS).trustAnchors;
  t.equal(anchors({}), undefined);
  t.equal(anchors({ views: QUICK_VIEWS, ...ANCHORS }), undefined);
  t.equal(anchors({ edns: 'off', ...ANCHORS }), undefined);
  t.same(anchors(ANCHORS), ANCHORS.trustAnchors);
});

t.test('the options of an older result name the views that it has', async (t) => {
  const views = (older: object) => readShape(OPTIONS, older).views?.join(' ');
  t.equal(views({}), undefined, 'not recorded');
  t.equal(views({ check: true }), undefined);
  t.equal(views({ dnssec: true }), 'first-tries resolver validating');
  t.equal(views({ quick: true, warm: false, profiles: [] }), 'first-tries resolver');
  t.equal(views({ quick: false, warm: true, profiles: ['bind'] }), 'first-tries resolver warm profiles');
  t.same(optionsLike(DEFAULT_OPTIONS).views, QUICK_VIEWS);
});

const NEEDS_ANCHORS = '--trust-anchor is needed with these root hints';
const NO_AUDIT = '--check was not given';

t.test('a result says which views were left out, and why', async (t) => {
  const rows: readonly (readonly [
    asked: Partial<TraversalOptions>,
    left: Readonly<Record<string, string>>,
  ])[] = [
    [{ views: CHOSEN_VIEWS }, { validating: NEEDS_ANCHORS, audit: NO_AUDIT }],
    [
      { views: QUICK_VIEWS },
      {
        warm: '--quick',
        validating: '--quick',
        profiles: '--quick',
        rotation: '--quick',
        audit: NO_AUDIT,
      },
    ],
    [
      { views: CHOSEN_VIEWS, profiles: [] },
      { validating: NEEDS_ANCHORS, profiles: '--profiles none', audit: NO_AUDIT },
    ],
    [{ views: ['validating', 'profiles'] }, { warm: '--views', validating: NEEDS_ANCHORS, audit: NO_AUDIT }],
    [{ views: ['warm', 'profiles'], check: true }, { validating: '--views' }],
    [
      { views: CHOSEN_VIEWS, edns: 'off', ...ANCHORS },
      { validating: 'signatures cannot be asked for with --no-edns', audit: NO_AUDIT },
    ],
  ];
  for (const [options, left] of rows) {
    const result = await traverseWorld({ says: OWN_SETS, options, probes: {} });
    const { notChecked = [] } = result;
    t.same(Object.fromEntries(notChecked.map(({ view, reason }) => [view, reason])), left);
    t.equal(result.views['first-tries/warm'] === undefined, 'warm' in left);
    const saved: unknown = JSON.parse(JSON.stringify(result));
    t.same(replay(readResult(saved)).notChecked, notChecked, 'and so does its replay');
  }
});

/** A zone whose own NS records name a third server, which has other data. */
const OWN_SETS = {
  '192.0.2.1 . NS': reply({ answer: ['. NS r1.', '. NS r2.'] }),
  '192.0.2.2 . NS': reply({ answer: ['. NS r1.', '. NS r2.'] }),
  '192.0.2.11 a. NS': reply({ answer: ['a. NS ns3.a.'], additional: ['ns3.a. A 192.0.2.13'] }),
  '192.0.2.12 a. NS': reply({ answer: ['a. NS ns3.a.'], additional: ['ns3.a. A 192.0.2.13'] }),
  '192.0.2.13 *': answer('192.0.2.81'),
};

t.test('what the warm walk proves is found by default', async (t) => {
  const codesWith = async (options: Partial<TraversalOptions>) => {
    const { findings } = await traverseWorld({ says: OWN_SETS, options });
    return findings.map(({ code }) => code);
  };
  const usual = await codesWith({ views: CHOSEN_VIEWS });
  for (const code of ['PARENT_CHILD_NS_DISJOINT', 'WARM_DIFFERS']) t.ok(usual.includes(code), code);
  t.notOk((await codesWith({ views: QUICK_VIEWS })).includes('PARENT_CHILD_NS_DISJOINT'));
});

t.test('each exchange has the purpose of the first view that needs it', async (t) => {
  const { exchanges, figures } = await traverseWorld({ says: OWN_SETS, options: { check: true } });
  const rows = new Map(
    exchanges.map(({ server, question, purpose }) => [
      `${server.address} ${question.name} ${question.type}`,
      purpose,
    ]),
  );
  t.equal(rows.get('192.0.2.11 www.a. A'), undefined);
  t.equal(rows.get('192.0.2.11 a. NS'), 'warm');
  t.equal(rows.get('192.0.2.13 www.a. A'), 'warm');
  t.equal(rows.get('192.0.2.11 a. SOA'), 'check');
  for (const purpose of ['warm', 'check'] as const) {
    const count = exchanges.filter((one) => one.purpose === purpose).length;
    t.equal(figures[`${purpose}Exchanges`], count, purpose);
  }
});

t.test('an older result is replayed with the views that it has, and compared in those alone', async (t) => {
  const usual = await traverseWorld({ says: OWN_SETS, options: { views: CHOSEN_VIEWS } });
  const { options, ...rest } = await traverseWorld({ says: OWN_SETS, options: { views: QUICK_VIEWS } });
  const { views: _views, check: _check, profiles: _profiles, ...older } = options;
  const saved = readResult(JSON.parse(JSON.stringify({ ...rest, options: older })));
  const replayed = replay(saved);
  t.same(replayed.notChecked, [
    { view: 'warm', reason: 'not recorded' },
    { view: 'validating', reason: 'not recorded' },
    { view: 'profiles', reason: 'not recorded' },
    { view: 'rotation', reason: 'not recorded' },
    { view: 'audit', reason: 'not recorded' },
  ]);
  const notCompared = notComparedIn(replayed, usual);
  t.same(notCompared, [
    { view: 'warm', reason: 'before: not recorded' },
    { view: 'profiles', reason: 'before: not recorded' },
  ]);
  const narrowed = withoutViews(usual, new Set(notCompared.map(({ view }) => view)));
  t.equal(narrowed.views['first-tries/warm'], undefined);
  t.equal(narrowed.views.bind, undefined);
  t.same(narrowed.findings, replayed.findings, 'findings of the warm walk are no change');
  t.same(narrowed.views['first-tries'].outcomes, usual.views['first-tries'].outcomes);
  t.ok(narrowed.exchanges.every(({ purpose }) => purpose === undefined));
});

t.test('an older result with --check has the warm views', async (t) => {
  const { options, ...rest } = await traverseWorld({ says: OWN_SETS, options: { check: true } });
  const { views: _views, profiles: _profiles, ...older } = options;
  const asOlder = rest.exchanges.map((row) =>
    row.purpose === undefined ? row : { ...row, purpose: 'check' as const },
  );
  const replayed = replay(
    readResult(JSON.parse(JSON.stringify({ ...rest, exchanges: asOlder, options: older }))),
  );
  t.same(replayed.views['first-tries/warm'], rest.views['first-tries/warm']);
  t.same(
    replayed.exchanges.map(({ purpose }) => purpose),
    rest.exchanges.map(({ purpose }) => purpose),
  );
  t.same(replayed.notChecked, [
    { view: 'validating', reason: 'not recorded' },
    { view: 'profiles', reason: 'not recorded' },
    { view: 'rotation', reason: 'not recorded' },
  ]);
});
