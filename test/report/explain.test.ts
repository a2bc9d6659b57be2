import { readFileSync } from 'node:fs';
import t from 'tap';
import { parseName } from '../../src/dns/name.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import type { Detail } from '../../src/document/words/shortened.ts';
import type { End } from '../../src/evaluate/end.ts';
import { readFraction } from '../../src/evaluate/fraction.ts';
import { explainEnd, explained } from '../../src/report/explanations.ts';
import { renderText } from '../../src/report/result-text.ts';
import { type Rows, table } from '../../src/report/text/table.ts';
import { toDoRows } from '../../src/report/text/to-do-rows.ts';
import { toDo } from '../../src/report/to-do.ts';
import { resultView } from '../../src/report/views/result-view.ts';
import { wordingFor } from '../../src/report/views/wording.ts';
import { randomWorld } from '../evaluate/random-world.ts';
import { AT, NS, ROWS, SCENE, SERVER } from './explained-ends.ts';
import { hostile, resultIn, savedNames, savedResult } from './graph-results.ts';

t.test('every kind of end is explained', async (t) => {
  for (const [kind, rows] of Object.entries(ROWS)) {
    for (const { end, context, means, who, what } of rows) {
      const servers = end.server === null ? [] : [end.server];
      const advice = explainEnd({ end, servers }, { ...SCENE, ...context });
      const name = `${kind} ${means.source}`;
      t.equal(end.kind, kind);
      t.match(advice.means, means, name);
      t.same(
        advice.actions.map((action) => action.who),
        who,
        name,
      );
      if (what !== undefined) t.match(advice.actions.map((action) => action.what).join('\n'), what, name);
      t.notMatch(advice.means, /undefined|\.\.| {2}/, `${name}: is a sentence`);
    }
  }
});

t.test('several servers share an explanation, each named once with its addresses', async (t) => {
  const servers = [
    { name: NS, address: '2001:db8::2' },
    { name: NS, address: '192.0.2.2' },
    { name: SERVER.name, address: '192.0.2.1' },
  ];
  const end: End = { kind: 'lame', reason: 'self', ...AT };
  t.match(
    explainEnd({ end, servers }, SCENE).means,
    /^ns2\.host\.test \(192\.0\.2\.2, 2001:db8::2\) and ns1\.host\.test \(192\.0\.2\.1\) are listed as servers/,
  );
  const blocked: End = { kind: 'blocked', ...AT };
  t.match(explainEnd({ end: blocked, servers }, SCENE).means, /were not asked/);
});

function rowsFor(result: TraversalResult, detail: Detail = 'terse'): Rows {
  return toDoRows(toDo(resultView(result, detail)), wordingFor(result, detail), 80);
}

const FIXTURES = new URL('../fixtures/explain/', import.meta.url);

t.test('saved results are explained as expected', async (t) => {
  for (const name of savedNames) {
    const rows = rowsFor(savedResult(name));
    const expected = readFileSync(new URL(`${name}.txt`, FIXTURES), 'utf8');
    t.equal(
      table(rows, 80, (text) => text),
      expected,
      name,
    );
  }
});

t.test('each end is explained once, and together they are all', async (t) => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const result = { ...(await resultIn(randomWorld(seed))), findings: [] };
    const { ends } = explained(resultView(result, 'terse'));
    const paths = ends.filter(({ view }) => view === 'first-tries');
    const sum = paths.reduce(
      (total, { probability }) => total + Number(probability.numerator) / Number(probability.denominator),
      0,
    );
    t.ok(Math.abs(sum - 1) < 1e-9, `world ${seed}`);
    const servfail = result.views.resolver.outcomes.filter(({ kind }) => kind === 'servfail');
    const told = ends.filter(({ view }) => view === 'resolver');
    t.equal(told.length, new Set(servfail.map(({ zone, question }) => `${zone} ${question.name}`)).size);
    t.ok(servfail.every(({ fraction: text }) => readFraction(text).numerator > 0n));
  }
});

t.test('explanations are part of the text where they are asked for', async (t) => {
  const look = { colour: 'off', detail: 'terse', width: 80 } as const;
  const result = savedResult('mixed');
  const [listed, explains] = [renderText(result, look), renderText(result, { ...look, ends: 'explained' })];
  t.notMatch(listed, 'The operator of ns.mixed.example: start the server');
  t.match(explains, '\n  - The operator of ns.mixed.example: start the server');
  t.same(
    explains.split('\n').filter((line) => [...line].length > 80),
    [],
    'no line is too wide',
  );
  const attacked = renderText(hostile(result), { ...look, ends: 'explained' });
  t.notMatch(attacked.replaceAll('\n', ''), /[\p{C}\p{Zl}\p{Zp}]/u, 'nothing that a terminal acts on');
});

t.test('of very many ends the most probable are explained', async (t) => {
  const result = savedResult('mixed');
  const [first] = result.views['first-tries'].outcomes;
  if (first === undefined) throw new Error('there is no end');
  const outcomes = Array.from({ length: 20 }, (_, at) => ({
    ...first,
    kind: 'timeout' as const,
    zone: parseName(`z${at}.example`),
    fraction: '1/20',
  }));
  const views = { ...result.views, 'first-tries': { ...result.views['first-tries'], outcomes } };
  const rows = rowsFor({ ...result, views, findings: [] });
  t.match(rows.at(-1), [{ text: 'and 8 less probable ends (-v explains all)' }]);
  t.notMatch(JSON.stringify(rowsFor({ ...result, views }, 'full')), /less probable/);
});
