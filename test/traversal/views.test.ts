/** Which views a traversal makes, by its options. */
import t from 'tap';
import { IANA_TRUST_ANCHORS } from '../../src/dns/dnssec/trust-anchors.ts';
import { parseName } from '../../src/dns/name.ts';
import { DEFAULT_OPTIONS, type TraversalOptions } from '../../src/document/options.ts';
import { readResult } from '../../src/document/read-result.ts';
import { delegationOf } from '../../src/explore/delegation.ts';
import { BUILT_IN_HINTS } from '../../src/explore/root-hints.ts';
import { notComparedIn } from '../../src/report/views/changes.ts';
import { replay, withoutViews } from '../../src/traversal/node-replay.ts';
import { optionsInEffect, optionsLike } from '../../src/traversal/options-in-effect.ts';
import { answer, reply, traverseWorld } from '../findings/world.ts';

const OTHER_HINTS = delegationOf(BUILT_IN_HINTS.zone, new Map([[parseName('ns.test'), ['192.0.2.1']]]));

const ANCHORS = { trustAnchors: ['. DS 1 8 2 00'] };

t.test('a view named beside --quick is made, and --check brings the warm walk', async (t) => {
  const rows: readonly (readonly [asked: Partial<TraversalOptions>, effective: string])[] = [
    [{}, 'warm dnssec'],
    [{ quick: false }, 'warm dnssec'],
    [{ quick: true }, ''],
    [{ quick: true, warm: true }, 'warm'],
    [{ quick: true, dnssec: true }, 'dnssec'],
    [{ quick: true, check: true }, 'warm check'],
    [{ quick: true, check: true, warm: false }, 'check'],
    [{ warm: false }, 'dnssec'],
    [{ dnssec: false }, 'warm'],
    [{ check: true }, 'warm dnssec check'],
    [{ check: true, warm: false }, 'dnssec check'],
    [{ edns: 'off' }, 'warm'],
  ];
  for (const [asked, effective] of rows) {
    const options = optionsInEffect({ ...DEFAULT_OPTIONS, ...asked }, BUILT_IN_HINTS);
    const made = (['warm', 'dnssec', 'check'] as const).filter((view) => options[view]);
    t.equal(made.join(' '), effective, JSON.stringify(asked));
    t.same(options.trustAnchors, options.dnssec ? IANA_TRUST_ANCHORS : undefined);
    t.same(optionsInEffect(optionsLike(options), BUILT_IN_HINTS), options, 'they bring the same again');
  }
});

t.test('only --no-dnssec keeps queries from asking for signatures', async (t) => {
  const dnssec = (asked: Partial<TraversalOptions>) =>
    optionsInEffect({ ...DEFAULT_OPTIONS, ...asked }, OTHER_HINTS).dnssec;
  t.equal(dnssec({}), undefined);
  t.equal(dnssec({ quick: true }), undefined);
  t.equal(dnssec({ at: '2026-01-01T00:00:00.000Z' }), undefined);
  t.equal(dnssec({ quick: true, dnssec: false }), false);
  t.equal(dnssec(ANCHORS), true);
});

t.test('the options of an older result name the views that it has', async (t) => {
  const views = (older: Partial<TraversalOptions>) => {
    const { quick, warm, dnssec, check } = optionsLike({ ...DEFAULT_OPTIONS, ...older });
    return { quick, warm, dnssec, check };
  };
  t.same(views({}), { quick: false, warm: false, dnssec: false, check: false });
  t.same(views({ check: true }), { quick: false, warm: true, dnssec: false, check: true });
  t.same(views({ dnssec: true }), { quick: false, warm: false, dnssec: true, check: false });
});

const NEEDS_ANCHORS = '--trust-anchor is needed with these root hints';
const NO_AUDIT = '--check was not given';

t.test('a result says which views were left out, and why', async (t) => {
  const rows: readonly (readonly [
    asked: Partial<TraversalOptions>,
    left: Readonly<Record<string, string>>,
  ])[] = [
    [{ quick: false }, { validating: NEEDS_ANCHORS, audit: NO_AUDIT }],
    [
      { quick: true },
      {
        warm: '--quick',
        validating: '--quick',
        profiles: '--quick',
        rotation: '--quick',
        audit: NO_AUDIT,
      },
    ],
    [
      { quick: false, profiles: [] },
      { validating: NEEDS_ANCHORS, profiles: '--profiles none', audit: NO_AUDIT },
    ],
    [
      { quick: false, warm: false },
      { warm: '--no-warm', validating: NEEDS_ANCHORS, audit: NO_AUDIT },
    ],
    [{ quick: false, dnssec: false, check: true }, { validating: '--no-dnssec' }],
    [
      { quick: false, edns: 'off', ...ANCHORS },
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
  const usual = await codesWith({ quick: false });
  for (const code of ['PARENT_CHILD_NS_DISJOINT', 'WARM_DIFFERS']) t.ok(usual.includes(code), code);
  t.notOk((await codesWith({ quick: true })).includes('PARENT_CHILD_NS_DISJOINT'));
});

t.test('each exchange has the purpose of the first view that needs it', async (t) => {
  const { exchanges, stats } = await traverseWorld({ says: OWN_SETS, options: { check: true } });
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
    t.equal(stats[`${purpose}Exchanges`], count, purpose);
  }
});

t.test('an older result is replayed with the views that it has, and compared in those alone', async (t) => {
  const usual = await traverseWorld({ says: OWN_SETS, options: { quick: false } });
  const { options, ...rest } = await traverseWorld({ says: OWN_SETS, options: { quick: true } });
  const { quick: _quick, warm: _warm, check: _check, profiles: _profiles, ...older } = options;
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
  const { quick: _quick, warm: _warm, profiles: _profiles, ...older } = options;
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
