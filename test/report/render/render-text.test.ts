import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import type { Finding } from '../../../src/document/findings.ts';
import { readResult } from '../../../src/document/read-result.ts';
import type { TraversalResult } from '../../../src/document/result.ts';
import { readFraction } from '../../../src/evaluate/fraction.ts';
import { percentage, percentages, shortFraction } from '../../../src/reading/percent.ts';
import { printable } from '../../../src/reading/printable.ts';
import { count, large, octets, span, time } from '../../../src/reading/quantities.ts';
import { verdictOn } from '../../../src/reading/verdict.ts';
import { wrapped } from '../../../src/reading/wrapped.ts';
import { type Look, renderText } from '../../../src/report/render/render-text.ts';
import { stacked } from '../../../src/report/table/stacked.ts';
import { type Rows, table } from '../../../src/report/table/table.ts';
import { replay } from '../../../src/traverse.ts';
import { parseName } from '../../../src/wire/name.ts';

const FIXTURES = new URL('../../fixtures/text/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, FIXTURES), 'utf8');

interface Case {
  readonly command: string;
  readonly looks: readonly string[];
}

/** How the expected texts are made: see renew.js beside it. */
const { cases, looks }: { cases: Record<string, Case>; looks: Record<string, Look> } = JSON.parse(
  read('cases.json'),
);

/** A saved result, evaluated again; findings have tests of their own. */
function saved(name: string): TraversalResult {
  return { ...replay(readResult(JSON.parse(read(`${name}.json`)))), findings: [] };
}

const WIDE: Look = { colour: 'off', detail: 'terse', width: 120 };
const PLAIN = (text: string) => text;
const COLOUR = new RegExp(`${'\u001b'}\\[\\d+m`, 'g');

t.test('saved results look as expected', async (t) => {
  for (const [name, { command, looks: wanted }] of Object.entries(cases)) {
    for (const look of wanted) {
      const expected = read(`${name}.${look}.txt`);
      t.equal(renderText(saved(name), looks[look] ?? WIDE), expected, `${name}, ${look}: ${command}`);
    }
  }
  const texts = Object.entries(cases).flatMap(([name, one]) =>
    one.looks.map((look) => `${name}.${look}.txt`),
  );
  const files = readdirSync(FIXTURES).filter((file) => file.endsWith('.txt'));
  t.same(files.sort(), texts.sort(), 'every expected text is compared');
});

t.test('no line is wider than the terminal', async (t) => {
  for (const name of Object.keys(cases)) {
    const result = { ...saved(name), findings: [finding('NS_LOSSY', 'warning', 'ns1.example')] };
    for (const width of [20, 40, 60, 80, 100, 132]) {
      const lines = renderText(result, { ...WIDE, width }).split('\n');
      t.same(
        lines.filter((line) => [...line].length > width),
        [],
        `${name} at ${width}`,
      );
    }
  }
});

t.test('colour only adds colour', async (t) => {
  for (const name of Object.keys(cases)) {
    const painted = renderText(saved(name), { ...WIDE, colour: 'on' });
    t.equal(painted.replace(COLOUR, ''), renderText(saved(name), WIDE), name);
  }
});

t.test('nothing that a terminal acts on comes out, wherever it stands in the result', async (t) => {
  const result = saved('mixed');
  const text = renderText({ ...poisoned(result), findings: [poisoned(finding('X', 'error', 'ns'))] }, WIDE);
  t.match(text, /\\u\{1b\}\[2J/, 'the escape is shown as text');
  t.notMatch(text.replaceAll('\n', ''), /[\p{C}\p{Zl}\p{Zp}]/u);
  t.equal(
    printable('a\u001b[31m\u0007\u009b\u202e\u2028b\u200f'),
    'a\\u{1b}[31m\\u{7}\\u{9b}\\u{202e}\\u{2028}b\\u{200f}',
  );
  t.equal(printable('bücher 例 ✗'), 'bücher 例 ✗', 'letters of all scripts stay');
});

/** The same value with an attack in each of its texts that is not a fraction, an identifier or a word of ours. */
function poisoned<T>(value: T): T;
function poisoned(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return POISONED.has(key) ? `${value}\u001b[2J\u0007\u202e\n\u009b` : value;
  if (Array.isArray(value)) return value.map((item) => poisonedUnder(item, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, poisonedUnder(item, name)]));
}
const poisonedUnder: (value: unknown, key: string) => unknown = poisoned;
const POISONED = new Set([
  'name',
  'zone',
  'data',
  'address',
  'message',
  'code',
  'rcode',
  'failureDetail',
  'reference',
  'nameserver',
  'target',
]);

function finding(code: string, severity: Finding['severity'], server: string): Finding {
  return {
    id: `${code} ${server}`,
    code,
    severity,
    zone: parseName('example'),
    server: { name: parseName(server), address: '192.0.2.1' },
    message: `What ${server} does is wrong: do something else.`,
    exchanges: ['x1'],
    reference: 'RFC 1034 4.2.1',
  };
}

t.test('findings: the worst first, and what is said of several servers of a zone once', async (t) => {
  const findings = [
    finding('NS_LOSSY', 'notice', 'ns1.example'),
    finding('NS_REFUSED', 'error', 'ns1.example'),
    finding('NS_REFUSED', 'error', 'ns2.example'),
  ];
  const result = { ...saved('healthy'), findings };
  const terse = renderText(result, { ...WIDE, width: 60 });
  t.match(
    terse,
    [
      'error   NS_REFUSED  ns1.example. 192.0.2.1 of example.',
      '  What ns1.example does is wrong: do something else. (RFC',
      '  1034 4.2.1)',
      '  Also affected: ns2.example. 192.0.2.1.',
      'notice  NS_LOSSY    ns1.example. 192.0.2.1 of example.',
      '  What ns1.example does is wrong: do something else. (RFC',
    ].join('\n'),
  );
  const full = renderText(result, { ...WIDE, detail: 'full' });
  t.match(full, /What ns2\.example does/, 'with all details each is told');
});

t.test('the verdict', async (t) => {
  const rows: readonly (readonly [name: string, words: string, bearing: string])[] = [
    ['healthy', 'every path gets the same answer', 'ends-well'],
    ['mixed', '2 different answers, 12.5 % of paths fail', 'fails'],
    ['folded', '12.5 % of paths fail', 'fails'],
    ['circular', 'every path fails', 'fails'],
    ['registries-differ', '2 different answers', 'differs'],
    ['cut-short', '2 different answers, 12.5 % of paths fail, 50 % of paths are unknown', 'fails'],
  ];
  for (const [name, words, bearing] of rows) t.same(verdictOn(saved(name)), { words, bearing }, name);
});

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

t.test('tables', async (t) => {
  const rows: Rows = [
    [{ text: 'zone' }, { text: '9 ms', align: 'right' }, { text: '' }, { text: 'said something' }],
    [{ text: 'longer' }, { text: '10 ms', align: 'right' }, { text: '' }, { text: '  said this' }],
  ];
  const cases: readonly (readonly [string, Rows, number, string])[] = [
    ['empty columns take no room', rows, 80, 'zone     9 ms  said something\nlonger  10 ms    said this\n'],
    [
      'what does not fit goes below',
      rows,
      25,
      'zone     9 ms\n        said something\nlonger  10 ms\n        said this\n',
    ],
    ['words are kept whole', [[{ text: 'one two three four' }]], 9, 'one two\nthree\nfour\n'],
    ['words that cannot be are broken', [[{ text: 'abcdefghij' }]], 4, 'abcd\nefgh\nij\n'],
    [
      'stacked',
      stacked(rows),
      20,
      'zone\n   9 ms\n        said\n        something\nlonger\n  10 ms    said this\n',
    ],
  ];
  for (const [name, given, width, expected] of cases) t.equal(table(given, width, PLAIN), expected, name);
  t.same(wrapped('  a  bc\td ', 4), ['a bc', 'd']);
});
