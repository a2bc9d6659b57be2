import t from 'tap';
import { ShapeError } from '../../src/base/shape.ts';
import { NameError } from '../../src/dns/name.ts';
import { traverseName } from '../../src/traversal/traverse-name.ts';

t.test('one call gives the events and the result', async (t) => {
  const { events, result } = traverseName('www.shop.example', { demo: true, views: ['resolver'] });
  const seen: string[] = [];
  for await (const { event } of events) seen.push(event);
  t.equal(seen[0], 'started');
  t.equal(seen.at(-1), 'complete');
  const {
    views: {
      'first-tries': { summary },
    },
    exchanges,
    query,
    notChecked,
  } = await result;
  t.equal(seen.filter((event) => event === 'exchange').length, exchanges.length);
  t.match(query, { name: 'www.shop.example.', type: 'A' });
  t.match(summary, [{ fraction: '1', kind: 'answer' }]);
  t.ok(notChecked?.some(({ view }) => view === 'validating'));
});

t.test('events that are read late are all there, and need not be read at all', async (t) => {
  const { events, result } = traverseName('WWW.Dead.example', {
    demo: true,
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
    views: { warm: { summary: [{ fraction: '1' }] }, validating: { summary: [{ fraction: '1' }] } },
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

t.test('mistakes of the caller throw at once', async (t) => {
  t.throws(() => traverseName('a..b'), NameError);
  t.throws(() => traverseName('a', { type: 'FOO' }), new RangeError('"FOO" is not a record type'));
  t.throws(() => traverseName('a', { maxDepth: -1 }), ShapeError);
});
