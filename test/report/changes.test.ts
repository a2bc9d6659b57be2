import t from 'tap';
import { parseName } from '../../src/dns/name.ts';
import { readResult } from '../../src/document/read-result.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { fractionText, readFraction, sum } from '../../src/evaluate/fraction.ts';
import { VIEWS } from '../../src/evaluate/views.ts';
import { changesText } from '../../src/report/changes-text.ts';
import {
  changeLine,
  changesBetween,
  notComparedIn,
  type ResultChanges,
} from '../../src/report/views/changes.ts';
import { replay } from '../../src/traversal/node-replay.ts';
import { randomWorld } from '../evaluate/random-world.ts';
import { ALL_VIEWS, demoResult } from '../lab/demo-result.ts';
import { answers, resultIn, savedResult, worldWith, type Zone } from './graph-results.ts';

const OLD = answers('203.0.113.1');
const NEW = answers('203.0.113.2');
const HEALTHY: Zone = { '11.0.0.2': OLD, '11.0.0.3': OLD };

/** A row: what servers say before and after, and which ends changed how, by the address of their server. */
interface Row {
  readonly what: string;
  readonly before?: Zone;
  readonly after: Zone;
  /** "kind address before > after" */
  readonly paths: readonly string[];
  readonly resolvers: readonly string[];
  readonly servers?: { readonly gone: readonly string[]; readonly new: readonly string[] };
  readonly line: string;
}

const ROWS: readonly Row[] = [
  { what: 'nothing', after: HEALTHY, paths: [], resolvers: [], line: 'nothing changed' },
  {
    what: 'one of two servers has another answer',
    after: { '11.0.0.2': NEW, '11.0.0.3': OLD },
    paths: ['answer 203.0.113.2 11.0.0.2 null > 1/2', 'answer 203.0.113.1 11.0.0.2 1/2 > null'],
    resolvers: ['answer 203.0.113.2 11.0.0.2 null > 1/2', 'answer 203.0.113.1 11.0.0.2 1/2 > null'],
    line: '50 % 203.0.113.2 and 50 % 203.0.113.1, was 100 % 203.0.113.1',
  },
  {
    what: 'one of two servers is silent, and resolvers ask the other',
    after: { '11.0.0.2': { kind: 'timeout' }, '11.0.0.3': OLD },
    paths: ['timeout 11.0.0.2 null > 1/2', 'answer 203.0.113.1 11.0.0.2 1/2 > null'],
    resolvers: ['answer 203.0.113.1 11.0.0.3 1/2 > 1', 'answer 203.0.113.1 11.0.0.2 1/2 > null'],
    line: '100 % 203.0.113.1 as before, by other servers; first tries end in 50 % 203.0.113.1 and 50 % timeout, was 100 % 203.0.113.1',
  },
  {
    what: 'a third server',
    after: { ...HEALTHY, '11.0.0.4': OLD },
    paths: [
      'answer 203.0.113.1 11.0.0.2 1/2 > 1/3',
      'answer 203.0.113.1 11.0.0.3 1/2 > 1/3',
      'answer 203.0.113.1 11.0.0.4 null > 1/3',
    ],
    resolvers: [
      'answer 203.0.113.1 11.0.0.2 1/2 > 1/3',
      'answer 203.0.113.1 11.0.0.3 1/2 > 1/3',
      'answer 203.0.113.1 11.0.0.4 null > 1/3',
    ],
    servers: { gone: [], new: ['11.0.0.4'] },
    line: '100 % 203.0.113.1 as before, by other servers; new server 11.0.0.4 ns3.x.',
  },
  {
    what: 'the same records in another order',
    before: { '11.0.0.2': answers('203.0.113.1', '203.0.113.2') },
    after: { '11.0.0.2': answers('203.0.113.2', '203.0.113.1') },
    paths: [],
    resolvers: [],
    line: 'nothing changed',
  },
];

