import t from 'tap';
import { listed } from '../../src/document/words/lists.ts';
import { durationWords, localTime, momentWords } from '../../src/document/words/moments.ts';
import { dataText, dataTexts } from '../../src/document/words/names.ts';
import {
  count,
  large,
  octets,
  percent,
  percentage,
  percentages,
  shortFraction,
  span,
  time,
} from '../../src/document/words/quantities.ts';
import { shortened, shortening } from '../../src/document/words/shortened.ts';
import { readFraction } from '../../src/evaluate/fraction.ts';

t.test('percentages do not lie', async (t) => {
  const rows: readonly (readonly [fraction: string, text: string, short: string])[] = [
    ['1', '100 %', ''],
    ['1/2', '50 %', '1/2'],
    ['1/3', '33.33 %', '1/3'],
    ['2/3', '66.67 %', '2/3'],
    ['1/8', '12.5 %', '1/8'],
    ['1/100000', '<0.01 %', '1/100000'],
    ['99999/100000', '>99.99 %', ''],
    ['123456789/1234567890', '10 %', ''],
  ];
  for (const [fraction, text, short] of rows) {
    t.equal(percentage(readFraction(fraction)), text, fraction);
    if (fraction.length < 20) t.equal(shortFraction(readFraction(fraction)), short, `${fraction} in short`);
  }
  const close = ['1001/3000', '1/3', '999/3000'].map(readFraction);
  t.same(percentages(close), ['33.37 %', '33.33 %', '33.3 %']);
  const closer = ['100001/300000', '1/3'].map(readFraction);
  t.same(percentages(closer), ['33.334 %', '33.333 %'], 'as many decimals as tell them apart');
});

t.test('numbers and times for people', async (t) => {
  t.same(
    [count(1, 'server'), count(13, 'server'), count(1, 'reply', 'replies')],
    ['1 server', '13 servers', '1 reply'],
  );
  t.same(['7', '442512', '1'.padEnd(16, '2')].map(large), ['7', '442,512', 'about 1.2e15']);
  t.same([0.42, 9.94, 9.96, 12.4, 999.4, 999.6, 61_000].map(time), [
    '0.4 ms',
    '9.9 ms',
    '10 ms',
    '12 ms',
    '999 ms',
    '1.0 s',
    '61.0 s',
  ]);
  t.same(
    [span([]), span([5, 5]), span([5, 30]), span([5, 3000])],
    ['', '5.0 ms', '5.0-30 ms', '5.0 ms-3.0 s'],
  );
  t.same([812, 6_300, 2_000_000].map(octets), ['812 B', '6.3 kB', '2.0 MB']);
});

t.test('probabilities in sentences', async (t) => {
  const rows = {
    '1': '100 %',
    '1/8': '12.5 % (1/8)',
    '1/100000': '<0.01 % (1/100000)',
    '99999/100000': '>99.99 %',
  };
  for (const [fraction, text] of Object.entries(rows))
    t.equal(percent(readFraction(fraction)), text, fraction);
});

t.test('lists in sentences', async (t) => {
  const rows: readonly (readonly [items: string, text: string])[] = [
    ['', ''],
    ['a', 'a'],
    ['a b', 'a and b'],
    ['a b c d', 'a, b, c and d'],
    ['a b c d e', 'a, b, c and 2 more'],
  ];
  for (const [items, text] of rows) t.equal(listed(items.split(' ').filter(Boolean)), text, items);
  t.equal(listed(['a', 'b', 'c', 'd'], 2), 'a, b and 2 more');
  t.equal(listed(['a', 'b'], 2, 9), 'a, b and 7 more', 'items that are the first of nine');
  t.equal(listed(['a', 'b'], Number.POSITIVE_INFINITY, 9), 'a, b and 7 more', 'all that are given');
});

t.test('record data in sentences: what differs is never cut', async (t) => {
  const many = (last: string) => ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', last];
  const [five, six] = [many('192.0.2.5'), many('192.0.2.6')];
  t.equal(dataText(five), '192.0.2.1, 192.0.2.2, 192.0.2.3 and 2 more');
  t.match(dataTexts([five, six])(five), /192\.0\.2\.4 and 192\.0\.2\.5$/);
  t.equal(dataTexts([five, five])(five), '192.0.2.1, 192.0.2.2, 192.0.2.3 and 2 more');
  const long = ['1', '2'].map((end) => [`"${'x'.repeat(200)}${end}"`]);
  for (const [at, data] of long.entries()) t.match(dataTexts(long)(data), new RegExp(`^"x+"… "${at + 1}"$`));
});

