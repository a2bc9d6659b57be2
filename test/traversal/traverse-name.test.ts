import t from 'tap';
import { summaryOf } from '../../src/document/ends.ts';
import { traverseName } from '../../src/traversal/traverse-name.ts';

t.test('one call gives the events and the result', async (t) => {
  const { events, result } = traverseName('www.shop.example', {
    demo: true,
    full: true,
    views: ['resolver'],
  });
  const seen: string[] = [];
  for await (const { event } of events) seen.push(event);
  t.equal(seen[0], 'started');
  t.equal(seen.at(-1), 'complete');
  const {
    views: {
      'first-tries': { outcomes },
    },
    exchanges,
    query,
    notChecked,
  } = await result;
  t.equal(seen.filter((event) => event === 'exchange').length, exchanges.length);
  t.match(query, { name: 'www.shop.example.', type: 'A' });
  t.match(summaryOf({ outcomes }), [{ fraction: '1', kind: 'answer' }]);
  t.ok(notChecked?.some(({ view }) => view === 'validating'));
});

t.test('events that are read late are all there, and need not be read at all', async (t) => {
  const { events, result } = traverseName('WWW.Dead.example', {
    demo: true,
    full: true,
    views: ['resolver'],
    type: 'aaaa',
  });
  const { query, exchanges } = await result;
  t.match(query, { name: 'www.dead.example.', type: 'AAAA' });
  const seen: string[] = [];
  for await (const { event } of events) seen.push(event);
  t.equal(seen.filter((event) => event === 'exchange').length, exchanges.length);
  t.equal(
    (await traverseName('nowhere.example', { demo: true, views: ['resolver'] }).result).ending,
    'whole',
  );
});

t.test('by default all views are made', async (t) => {
  const result = await traverseName('www.shop.example', { demo: true }).result;
  t.match(result, {
    views: { warm: { outcomes: [{ fraction: '1' }] }, validating: { outcomes: [{ fraction: '1' }] } },
  });
  t.equal(result.views.validating?.outcomes[0]?.kind, 'answer');
});

t.test('a signal cancels, and the result is what was known', async (t) => {
  const controller = new AbortController();
  const { events, result } = traverseName('www.dead.example', {
    demo: true,
    signal: controller.signal,
    timeoutMs: 60_000,
  });
  for await (const { event } of events) if (event === 'exchange') controller.abort();
  t.match(await result, { ending: 'cancelled', complete: false });
});

t.test('mistakes of the caller are rejections, unknown options among them', async (t) => {
  const rows: readonly (readonly [name: string, options: object, error: RegExp])[] = [
    ['a..b', {}, /empty/],
    ['a', { type: 'FOO' }, /^RangeError: "FOO" is not a record type$/],
    ['a', { maxDepth: -1 }, /\/maxDepth: must be an integer/],
    ['a', { maxdepth: 3 }, /\/maxdepth: is unknown \(known: .*maxDepth/],
  ];
  for (const [name, options, error] of rows) {
    const { events, result } = traverseName(name, options);
    await t.rejects(result, { message: new RegExp(error.source.replace('^RangeError: ', '^')) });
    for await (const { event } of events) t.fail(event);
  }
});

t.test('only a full result has its evidence', async (t) => {
  const result: object = await traverseName('www.shop.example', { demo: true, views: ['resolver'] }).result;
  t.match(result, { schema: 3, verdict: { status: 'ok' }, users: [{ kind: 'answer' }] });
  t.notOk('exchanges' in result || 'steps' in result);
});
