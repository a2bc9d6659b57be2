import t from 'tap';
import { parseName } from '../../src/dns/name.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { contrastsOf, evidenceIn, exchangeView, toDoViews } from '../../src/page/model/evidence-views.ts';
import { EXPORT_FORMATS, exported, fileNameFor } from '../../src/page/model/exports.ts';
import { userPicture } from '../../src/page/model/user-bars.ts';
import { wordingFor } from '../../src/report/views/wording.ts';
import { inside } from '../cli/inside.ts';
import { savedResult } from '../report/graph-results.ts';
import { validatedResult } from '../report/validated-results.ts';

/** The bars of a result in a few words: title and parts of each, then the legend. */
function briefly(result: TraversalResult): readonly (readonly string[])[] {
  const { bars, legend } = userPicture({ result, wording: wordingFor(result, 'terse') });
  return [
    ...bars.map(({ title }, at) => [
      title,
      ...legend.map(({ shares, mark, words }) => `${shares[at]} ${mark} ${words}`),
    ]),
    legend.map(({ from }) => from),
  ];
}

async function traversed(args: readonly string[]): Promise<TraversalResult> {
  const { stdout } = await inside(['traverse', '--demo', '--json', '--full', '-46', ...args]);
  return JSON.parse(stdout);
}

t.test('who gets what: a bar for each group of users, and one legend', async (t) => {
  const rows: readonly (readonly [
    title: string,
    args: readonly string[],
    expected: readonly (readonly string[])[],
  ])[] = [
    [
      'one answer',
      ['www.shop.example'],
      [['', '100 % ✓ 198.51.100.80'], ['from ns1.harbour.example and ns2.harbour.example']],
    ],
    [
      'a bit of everything',
      ['www.mixed.example', '--profiles', 'bind,unbound,knot,powerdns'],
      [
        ['BIND', '100 % ≠ 192.0.2.110', '0 % ≠ 198.51.100.110'],
        ['Unbound and Knot Resolver', '19.05 % ≠ 192.0.2.110', '80.95 % ≠ 198.51.100.110'],
        ['others', '25 % ≠ 192.0.2.110', '75 % ≠ 198.51.100.110'],
        ['from ns.mixed.example', 'from ns1.harbour.example, ns1.meadow.test and ns2.harbour.example'],
      ],
    ],
    [
      'imagined: what it was stands before it',
      ['www.mixed.example', '--profiles', 'powerdns', '--down', 'ns.mixed.example'],
      [
        ['now', '75 % ≠ 198.51.100.110', '25 % ≠ 192.0.2.110'],
        ['then', '100 % ≠ 198.51.100.110', '0 % ≠ 192.0.2.110'],
        ['from ns1.harbour.example, ns1.meadow.test and ns2.harbour.example', ''],
      ],
    ],
  ];
  for (const [title, args, expected] of rows) t.same(briefly(await traversed(args)), expected, title);
});

t.test('parts of a bar make a whole, and what fails is not green', async (t) => {
  const result = validatedResult('1/2 insecure, 1/2 expired');
  const { bars, legend } = userPicture({ result, wording: wordingFor(result, 'terse') });
  for (const { sizes } of bars)
    t.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      1,
    );
  t.match(
    legend.map(({ words, tone }) => [words, tone]),
    [
      ['198.51.100.80', /effect-ends-well/],
      [/^SERVFAIL/, /effect-fails/],
    ],
  );
});

const MIXED = savedResult('mixed');

t.test('findings stand below their causes and say where their evidence is', async (t) => {
  const views = toDoViews(MIXED, wordingFor(MIXED, 'terse'));
  t.same(
    views.map(({ code, hence }) => [code, ...hence.map((one) => one.code)]),
    [
      ['ANSWERS_DIFFER', 'ANSWER_NOT_CERTAIN'],
      ['NS_NO_RESPONSE_UDP', 'FIRST_TRY_FAILS'],
    ],
  );
  const known = new Set(MIXED.exchanges.map(({ id }) => id));
  for (const { code, exchanges } of views) {
    t.ok(exchanges.length > 0, code);
    t.ok(
      exchanges.every((id) => known.has(id)),
      code,
    );
  }
});

t.test('a finding that probes prove shows them, and beside it the data that users get', async (t) => {
  const result = await traversed(['www.mixed.example']);
  const [first] = toDoViews(result, wordingFor(result, 'terse'));
  t.equal(first?.code, 'SOA_SERIAL_DIFFERS');
  t.same(first?.replies.map(({ said }) => said).sort(), ['192.0.2.110', '198.51.100.110']);
  const ids = first?.exchanges ?? [];
  t.ok(ids.some((id) => id.startsWith('p')));
  t.same(
    evidenceIn(result, ids).map(({ id }) => id),
    ids,
  );
});

