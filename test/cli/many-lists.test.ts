import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { MostCounted } from '../../src/cli/many/culprits.ts';
import { Ahead, type ListSize, listSize, readLine } from '../../src/cli/many/name-list.ts';
import { runPool } from '../../src/cli/many/run-pool.ts';
import { closingLine, type NameCounts, paceNotice, progressLine } from '../../src/cli/many/tally.ts';
import { showcases } from '../../src/lab/showcases.ts';
import { settled } from '../base/fake-clock.ts';
import { inside, linesOf, many, SUMMED_UP } from './inside.ts';
import { ended, start } from './svc.ts';

t.test('a line of a list', async (t) => {
  const rows: readonly (readonly [text: string, expected: string | undefined])[] = [
    ['www.example.com', 'www.example.com. A'],
    ['  example.com\tmx  ', 'example.com. MX'],
    ['example.com TYPE65280 # a comment', 'example.com. TYPE65280'],
    ['example.com ; a comment', 'example.com. A'],
    ['münchen.example', 'xn--mnchen-3ya.example. A'],
    ['192.0.2.1', '1.2.0.192.in-addr.arpa. PTR'],
    ['2001:db8::1', `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa. PTR`],
    ['.', '. A'],
    ['', undefined],
    ['   ', undefined],
    ['# only a comment', undefined],
    ['; only a comment', undefined],
    ['\r', undefined],
    ['a..b', 'bad: "a..b" is not a domain name'],
    ['a.test NONSENSE', 'bad: "NONSENSE" is not a record type'],
    ['a.test A b.test', 'bad: "a.test A b.test" is more than a name and a type'],
    ['192.0.2.1 A', 'bad: "192.0.2.1" is an address'],
    [`a b ${'c'.repeat(500)}`, 'bad: "a b ccccccccccccccccccccccccccc"… (506 characters) is more than'],
  ];
  for (const [text, expected] of rows) {
    const read = readLine(text, 7);
    if (read === undefined || expected === undefined) t.equal(read, expected, JSON.stringify(text));
    else if (read.kind === 'name') t.equal(`${read.question.name} ${read.question.type}`, expected);
    else t.ok(`bad: ${read.why}`.startsWith(expected), `bad: ${read.why}`);
  }
});

t.test('the size of a list', async (t) => {
  const text = '# a comment\n\na.test\n  ; another\n\tb.test # a name\r\n\r\nc.test';
  const dir = t.testdir({ 'list.txt': text, 'long.txt': 'a.test\n'.repeat(100) });
  t.same(await listSize(join(dir, 'list.txt')), { kind: 'counted', names: 3 });
  t.same(await listSize(join(dir, 'long.txt'), 70), { kind: 'estimated', names: 100 });
  // Opening it would wait for a writer.
  const pipe = join(dir, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const path of [dir, '/dev/null', pipe, join(dir, 'none')]) t.equal(await listSize(path), undefined);
});

t.test('a list that is read far ahead', async (t) => {
  const numbers = new Ahead(
    (async function* () {
      for (let number = 0; number < 2_500; number += 1) yield number;
    })(),
  );
  const taken: number[] = [];
  for (let next = await numbers.next(); next.done !== true; next = await numbers.next())
    taken.push(next.value);
  t.same(
    taken,
    Array.from({ length: 2_500 }, (_, number) => number),
  );
  t.equal(numbers.total, 2_500);
});

t.test('several at once, in order or not', async (t) => {
  const run = async (order: 'as-given' | 'as-they-end', steps: readonly number[]) => {
    const waiting = new Map<number, () => void>();
    const written: number[] = [];
    let most = 0;
    let ahead = 0;
    const items = (async function* () {
      for (let item = 0; item < steps.length; item += 1) yield item;
    })();
    const work = (item: number) =>
      new Promise<number>((resolve) => {
        waiting.set(item, () => resolve(item));
        most = Math.max(most, waiting.size);
        ahead = Math.max(ahead, item - written.length);
      });
    const write = async (item: number) => {
      written.push(item);
    };
    const signal = new AbortController().signal;
    const done = runPool({ items, work, write, jobs: 2, order, signal });
    for (const step of steps) {
      while (!waiting.has(step)) await settled();
      waiting.get(step)?.();
      waiting.delete(step);
      await settled();
    }
    await done;
    return { written, most, ahead };
  };
  t.same(await run('as-they-end', [1, 2, 0, 3]), { written: [1, 2, 0, 3], most: 2, ahead: 1 });
  t.same(await run('as-given', [1, 2, 0, 3]), { written: [0, 1, 2, 3], most: 2, ahead: 3 });
  const inOrder = Array.from({ length: 12 }, (_, item) => item);
  const firstLate = [...inOrder.slice(1, 8), 0, ...inOrder.slice(8)];
  t.same(
    await run('as-given', firstLate),
    { written: inOrder, most: 2, ahead: 7 },
    'a slow one holds up those that are too far ahead of it',
  );
  const lines = new Ahead(
    (async function* () {
      yield 1;
      throw new Error('unreadable');
    })(),
  );
  t.same(await lines.next(), { done: false, value: 1 });
  await t.rejects(lines.next(), { message: 'unreadable' });
});

