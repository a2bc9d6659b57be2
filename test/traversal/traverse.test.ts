import t from 'tap';
import { createFairClock } from '../../src/base/clock.ts';
import { ShapeError } from '../../src/base/shape.ts';
import { parseName } from '../../src/dns/name.ts';
import type { TraversalEvent } from '../../src/document/events.ts';
import { DEFAULT_OPTIONS, type TraversalOptions } from '../../src/document/options.ts';
import { readResult } from '../../src/document/read-result.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { createExchange } from '../../src/exchange/exchange.ts';
import type { Exchange } from '../../src/exchange/exchanged.ts';
import { parseRootHints } from '../../src/explore/root-hints.ts';
import { demoWorld } from '../../src/lab/demo-world.ts';
import { startLab } from '../../src/lab/lab.ts';
import { showcases } from '../../src/lab/showcases.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { renderText } from '../../src/report/result-text.ts';
import { replay } from '../../src/traversal/node-replay.ts';
import { type TraversalRequest, traverse } from '../../src/traversal/traverse.ts';
import { showcaseResult } from '../lab/demo-result.ts';

const OPTIONS: TraversalOptions = { ...DEFAULT_OPTIONS, families: [4, 6], specialTargets: 'allowed' };

function withoutReason<Row extends { readonly reason?: string }>({ reason: _, ...row }: Row) {
  return row;
}