t.test('what changed in the views', async (t) => {
  for (const row of ROWS) {
    const [before, after] = await resultsOf(row);
    const changes = changesBetween(before, after);
    t.same(changes.views['first-tries']?.map(changeText), row.paths, `${row.what}: paths`);
    t.same(changes.views.resolver?.map(changeText), row.resolvers, `${row.what}: resolvers`);
    const { gone, new: appeared } = changes.servers;
    const addresses = { gone: gone.map(addressOf), new: appeared.map(addressOf) };
    t.same(addresses, row.servers ?? { gone: [], new: [] }, `${row.what}: servers`);
    const { findings: _, ...rest } = changes;
    t.equal(changeLine({ ...rest, findings: { gone: [], new: [] } }, before, after), row.line);
    t.equal(changes.same, row.line === 'nothing changed', row.what);
  }
});

t.test('the other way round, what was new is gone', async (t) => {
  for (const row of ROWS) {
    const [before, after] = await resultsOf(row);
    const [there, back] = [changesBetween(before, after), changesBetween(after, before)];
    t.same(back.findings, { gone: there.findings.new, new: there.findings.gone });
    t.same(back.servers, { gone: there.servers.new, new: there.servers.gone });
    t.equal(back.views['first-tries']?.length, there.views['first-tries']?.length);
  }
});

t.test('changes of random worlds: none against itself read back, and as much comes as goes', async (t) => {
  const results = await Promise.all(Array.from({ length: 60 }, (_, seed) => resultIn(randomWorld(seed))));
  for (const [seed, result] of results.entries()) {
    const again = replay(readResult(JSON.parse(JSON.stringify(result))));
    if (!changesBetween(result, again).same) t.fail(`world ${seed} differs from itself`);
    const { views } = changesBetween(result, results[(seed + 1) % results.length] ?? result);
    for (const changes of Object.values(views))
      t.equal(weightOf(changes, 'before'), weightOf(changes, 'after'), `world ${seed}`);
  }
});

t.test('a finding is the same if code, zone and server are', async (t) => {
  const healthy = await resultIn(worldWith(HEALTHY));
  const finding = {
    id: 'f1',
    code: 'NS_LOSSY',
    severity: 'notice',
    zone: parseName('x.'),
    server: { name: parseName('ns1.x.'), address: '11.0.0.2' },
    message: '1 of 9 queries got no reply.',
    advice: 'Look for the cause.',
    causes: [],
    evidence: ['x1'],
  } as const;
  const withFindings = (...findings: TraversalResult['findings']) => ({ ...healthy, findings });
  const elsewhere = { ...finding, server: { name: parseName('ns2.x.'), address: '11.0.0.3' } } as const;
  const again = { ...finding, id: 'f7', message: '2 of 9 queries got no reply.', evidence: ['x2'] } as const;
  t.ok(changesBetween(withFindings(finding), withFindings(again)).same);
  const moved = changesBetween(withFindings(finding), withFindings(elsewhere));
  t.same(moved.findings, { gone: [finding], new: [elsewhere] });
  t.equal(
    changeLine(moved, healthy, healthy),
    'new finding NS_LOSSY ns2.x. 11.0.0.3 of x.; gone finding NS_LOSSY ns1.x. 11.0.0.2 of x.',
  );
});

t.test('warm views are compared where both results have them', async (t) => {
  const world = worldWith(HEALTHY);
  const [cold, warm] = [await resultIn(world), await resultIn(world, { check: true })];
  t.same(changesBetween(cold, warm).views, { 'first-tries': [], resolver: [] });
  t.same(changesBetween(warm, warm).views, {
    'first-tries': [],
    resolver: [],
    'first-tries/warm': [],
    warm: [],
  });
});