t.test('a server beside the others of its zone: serials and answers that differ', async (t) => {
  const result = await traversed(['www.mixed.example']);
  const zone = parseName('mixed.example');
  const stale = contrastsOf(result, { zone, address: '198.51.100.81' });
  t.match(stale, [
    { about: 'www.mixed.example A', own: '192.0.2.110', others: [{ said: '198.51.100.110' }] },
    { about: 'serial of mixed.example', own: 'serial 19', others: [{ said: 'serial 23' }] },
  ]);
  t.match(stale[0]?.others[0]?.servers, /ns1\.harbour\.example/);
  const healthy = await traversed(['www.shop.example']);
  t.same(contrastsOf(healthy, { zone: parseName('shop.example'), address: '198.51.100.1' }), []);
});

t.test('a server with old signatures: when they end, beside when those of others do', async (t) => {
  const result = await traversed(['www.expired.example']);
  const facts = contrastsOf(result, { zone: parseName('expired.example'), address: '198.51.100.2' });
  t.match(
    facts.find(({ about }) => about === 'signature of www.expired.example A ends'),
    { own: /^2026-10-01 \d\d:\d\d:\d\d UTC$/, others: [{ servers: 'ns1.harbour.example' }] },
  );
});

t.test('a repair has a line, who can do it, and a message to them', async (t) => {
  const [first] = toDoViews(MIXED, wordingFor(MIXED, 'terse'));
  t.equal(first?.who, 'the owner of mixed.example');
  t.match(
    first?.letter,
    /^To the owner of mixed\.example:\n\n.*\nWhat to do: .*compare .*\n\nSeen when looking up www\.mixed\.example A on /s,
  );
});

t.test('exchanges in words', async (t) => {
  const views = MIXED.exchanges.map(exchangeView);
  const answered = views.find(({ server }) => server === 'ns.mixed.example. 198.51.100.81');
  t.match(answered, {
    question: 'www.mixed.example. A',
    reply: /^NOERROR, \d+ B in [\d.]+ ms over UDP$/,
    sections: [{ title: 'Answer', records: [{ type: 'A', data: '192.0.2.110' }] }],
  });
  const silent = views.find(({ server }) => server === 'ns.mixed.example. 198.51.100.82');
  t.match(silent, { reply: /^timeout in \d+ ms$/, sections: [] });
  t.match(silent?.facts, [{ term: 'Tries', words: /^(UDP: no reply within \d+ ms(; )?){2}$/ }]);
  const [first] = MIXED.exchanges;
  const edns = { version: 0, payloadSize: 1232, do: true, options: [{ code: 15, data: '0012' }] };
  const security = { status: 'insecure', reason: 'unsigned-parent', zone: parseName('example') } as const;
  const facts = first === undefined ? [] : exchangeView({ ...first, edns, security }).facts;
  t.match(facts.find(({ term }) => term === 'Errors')?.words, 'EDE 18, Prohibited');
  t.match(facts.find(({ term }) => term === 'Validation')?.words, 'insecure: example. is insecure');
});

t.test('files are called after the question, in harmless characters', async (t) => {
  const long = `${'a'.repeat(63)}.`.repeat(3);
  const rows: readonly (readonly [name: string, file: string])[] = [
    ['www.example.com', 'www.example.com-A'],
    ['.', 'root-A'],
    ['\\..example', '_..example-A'],
    ['a\\.\\.\\/b\\032c\\255.example', 'a_._._b_032c_255.example-A'],
    ['-rf.example', '_rf.example-A'],
    [`${long}${'b'.repeat(59)}`, `${long}${'b'.repeat(8)}-A`],
  ];
  for (const [name, file] of rows) {
    t.equal(fileNameFor({ query: { name: parseName(name), type: 'A', class: 'IN' } }), file, name);
  }
});

t.test('every format of a result can be made in the page', async (t) => {
  const begin: Partial<Record<string, RegExp>> = {
    json: /^\{"schema":3,/,
    md: /^# `www\.mixed\.example\. A`/,
  };
  for (const format of EXPORT_FORMATS) t.match(await exported(format, MIXED), begin[format] ?? /./, format);
  t.same(
    Object.keys(begin).filter((format) => !EXPORT_FORMATS.some((one) => one === format)),
    [],
    'none of these is gone',
  );
});