t.test('on the demo', async (t) => {
  const lab = await startLab(demoWorld());
  t.teardown(lab.close);
  const hints = parseRootHints(lab.hints);
  const exchange = createExchange({ clock: createFairClock(), route: lab.route, timeoutMs: 300, retries: 0 });
  const about = (name: string, type = 'A', options = OPTIONS): TraversalRequest => {
    return { question: { name: parseName(name), type }, options, hints };
  };
  const silent = { exchange, emit: () => undefined, signal: new AbortController().signal };

  t.test('a saved result, read and evaluated again, is the same to the last digit', async (t) => {
    for (const result of await Promise.all(showcases.map(showcaseResult))) {
      const saved = JSON.stringify(result);
      const again = JSON.stringify(replay(readResult(JSON.parse(saved))));
      // Two large documents take long to compare member by member.
      if (again === saved) t.pass(result.query.name);
      else t.strictSame(JSON.parse(again), JSON.parse(saved), result.query.name);
    }
  });

  t.test('a result cut off by a limit is, too', async (t) => {
    for (const limit of [{ maxQueries: 12 }, { maxDepth: 2 }, { maxWork: 5 }]) {
      const result = await traverse(about('www.mixed.example', 'A', { ...OPTIONS, ...limit }), silent);
      t.equal(result.complete, false);
      const saved: unknown = JSON.parse(JSON.stringify(result));
      t.strictSame(JSON.parse(JSON.stringify(replay(readResult(saved)))), saved, JSON.stringify(limit));
    }
  });

  t.test('a complete result lists no question that a limit left, and reads back the same', async (t) => {
    const check = { ...OPTIONS, check: true };
    const { figures } = await traverse(about('www.shop.example', 'A', check), silent);
    const few = { ...check, maxQueries: figures.exchanges - figures.checkExchanges + 5 };
    const result = await traverse(about('www.shop.example', 'A', few), silent);
    t.match(result, { complete: true, ending: 'query-limit', unasked: [] });
    const inVain = result.exchanges.filter(({ unused }) => unused);
    t.ok(
      inVain.length > 0 && inVain.every(({ purpose }) => purpose === 'check'),
      'replies that do not count',
    );
    t.equal(result.figures.unused, inVain.length);
    const saved: unknown = JSON.parse(JSON.stringify(result));
    t.strictSame(JSON.parse(JSON.stringify(replay(readResult(saved)))), saved);
  });

  t.test('a family over which no server replies counts as if nobody had it', async (t) => {
    const deaf: Exchange = async (query, ...rest) => {
      const exchanged = await exchange(query, ...rest);
      return query.address.includes(':') ? { ...exchanged, outcome: { kind: 'timeout' } } : exchanged;
    };
    const names = ['www.shop.example', 'www.harbour.example'];
    const [heard, only] = await Promise.all(
      [
        { around: { ...silent, exchange: deaf }, options: OPTIONS },
        { around: silent, options: { ...OPTIONS, families: [4] as const } },
      ].map(({ around, options }) =>
        Promise.all(names.map((name) => traverse(about(name, 'A', options), around))),
      ),
    );
    for (const [at, result] of (heard ?? []).entries()) {
      const expected = only?.[at];
      const name = result.query.name;
      t.same(result.options.families, [4], name);
      t.strictSame(result.views.resolver, expected?.views.resolver, `${name}: users`);
      t.strictSame(
        result.findings.map(({ code }) => code),
        expected?.findings.map(({ code }) => code),
        `${name}: nobody is blamed`,
      );
      t.match(
        renderText(result, { colour: 'off', detail: 'full', width: 100 }),
        /IPv6: no server replied over it from here/,
      );
      const saved: unknown = JSON.parse(JSON.stringify(result));
      t.strictSame(JSON.parse(JSON.stringify(replay(readResult(saved)))), saved, `${name}: read again`);
    }
  });

  t.test('what a limit leaves is the same each time', async (t) => {
    const results = await Promise.all(
      [1, 2].map(() => traverse(about('www.left.example', 'A', { ...OPTIONS, maxQueries: 20 }), silent)),
    );
    const [one, other] = results.map(
      ({
        views: {
          'first-tries': { outcomes },
        },
        unasked,
      }) => ({ outcomes, unasked }),
    );
    t.strictSame(one, other);
  });

  t.test('events: started, each exchange once, progress, complete', async (t) => {
    const events: TraversalEvent[] = [];
    const emit = (event: TraversalEvent) => events.push(event);
    const result = await traverse(about('www.mixed.example'), { ...silent, emit });
    const [first] = events;
    t.match(first, { event: 'started', query: result.query, options: result.options });
    const last = events.at(-1);
    t.match(last, { event: 'complete', status: 'complete', durationMs: result.durationMs });
    t.strictSame(last?.event === 'complete' && last.users, result.users);
    const told = events.filter((event) => event.event === 'exchange');
    t.strictSame(
      told.map(({ id }) => id),
      result.exchanges.map(({ id }) => id),
    );
    t.ok(told.every(({ class: kind, zone }) => kind !== undefined && zone !== undefined));
    for (const { id, server } of told) {
      const row = result.exchanges.find((exchange) => exchange.id === id);
      t.ok(server.names.length > 0, `${server.address} has a name as soon as it is heard`);
      t.ok(
        server.names.every((name) => row?.server.names.includes(name)),
        'and keeps it',
      );
    }
  });

  t.test('an event says the gist of a reply: data, target of an alias, zone of a referral', async (t) => {
    const gists = async (name: string) => {
      const lines = new Set<string>();
      const emit = (event: TraversalEvent) => {
        if (event.event !== 'exchange') return;
        const { class: kind, zone, data, target, referredTo } = event;
        lines.add([zone, kind, ...(data ?? []), target, referredTo].filter(Boolean).join(' '));
      };
      await traverse(about(name, 'A', { ...OPTIONS, views: ['resolver'] }), { ...silent, emit });
      return [...lines].sort();
    };
    t.same(await gists('www.stale.example'), [
      '. referral example.',
      'example. referral stale.example.',
      'stale.example. answer 192.0.2.104',
      'stale.example. answer 198.51.100.104',
    ]);
    t.same(await gists('www.lame.example'), [
      '. referral example.',
      'example. referral lame.example.',
      'lame.example. answer 198.51.100.101',
      'lame.example. lame .',
    ]);
    t.ok((await gists('www.circle.example')).some((line) => / alias www\./.test(line)));
  });

  t.test('whatever was asked, in vain or not at all, has the names of its server', async (t) => {
    const nameless = ({ exchanges, unasked }: TraversalResult) =>
      [...exchanges, ...unasked].filter(({ server }) => server.names.length === 0);
    for (const result of await Promise.all(showcases.map(showcaseResult)))
      t.same(nameless(result), [], result.query.name);
    for (const name of [
      'www.mixed.example',
      'www.left.example',
      'www.moved.example',
      'www.missing-glue.example',
    ]) {
      for (const limit of [{ maxQueries: 9 }, { maxDepth: 3 }, { maxWork: 4 }]) {
        const result = await traverse(about(name, 'A', { ...OPTIONS, ...limit }), silent);
        t.same(nameless(result), [], `${name} ${JSON.stringify(limit)}`);
      }
    }
  });

  t.test('cancelling gives back what was known', async (t) => {
    const cancel = new AbortController();
    const counted = countdown(exchange, 10, () => cancel.abort());
    const events: TraversalEvent[] = [];
    const around = {
      exchange: counted,
      emit: (event: TraversalEvent) => events.push(event),
      signal: cancel.signal,
    };
    const result = await traverse(about('www.mixed.example'), around);
    t.equal(result.complete, false);
    t.equal(result.ending, 'cancelled');
    t.ok(result.figures.exchanges >= 10);
    t.ok(result.unasked.length > 0);
    t.match(events.at(-1), { event: 'complete', status: 'cancelled' });
    const unexplored = result.findings.find(({ code }) => code === 'UNEXPLORED');
    t.match(unexplored?.message, /were not examined \(cancelled\)\.$/);
    t.match(unexplored?.advice, /^Let the traversal run to its end/);
    const text = renderText(result, { colour: 'off', detail: 'terse', width: 200 });
    t.match(text, /\? unknown: cancelled before this was answered/);
    t.match(text, /get is unknown \(cancelled\)/m);
    t.notMatch(text, 'time limit', 'nothing says that a limit was reached');

    const unasked = result.unasked.map((row) => (row.kind === 'time-limit' ? withoutReason(row) : row));
    const savedBefore = readResult({ ...result, unasked });
    t.same(
      replay(savedBefore).views['first-tries'],
      result.views['first-tries'],
      'a file from before it was said so reads the same',
    );
  });

  t.test('a saved file that is none is refused with the place of what is wrong', async (t) => {
    const result = await traverse(about('www.shop.example'), silent);
    const rows: [pointer: string, value: unknown][] = [
      ['/schema', 99],
      ['/query/name', 'a..b'],
      ['/options/maxDepth', -1],
      ['/options/families', []],
      ['/exchanges/0/server/address', 'x'],
      ['/exchanges/0/elapsedMs', 'soon'],
      ['/exchanges/0/question/type', 7],
      ['/delegations', []],
    ];
    for (const [pointer, value] of rows) {
      const spoilt = withValue(result, pointer.split('/').slice(1), value);
      t.throws(() => readResult(spoilt), { name: 'ShapeError', pointer });
    }
    t.throws(() => readResult(null), ShapeError);
    t.throws(() => readResult([]), ShapeError);
  });
});