/** How far a run over all showcases is. */
const SIX_OR_MORE = new RegExp(`\\D(?:[6-9]|1\\d|2\\d) of ${showcases.length} names`);

const dir = t.testdir({
  'good.txt': `# all that the demo has\n${showcases.map(({ name, type }) => `${name} ${type}\n`).join('')}`,
  'healthy.txt': 'www.shop.example\nwww.blog.test',
});
const file = (name: string) => join(dir, name);

t.test('an interrupted run is resumed', async (t) => {
  const results = file('results.jsonl');
  const command = ['--ordered', '--jobs', '2', '--resume', results, '-f', file('good.txt')];
  // The seventh name has a dead server, which holds up the order; the run cannot end by itself.
  const first = await inside(['traverse', '--demo', '--quick', '--timeout', '60s', ...command], {
    terminals: ['stderr'],
    onStderr: (written, interrupt) => {
      if (SIX_OR_MORE.test(written)) interrupt();
    },
  });
  t.equal(first.status, 130);
  t.match(
    first.stderr,
    /svc: \d+ names: \d+ healthy, [^\n]+\nsvc: interrupted; run the same command to resume\n$/,
  );
  t.equal(first.stdout, '');
  const before = readFileSync(results, 'utf8');
  const done = linesOf(before).map(({ line }) => line);
  t.same(done.slice(0, 6), [2, 3, 4, 5, 6, 7], 'what is known is kept');
  t.notOk(done.includes(8));
  appendFileSync(results, before.slice(0, 300));
  const second = await many(...command);
  t.equal(second.status, 3, 'one of them is intercepted');
  t.match(second.stderr, SUMMED_UP);
  const after = readFileSync(results, 'utf8');
  t.ok(after.startsWith(before), 'what was there stays, but for the torn last line');
  t.same(
    linesOf(after)
      .map(({ line }) => line)
      .sort((a, b) => a - b),
    showcases.map((_, at) => at + 2),
    'each name is there once',
  );
  const third = await many(...command);
  t.equal(third.status, 3, 'what was done before counts');
  t.equal(readFileSync(results, 'utf8'), after);
});

t.test('a long run that was killed is resumed', async (t) => {
  const names = Array.from({ length: 150 }, (_, at) => `name${at}.shop.example`);
  writeFileSync(file('killed.txt'), names.join('\n'));
  const results = file('killed.jsonl');
  const command = (list: string) => ['traverse', '--demo', '--quick', '-f', list, '--resume', results];
  // It waits for more names until it is killed.
  const child = start(command('-'));
  const gone = ended(child);
  child.stdin.write(`${names.join('\n')}\n`);
  while (!existsSync(results) || readFileSync(results, 'utf8').split('\n').length < 60) await soon();
  child.kill('SIGKILL');
  t.equal((await gone).status, null);
  const { status } = await inside(command(file('killed.txt')));
  t.equal(status, 0);
  const done = linesOf(readFileSync(results, 'utf8')).map(({ query }) => query.name);
  t.same(done.sort(), names.map((name) => `${name}.`).sort(), 'each name is there once');
});

t.test('a name that comes twice has two lines', async (t) => {
  const names = file('twice.txt');
  const results = file('twice.jsonl');
  writeFileSync(names, 'www.shop.example\nwww.shop.example\n');
  t.equal((await many('-f', names, '--resume', results)).status, 0);
  appendFileSync(names, 'www.shop.example\n');
  t.equal((await many('-f', names, '--resume', results)).status, 0);
  t.equal(linesOf(readFileSync(results, 'utf8')).length, 3);
});

t.test('a file of something else is not touched', async (t) => {
  for (const [name, text] of Object.entries({
    'names.txt': 'www.shop.example\nwww.blog.test\n',
    'torn.txt': 'no line end',
    'json.txt': '{"query": 1}\n',
    'mixed.jsonl': '{"line":1,"exitStatus":0,"query":{"name":"a.","type":"A"}}\nx\n',
  })) {
    writeFileSync(file(name), text);
    const ran = await many('-f', file('healthy.txt'), '--resume', file(name));
    t.equal(ran.status, 3, name);
    t.match(ran.stderr, /line \d is not a result: is it the right file\?\n$/);
    t.equal(readFileSync(file(name), 'utf8'), text);
  }
  const nowhere = await many('-f', file('healthy.txt'), '--resume', join(dir, 'no', 'where'));
  t.equal(nowhere.status, 3);
  t.match(nowhere.stderr, /^svc: cannot write \S+: no such file or directory\n$/);
});