t.test('so are products, cold and warm, each by itself', async (t) => {
  const before = await demoResult('www.moved.example', 'A', ALL_VIEWS);
  const { bind = before.views.resolver } = before.views;
  const after = { ...before, views: { ...before.views, 'bind/warm': bind } };
  const changes = changesBetween(before, after);
  t.same(
    VIEWS.map(({ name }) => name).filter((name) => (changes.views[name] ?? []).length > 0),
    ['bind/warm'],
  );
  t.equal(changes.same, false);
  const look = { colour: 'off', detail: 'terse', width: 100 } as const;
  t.match(changesText(changes, [before, after], look), /^Users of bind, warm end in\n/m);
  // Where warm is as cold, a result does not say so twice.
  const { 'bind/warm': _, ...asCold } = before.views;
  const alike = { ...before, views: asCold };
  t.ok(changesBetween(before, alike).views['bind/warm']?.length);
  const notChecked = [{ view: 'profiles', only: ['bind/warm'], reason: 'too much work' } as const];
  t.equal(changesBetween(before, { ...alike, notChecked }).views['bind/warm'], undefined);
});

t.test('views of products that one result leaves out are not compared', (t) => {
  const row = { view: 'profiles', reason: 'too much work' } as const;
  const lacking = (...only: string[]) => ({
    ...savedResult('healthy'),
    notChecked: only.length === 0 ? [] : [{ ...row, only }],
  });
  const whole = { ...savedResult('healthy'), notChecked: [{ view: 'profiles', reason: '--quick' } as const] };
  t.same(notComparedIn(lacking('bind', 'knot/warm'), lacking('bind')), [
    { ...row, only: ['knot/warm'], reason: 'before: too much work' },
  ]);
  t.same(notComparedIn(lacking('bind'), lacking('bind')), []);
  t.same(notComparedIn(whole, lacking('bind')), [{ view: 'profiles', reason: 'before: --quick' }]);
  t.end();
});

t.test('as text', async (t) => {
  const [before, after] = await resultsOf({
    after: { '11.0.0.2': answers('203.0.113.2'), '11.0.0.3': { kind: 'timeout' }, '11.0.0.4': OLD },
  });
  const look = { colour: 'off', detail: 'terse', width: 100 } as const;
  const text = changesText(changesBetween(before, after), [before, after], look);
  t.match(text, /^www\.x\. A {2}changed\n/);
  t.match(text, /^before .* 100 % 203\.0\.113\.1$/m);
  t.match(text, /^ +was +now\n/m);
  t.match(text, /^ {3}- {2}33\.33 % {2}203\.0\.113\.2 .* {2}ns1\.x\. 11\.0\.0\.2 of x\.$/m);
  t.match(text, /^ *50 % +- {2}203\.0\.113\.1 .* {2}ns1\.x\. 11\.0\.0\.2 of x\.$/m);
  t.match(text, /^new {2}11\.0\.0\.4 {2}ns3\.x\.$/m);
  const same = changesText(changesBetween(after, after), [after, after], look);
  t.match(same, /^www\.x\. A {2}the same\n\nbefore [^\n]+\nafter [^\n]+\n$/);
  const hostile = worldWith({ '11.0.0.2': { kind: 'answer', data: ['\u001b[31m'] } });
  const danger = await resultIn(hostile);
  const shown = changesText(changesBetween(before, danger), [before, danger], look);
  t.notOk(shown.includes('\u001b'));
});

async function resultsOf({ before = HEALTHY, after }: Pick<Row, 'before' | 'after'>) {
  return [await resultIn(worldWith(before)), await resultIn(worldWith(after))] as const;
}

function weightOf(changes: readonly Change[], when: 'before' | 'after'): string {
  return fractionText(sum(changes.map((change) => readFraction(change[when] ?? '0'))));
}

type Change = NonNullable<ResultChanges['views']['resolver']>[number];

function changeText({ before, after, ...end }: Change): string {
  const data = end.kind === 'answer' ? end.records.map((record) => record.data) : [];
  return [end.kind, ...data, end.server?.address, `${before} > ${after}`].join(' ');
}

function addressOf({ address }: { readonly address: string }): string {
  return address;
}
