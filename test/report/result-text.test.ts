import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { parseName } from '../../src/dns/name.ts';
import type { Finding } from '../../src/document/finding.ts';
import { readResult } from '../../src/document/read-result.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { plain } from '../../src/document/words/names.ts';
import { printable, wrapped } from '../../src/document/words/shortened.ts';
import { type Look, renderText } from '../../src/report/result-text.ts';
import { type Rows, stacked, table } from '../../src/report/text/table.ts';
import { replay } from '../../src/traversal/node-replay.ts';

const FIXTURES = new URL('../fixtures/text/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, FIXTURES), 'utf8');

interface Case {
  readonly command: string;
  readonly looks: readonly string[];
}

/** How the expected texts are made: see renew.ts beside it. */
const { cases, looks }: { cases: Record<string, Case>; looks: Record<string, Look> } = JSON.parse(
  read('cases.json'),
);

/** A saved result, evaluated again; findings have tests of their own. */
function saved(name: string): TraversalResult {
  return { ...replay(readResult(JSON.parse(read(`${name}.json`)))), findings: [] };
}

const WIDE: Look = { colour: 'off', detail: 'terse', width: 120 };
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
    message: `What ${server} does is wrong.`,
    advice: 'Do something else.',
    causes: [],
    evidence: ['x1'],
    reference: 'RFC 1034 4.2.1',
  };
}

t.test('what the pace cost is told where that was more than the network did', async (t) => {
  const healthy = saved('healthy');
  const { options, coldLatencyMs } = healthy;
  const told = (rate: number, queries: number, durationMs: number, worst = 40) => {
    const exchanges = healthy.exchanges.map((one, at) => ({ ...one, attempts: at === 0 ? queries : 1 }));
    const result = {
      ...healthy,
      exchanges,
      options: { ...options, rate },
      durationMs,
      coldLatencyMs: { ...coldLatencyMs, worst },
    };
    return /^Pace .*/m.exec(renderText(result, { ...WIDE, detail: 'full' }))?.[0];
  };
  const words =
    'Pace          2.0 s of that or more to keep to 20 queries a second to one address: --rate allows more';
  t.equal(told(20, 41, 2_100), words, 'the 41st query waits for two seconds to pass');
  t.equal(told(20, 40, 1_100)?.includes('1.0 s of that'), true);
  t.equal(told(20, 20, 100), undefined, 'as many as may go at once');
  t.equal(told(20, 41, 4_100), undefined, 'all else took longer');
  t.equal(told(20, 41, 2_100, 2_050), undefined, 'the slowest path takes longer');
  t.equal(told(0, 1_000, 100), undefined, 'no pace was set');
});

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
    ['Do', '  What ns1.example does is wrong (ns2.example, too). Do', '    something else. NS_REFUSED'].join(
      '\n',
    ),
  );
  const full = renderText(result, { ...WIDE, detail: 'full' });
  t.match(full, /What ns2\.example does/, 'with all details each is told');
});

t.test('findings: what follows from one stands below it, and makes both as grave', async (t) => {
  const findings: readonly Finding[] = [
    { ...finding('GLUE_MISMATCH', 'error', 'ns3.example') },
    { ...finding('NS_NO_RESPONSE_UDP', 'warning', 'ns1.example') },
    { ...finding('NS_NO_RESPONSE_UDP', 'warning', 'ns2.example') },
    {
      ...finding('ZONE_NO_WORKING_NS', 'critical', 'ns1.example'),
      causes: ['NS_NO_RESPONSE_UDP ns2.example'],
    },
    { ...finding('NS_LOSSY', 'notice', 'ns4.example'), causes: ['not there'] },
  ];
  const text = renderText({ ...saved('healthy'), findings }, WIDE);
  t.match(text, /NS_NO_RESPONSE_UDP\n.*GLUE_MISMATCH\n.*NS_LOSSY\n {2}hence nothing in the zone is found\n/);
  const full = renderText({ ...saved('healthy'), findings }, { ...WIDE, detail: 'full' });
  t.match(full, /^critical +hence ZONE_NO_WORKING_NS/m);
});

t.test('an internationalised name is shown as people write it, and once as it is asked', async (t) => {
  const healthy = saved('healthy');
  const result = { ...healthy, query: { ...healthy.query, name: parseName('xn--mnchen-3ya.example') } };
  t.match(renderText(result, WIDE), /^münchen\.example\. \(xn--mnchen-3ya\.example\.\) A {2}/);
  t.match(renderText(result, { ...WIDE, marks: 'ascii' }), /^xn--mnchen-3ya\.example\. A {2}/);
  const server = { name: parseName('ns1.xn--mnchen-3ya.example') };
  const message = `${plain(server.name)} does not reply.`;
  const findings = [{ ...finding('NS_NO_RESPONSE_UDP', 'error', 'ns1'), message, server }];
  t.match(renderText({ ...result, findings }, WIDE), '\n  ns1.münchen.example does not reply.');
  t.match(
    renderText({ ...result, findings }, { ...WIDE, marks: 'ascii' }),
    '\n  ns1.xn--mnchen-3ya.example does',
  );
});

const PLAIN = (text: string) => text;

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