t.test('record data that do not fit their type are kept, replayed, and say nothing', async (t) => {
  const root = zoneText(
    '.',
    '@ NS a.root.\na.root. A 127.0.10.1\nexample NS ns1.example.\nexample NS \\# 2 0561\nns1.example A 127.0.10.2\nns1.example A \\# 3 7f000a',
  );
  const example = zoneText('example.', '@ NS ns1\nns1 A 127.0.10.2\nwww A \\# 3 c00002\nwww A 192.0.2.1');
  const lab = await startLab({
    servers: [
      { name: 'a.root.', addresses: ['127.0.10.1'], zones: [root] },
      { name: 'ns1.example.', addresses: ['127.0.10.2'], zones: [example] },
    ],
  });
  t.teardown(lab.close);
  const result = await traverse(
    {
      question: { name: parseName('www.example'), type: 'A' },
      options: { ...OPTIONS, views: ['resolver'] },
      hints: parseRootHints(lab.hints),
    },
    {
      exchange: createExchange({ clock: createFairClock(), route: lab.route, timeoutMs: 300, retries: 0 }),
      emit: () => undefined,
      signal: new AbortController().signal,
    },
  );
  t.strictSame(
    result.exchanges.at(-1)?.answer?.map(({ data }) => data),
    ['\\# 3 c00002', '192.0.2.1'],
  );
  t.match(result.views['first-tries'].outcomes, [{ kind: 'answer', probability: 1 }]);
  t.equal(result.exchanges.length, 2, 'no address was read from what is none');
  const saved: unknown = JSON.parse(JSON.stringify(result));
  t.strictSame(JSON.parse(JSON.stringify(replay(readResult(saved)))), saved);
});

/** A copy of a document with another value at a path. */
function withValue(node: unknown, [head, ...rest]: readonly string[], value: unknown): unknown {
  if (head === undefined) return value;
  if (Array.isArray(node))
    return node.map((item, i) => (`${i}` === head ? withValue(item, rest, value) : item));
  if (typeof node !== 'object' || node === null) throw new Error(`nothing at ${head}`);
  return Object.fromEntries(
    Object.entries(node).map(([key, item]) => [key, key === head ? withValue(item, rest, value) : item]),
  );
}

/** An exchange that tells when the last of `count` has ended. */
function countdown(exchange: Exchange, count: number, ended: () => void): Exchange {
  let left = count;
  return async (query, signal) => {
    const exchanged = await exchange(query, signal);
    left -= 1;
    if (left === 0) ended();
    return exchanged;
  };
}
