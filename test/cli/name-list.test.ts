import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { Ahead, listSize, readLine } from '../../src/cli/many/name-list.ts';
import { runPool } from '../../src/cli/many/pool.ts';
import { settled } from '../base/fake-clock.ts';

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