t.test(
  'a device is no file of results',
  { skip: !existsSync('/dev/full') && 'no /dev/full here' },
  async (t) => {
    const ran = await many('-f', file('healthy.txt'), '--resume', '/dev/full');
    t.equal(ran.status, 3);
    t.equal(ran.stderr, 'svc: cannot write /dev/full: it is not a regular file\n');
  },
);

function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

t.test('how far it is', async (t) => {
  const none: NameCounts = { agreed: 0, trouble: 0, failed: 0, skipped: 0 };
  const rows: readonly (readonly [
    counts: Partial<NameCounts>,
    total: number | undefined,
    expected: string,
  ])[] = [
    [{}, undefined, '0 names'],
    [{}, 1_000, '0 of 1,000 names'],
    [{ agreed: 2 }, 1_000, '2 of 1,000 names'],
    [{ agreed: 20 }, 1_000, '20 of 1,000 names, 20.0 a second, about 49 s left'],
    [{ agreed: 10 }, 10_000, '10 of 10,000 names, 10.0 a second, about 17 min left'],
    [{ agreed: 3 }, 100_000, '3 of 100,000 names, 3.0 a second, about 9 h left'],
    [{ agreed: 9, skipped: 20, trouble: 1 }, 30, '30 of 30 names, 1 with trouble'],
    [
      { agreed: 6, skipped: 20, trouble: 3, failed: 1 },
      40,
      '30 of 40 names, 10.0 a second, about 1 s left, 3 with trouble, 1 not done',
    ],
  ];
  for (const [counts, total, expected] of rows)
    t.equal(progressLine({ ...none, ...counts }, total, 1_000), expected);
  const done = { agreed: 6, skipped: 20, trouble: 3, failed: 1 };
  const names = '30 names: 6 healthy, 3 with trouble, 1 not done, 20 done before';
  t.equal(
    closingLine(done, { exchanges: 1_200, shared: 0 }, 4_000),
    `${names}; 1,200 exchanges in 4.0 s, 2.5 names a second`,
  );
  t.equal(
    closingLine(done, { exchanges: 1_200, shared: 1_100 }, 4_000),
    `${names}; 1,200 exchanges (1,100 shared) in 4.0 s, 2.5 names a second`,
  );
  t.equal(
    closingLine({ ...none, skipped: 20 }, { exchanges: 0, shared: 0 }, 4_000),
    '20 names: 0 healthy, 20 done before',
  );
});

t.test('what the pace costs is said before a long run', async (t) => {
  const rows: readonly (readonly [
    size: ListSize,
    rate: number,
    prefix: number,
    expected: RegExp | undefined,
  ])[] = [
    [
      { kind: 'counted', names: 1_000_000 },
      20,
      100,
      /^1,000,000 names at 20 queries a second to one address: about 14 h,/,
    ],
    [
      { kind: 'estimated', names: 9_000_000 },
      20,
      100,
      /^about 9,000,000 names at 20 queries a second .* about 125 h,/,
    ],
    [
      { kind: 'counted', names: 1_000_000 },
      500,
      100,
      /at 100 queries a second to one prefix: about 3 h,.*--share /,
    ],
    [{ kind: 'counted', names: 6_000 }, 0, 100, /at 100 queries a second to one prefix: about 60 s,/],
    [{ kind: 'counted', names: 1_199 }, 20, 100, undefined],
    [{ kind: 'counted', names: 1_000_000 }, 0, 0, undefined],
  ];
  for (const [size, ratePerAddress, ratePerPrefix, expected] of rows) {
    const notice = paceNotice(size, { ratePerAddress, ratePerPrefix });
    if (expected === undefined) t.equal(notice, undefined);
    else t.match(notice, expected);
  }
});

t.test('what is counted most, in a bounded room', async (t) => {
  const few = new MostCounted<string>(3);
  for (const key of 'abacab') few.add(key);
  t.same(few.all, [
    { key: 'a', count: 3 },
    { key: 'b', count: 2 },
    { key: 'c', count: 1 },
  ]);
  t.ok(few.isExact);
  const crowded = new MostCounted<string>(2);
  for (const key of 'aaxaybaz') crowded.add(key);
  t.same(crowded.all, [{ key: 'a', count: 2 }], 'what stands out stays');
  t.notOk(crowded.isExact);
  const many = new MostCounted<string>(100);
  for (let name = 0; name < 100_000; name += 1) many.add(name % 4 === 0 ? 'broken' : `ns${name}`);
  t.ok(many.all.length <= 100, 'however many there are');
  const [first] = many.all;
  t.equal(first?.key, 'broken');
  t.ok((first?.count ?? 0) > 24_000 && (first?.count ?? 0) <= 25_000, 'and little is lost');
});
