import t from 'tap';
import type { Finding } from '../../../src/document/findings.ts';
import { exchangeView } from '../../../src/page/result/exchange-view.ts';
import { EXPORT_FORMATS, exported, fileNameFor } from '../../../src/page/result/exports.ts';
import { findingViews, pointsAt } from '../../../src/page/result/finding-views.ts';
import { judgeIn } from '../../../src/page/result/judging.ts';
import { delegationViews, lookupsOfNames, type ZoneView } from '../../../src/page/result/zone-views.ts';
import { wordingFor } from '../../../src/reading/wording.ts';
import { diagramOf } from '../../../src/report/graph/diagram-of.ts';
import { parseName } from '../../../src/wire/name.ts';
import { withSecurity } from '../../reading/validated/validated-result.ts';
import { savedResult } from '../../report/graph/results.ts';

const MIXED = savedResult('mixed');

t.test('findings stand below their causes and say where their evidence is', async (t) => {
  const views = findingViews(MIXED);
  t.same(
    views.map(({ code, consequences }) => [code, ...consequences.map((one) => one.code)]),
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

t.test('findings point at servers in the picture', async (t) => {
  const rows: readonly (readonly [title: string, code: string, addresses: readonly string[]])[] = [
    ['the one that is named', 'NS_NO_RESPONSE_UDP', ['198.51.100.82']],
    [
      'those whose replies prove it, where none is named',
      'ANSWERS_DIFFER',
      [
        '198.51.100.1',
        '198.51.100.2',
        '198.51.100.81',
        '2001:db8:1::1',
        '2001:db8:1::2',
        '2001:db8:2::1',
        '203.0.113.1',
      ],
    ],
  ];
  const shown = diagramOf(MIXED).boxes.flatMap(({ servers = [] }) => servers);
  for (const [title, code, addresses] of rows) {
    const points = pointsAt(findingsOf(code), MIXED);
    const pointed = shown.filter(points).flatMap(({ address }) => address ?? []);
    t.same([...new Set(pointed)].sort(), [...addresses].sort(), title);
  }
  t.notOk(shown.some(pointsAt([], MIXED)), 'no finding points nowhere');
});

t.test('the tables say what the picture says', async (t) => {
  const [way, ...others] = delegationViews(MIXED, judgeIn(MIXED), wordingFor(MIXED, 'terse'));
  t.same(others, [], 'there is one way, as there is no alias');
  t.same(
    way?.zones.map(({ zone, brief, servers }) => [
      zone,
      brief === '' ? servers.length : brief.replace(/, [\d.]+-[\d.]+ ms,/, ','),
    ]),
    [
      ['.', '3 servers, 6 addresses, referral to example.'],
      ['example.', '2 servers, 4 addresses, referral to mixed.example.'],
      ['mixed.example.', 4],
    ],
    'zones whose servers did the same are brief',
  );
  t.same(deedsIn(way?.zones.at(-1)).slice(0, 3), [
    'ns.mixed.example. 198.51.100.81 12.5 % (1/8) ≠ 192.0.2.110',
    'ns.mixed.example. 198.51.100.82 12.5 % (1/8) ✗ timeout: no reply (2 tries)',
    'ns1.harbour.example. 198.51.100.1 12.5 % (1/8)  198.51.100.110',
  ]);
});

t.test('aliases begin a way of their own, and lookups are told beside', async (t) => {
  const alias = savedResult('alias');
  const ways = delegationViews(alias, judgeIn(alias), wordingFor(alias, 'terse'));
  t.same(
    ways.map(({ question }) => question.name),
    ['www.magazine.example.', 'magazine.cdn.test.'],
  );
  const lookups = lookupsOfNames(MIXED, wordingFor(MIXED, 'terse'));
  t.match(lookups, [
    { name: 'ns1.meadow.test.', addresses: ['203.0.113.1', '2001:db8:2::1'], hasTrouble: false },
  ]);
});

t.test('a path can make a lookup several times, so that its servers have no share of paths', async (t) => {
  const lookups = lookupsOfNames(MIXED, wordingFor(MIXED, 'terse'));
  const picks = lookups.flatMap(({ zones }) =>
    zones.flatMap(({ servers }) => servers.flatMap((one) => one.picks)),
  );
  t.ok(picks.length > 0);
  t.ok(picks.every(({ percent }) => percent === undefined));
});

t.test('what does not verify is trouble, and told by more than its colour', async (t) => {
  const result = withSecurity(savedResult('healthy'), { status: 'bogus', reason: 'expired' });
  const [way] = delegationViews(result, judgeIn(result), wordingFor(result, 'terse'));
  const deeds = way?.zones.at(-1)?.servers.flatMap(({ picks }) => picks) ?? [];
  t.ok(deeds.length > 0);
  for (const deed of deeds)
    t.match(deed, { bearing: 'fails', mark: '✗', words: /bogus: the signature has expired/ });
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
  const begin: Readonly<Record<string, RegExp>> = {
    json: /^\{"schema":2,/,
    text: /^www\.mixed\.example\. A {2}2 different answers/,
    md: /^# `www\.mixed\.example\. A`/,
    mermaid: /^---\ntitle: /,
    dot: /^digraph traversal \{/,
  };
  t.same(EXPORT_FORMATS, Object.keys(begin));
  for (const format of EXPORT_FORMATS) t.match(await exported(format, MIXED), begin[format], format);
});

function findingsOf(code: string): readonly Finding[] {
  return MIXED.findings.filter((one) => one.code === code);
}

function deedsIn(zone: ZoneView | undefined): readonly string[] {
  return (zone?.servers ?? []).flatMap(({ name, picks }) =>
    picks.map(
      ({ address, percent, fraction, mark, words }) =>
        `${name} ${address} ${percent} (${fraction}) ${mark} ${words}`,
    ),
  );
}