t.test('a long text is cut, and says so outside its quotes', async (t) => {
  const rows: readonly (readonly [what: string, text: string, expected: string])[] = [
    ['short enough', 'x'.repeat(56), 'x'.repeat(56)],
    ['too long', 'x'.repeat(1_234), `${'x'.repeat(32)}… (1,234 characters)`],
    ['a character string', `"${'x'.repeat(98)}"`, `"${'x'.repeat(31)}"… (100 characters)`],
    ['several', `"a" "${'x'.repeat(98)}"`, `"a" "${'x'.repeat(27)}"… (104 characters)`],
    [
      'no escape is cut in two',
      `"${'x'.repeat(30)}\\"${'y'.repeat(60)}"`,
      `"${'x'.repeat(30)}\\""… (94 characters)`,
    ],
    ['no character either', '😀'.repeat(60), `${'😀'.repeat(32)}… (120 characters)`],
  ];
  for (const [what, text, expected] of rows) t.equal(shortened(text, 'terse'), expected, what);
  t.equal(shortened('x'.repeat(1_234), 'full'), 'x'.repeat(1_234), 'but not where all is asked for');
});

t.test('texts that are compared show where they differ', async (t) => {
  const soa = (serial: number) => `ns.stale.example. hostmaster.stale.example. ${serial} 7200 900 1209600 60`;
  const rows: readonly (readonly [what: string, texts: readonly string[], expected: readonly string[]])[] = [
    [
      'in the middle',
      [soa(57), soa(41)],
      ['ns.stale.example… 57 7200 900 1209600 60', 'ns.stale.example… 41 7200 900 1209600 60'],
    ],
    [
      'in one long word',
      [`"${'x'.repeat(200)}1"`, `"${'x'.repeat(200)}2${'y'.repeat(90)}"`],
      [`"${'x'.repeat(15)}"… "1"`, `"${'x'.repeat(15)}"… "2${'y'.repeat(39)}"… (293 characters)`],
    ],
    [
      'at the beginning',
      [`a${'x'.repeat(80)}`, `b${'x'.repeat(80)}`],
      [`a${'x'.repeat(31)}… (81 characters)`, `b${'x'.repeat(31)}… (81 characters)`],
    ],
    [
      'in their length only',
      ['x'.repeat(80), 'x'.repeat(81)],
      [`${'x'.repeat(32)}… (80 characters)`, `${'x'.repeat(16)}… x`],
    ],
  ];
  for (const [what, texts, expected] of rows) t.same(texts.map(shortening(texts)), expected, what);
});

t.test('however texts differ, they look different', async (t) => {
  for (let at = 0; at < 120; at += 1) {
    const text = 'x'.repeat(120);
    const variants = ['a', 'b', 'c'].map(
      (letter, more) => text.slice(0, at) + letter + text.slice(at + 1 + more),
    );
    const all = [text, ...variants];
    t.equal(new Set(all.map(shortening(all))).size, all.length, `at ${at}`);
  }
});

t.test('a moment in the reader’s time, with UTC beside', async (t) => {
  const now = new Date('2026-11-21T22:30:05Z');
  const in2h = new Date('2026-11-22T00:30:05Z');
  const rows: readonly (readonly [then: Date, timeZone: string, words: string])[] = [
    [now, 'UTC', '22:30:05 UTC'],
    [in2h, 'UTC', '2026-11-22 00:30:05 UTC'],
    [now, 'Asia/Kolkata', '04:00:05 (2026-11-21 22:30:05 UTC)'],
    [now, 'Europe/Berlin', '23:30:05 (22:30:05 UTC)'],
    [in2h, 'Europe/Berlin', '2026-11-22 01:30:05 (00:30:05 UTC)'],
    [now, 'Europe/London', '22:30:05 UTC'],
  ];
  for (const [then, timeZone, words] of rows)
    t.equal(momentWords(then, now, timeZone), words, `${timeZone} ${then.toISOString()}`);
  t.equal(localTime(now, now, 'Europe/Berlin'), '23:30:05');
  t.equal(localTime(in2h, now, 'Europe/Berlin'), '2026-11-22 01:30:05', 'another day has its date');
});

t.test('durations as people say them', async (t) => {
  const rows: readonly (readonly [seconds: number, words: string])[] = [
    [0.4, 'less than a second'],
    [1, '1 second'],
    [34, '34 seconds'],
    [60, '1 minute'],
    [90, '1 minute 30 seconds'],
    [3_600, '1 hour'],
    [3_599.6, '1 hour'],
    [3_905, '1 hour 5 minutes'],
    [7_199, '2 hours'],
    [86_400, '1 day'],
    [172_800, '2 days'],
    [172_800 + 3_600, '2 days 1 hour'],
  ];
  for (const [seconds, words] of rows) t.equal(durationWords(seconds * 1_000), words, `${seconds}`);
});
