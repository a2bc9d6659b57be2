import t from 'tap';
import { parseName } from '../../src/dns/name.ts';
import type { Finding } from '../../src/document/finding.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { evidenceIn, exchangeView, pointsAt, toDoViews } from '../../src/page/model/evidence-views.ts';
import { EXPORT_FORMATS, exported, fileNameFor } from '../../src/page/model/exports.ts';
import {
  effectOfEnds,
  firstTryView,
  userGroupViews,
  viewShares,
} from '../../src/page/model/outcome-views.ts';
import { delegationViews, lookupsOfNames, type ZoneView } from '../../src/page/model/zone-views.ts';
import { diagramOf } from '../../src/report/draw-diagram.ts';
import { wordingFor } from '../../src/report/views/wording.ts';
import { inside } from '../cli/inside.ts';
import { savedResult } from '../report/graph-results.ts';
import { validatedResult, withSecurity } from '../report/validated-results.ts';

/** A view in a few words: its title, then each share with its sign. */
type Brief = readonly [title: string, ...shares: readonly string[]];

t.test('who gets what, view by view', async (t) => {
  const rows: readonly (readonly [title: string, args: readonly string[], views: readonly Brief[]])[] = [
    ['one answer', ['www.shop.example'], [['Users get', '100 % 198.51.100.80']]],
    [
      'a bit of everything',
      ['www.mixed.example', '--profiles', 'bind,unbound,knot,powerdns'],
      [
        ['Users of BIND get', '100 % ≠ 192.0.2.110'],
        [
          'Users of Unbound and Knot Resolver get',
          '80.95 % (17/21) ≠ 198.51.100.110',
          '19.05 % (4/21) ≠ 192.0.2.110',
        ],
        ['All other users get', '75 % (3/4) ≠ 198.51.100.110', '25 % (1/4) ≠ 192.0.2.110'],
        [
          'First tries',
          '75 % (3/4) ≠ 198.51.100.110',
          '12.5 % (1/8) ≠ 192.0.2.110',
          '12.5 % (1/8) ✗ timeout: no reply',
        ],
      ],
    ],
    ['warm as cold: once is enough', ['www.shop.example', '--check'], [['Users get', '100 % 198.51.100.80']]],
    [
      'warm otherwise: what no cold path ends in differs',
      ['www.moved.example', '--check'],
      [
        ["Users behind resolvers that know the zones' own NS records get", '100 % ≠ 198.51.100.103'],
        ['All other users get', '100 % 203.0.113.103'],
      ],
    ],
    [
      'imagined: what it was stands before it',
      ['www.mixed.example', '--down', 'ns.mixed.example'],
      [
        [
          'Users get',
          'was 75 % (3/4) 198.51.100.110',
          'was 25 % (1/4) ≠ 192.0.2.110',
          '100 % 198.51.100.110',
        ],
        [
          'First tries',
          'was 75 % (3/4) 198.51.100.110',
          'was 12.5 % (1/8) ≠ 192.0.2.110',
          'was 12.5 % (1/8) ✗ timeout: no reply',
          '75 % (3/4) 198.51.100.110',
          '25 % (1/4) ✗ timeout: no reply',
        ],
      ],
    ],
  ];
  for (const [title, args, views] of rows) t.same(briefly(await traversed(args)), views, title);
});

t.test('who gets what behind resolvers that validate', async (t) => {
  const FAILURE = '✗ SERVFAIL at shop.example. (bogus: the signature has expired)';
  const rows: readonly (readonly [title: string, result: TraversalResult, views: readonly Brief[]])[] = [
    ['once, where they get the same', validatedResult('1 secure'), [['Users get', '100 % 198.51.100.80']]],
    [
      'those who lose answers',
      validatedResult('1/2 insecure, 1/2 expired'),
      [
        [
          'Users behind validating resolvers get',
          '50 % (1/2) 198.51.100.80, insecure',
          `50 % (1/2) ${FAILURE}`,
        ],
        ['All other users get', '100 % 198.51.100.80'],
      ],
    ],
  ];
  for (const [title, result, views] of rows) t.same(briefly(result), views, title);
});

t.test('what validating resolvers give in another world stands beside what they give now', async (t) => {
  const result = await traversed([
    'www.expired.example',
    '--views',
    'validating',
    '--down',
    'ns1.harbour.example',
  ]);
  const failure = '✗ SERVFAIL at expired.example. (bogus: the signature has expired)';
  const validating = briefly(result).filter(([users]) => users?.startsWith('Users behind validating'));
  t.same(validating, [
    ['Users behind validating resolvers get', 'was 100 % 198.51.100.117, secure', `100 % ${failure}`],
  ]);
});

t.test('where each share ends', async (t) => {
  const result = await traversed(['www.mixed.example']);
  const paths = firstTryView(result);
  if (paths === undefined) throw new Error('there is no view');
  const { now } = viewShares(paths, effectOfEnds(result), wordingFor(result, 'terse'));
  t.same(
    now.map(({ places }) => places.map(({ percent, words }) => `${percent} ${words}`)),
    [
      [
        '25 % ns1.harbour.example. 198.51.100.1, 2001:db8:1::1 of mixed.example.',
        '25 % ns1.meadow.test. 203.0.113.1, 2001:db8:2::1 of mixed.example.',
        '25 % ns2.harbour.example. 198.51.100.2, 2001:db8:1::2 of mixed.example.',
      ],
      ['12.5 % ns.mixed.example. 198.51.100.81 of mixed.example.'],
      ['12.5 % ns.mixed.example. 198.51.100.82 of mixed.example.'],
    ],
  );
  t.same(
    now.map(({ size }) => size),
    [0.75, 0.125, 0.125],
    'as parts of a bar',
  );
});

t.test('exact shares that are too long to stand beside others are told apart', async (t) => {
  const result = await traversed(['www.stale.example']);
  const [first, second] = [
    result.views['first-tries'].outcomes[0],
    result.views['first-tries'].outcomes.at(-1),
  ];
  if (first === undefined || second === undefined) throw new Error('there are two answers');
  const outcomes = [
    { ...first, fraction: '1000000007/1000000008' },
    { ...second, fraction: '1/1000000008' },
  ];
  const view = {
    key: 'paths',
    of: 'others' as const,
    title: '',
    note: '',
    view: { outcomes },
  };
  t.match(viewShares(view, effectOfEnds(result), wordingFor(result, 'terse')).now, [
    { percent: '>99.99 %', fraction: '', longFraction: '1000000007/1000000008' },
    { percent: '<0.01 %', fraction: '', longFraction: '1/1000000008' },
  ]);
});

function briefly(result: TraversalResult): readonly Brief[] {
  const [effectOf, wording] = [effectOfEnds(result), wordingFor(result, 'terse')];
  const first = firstTryView(result);
  return [...userGroupViews(result), ...(first === undefined ? [] : [first])].map((view) => {
    const { now, before = [] } = viewShares(view, effectOf, wording);
    const brief = ({ percent, fraction, mark, words }: (typeof now)[number]) =>
      [percent, fraction === '' ? '' : `(${fraction})`, mark, words].filter((part) => part !== '').join(' ');
    return [view.title, ...before.map((share) => `was ${brief(share)}`), ...now.map(brief)];
  });
}

async function traversed(args: readonly string[]): Promise<TraversalResult> {
  const { stdout } = await inside(['traverse', '--demo', '--json', '--full', '-46', ...args]);
  return JSON.parse(stdout);
}

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

t.test('findings point at servers in the picture', async (t) => {
  const rows: readonly (readonly [title: string, code: string, addresses: readonly string[]])[] = [
    ['the one that is named', 'NS_NO_RESPONSE_UDP', ['198.51.100.82']],
    [
      'those whose replies prove it, where none is named',
      'ANSWER_NOT_CERTAIN',
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
  const [way, ...others] = delegationViews(MIXED, effectOfEnds(MIXED), wordingFor(MIXED, 'terse'));
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
    'ns1.harbour.example. 198.51.100.1 12.5 % (1/8) ≠ 198.51.100.110',
  ]);
});

t.test('aliases begin a way of their own, and lookups are told beside', async (t) => {
  const alias = savedResult('alias');
  const ways = delegationViews(alias, effectOfEnds(alias), wordingFor(alias, 'terse'));
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
    zones().flatMap(({ servers }) => servers.flatMap((one) => one.picks)),
  );
  t.ok(picks.length > 0);
  t.ok(picks.every(({ percent }) => percent === undefined));
});

t.test('what does not verify is trouble, and told by more than its colour', async (t) => {
  const result = withSecurity(savedResult('healthy'), { status: 'bogus', reason: 'expired' });
  const [way] = delegationViews(result, effectOfEnds(result), wordingFor(result, 'terse'));
  const deeds = way?.zones.at(-1)?.servers.flatMap(({ picks }) => picks) ?? [];
  t.ok(deeds.length > 0);
  for (const deed of deeds)
    t.match(deed, { effect: 'fails', mark: '✗', words: /bogus: the signature has expired/ });
});

t.test('the tooltip of an insecure reply has the reason', async (t) => {
  const security = { status: 'insecure', reason: 'no-ds', zone: parseName('shop.example') } as const;
  const result = withSecurity(savedResult('healthy'), security);
  const [way] = delegationViews(result, effectOfEnds(result), wordingFor(result, 'terse'));
  const deeds = way?.zones.at(-1)?.servers.flatMap(({ picks }) => picks) ?? [];
  t.ok(deeds.length > 0);
  for (const deed of deeds)
    t.match(deed, { words: /\(insecure\)$/, verdict: 'insecure: no DS for shop.example.' });
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
    text: /^www\.mixed\.example\. A {2}75 % of users get/,
    md: /^# `www\.mixed\.example\. A`/,
  };
  for (const format of EXPORT_FORMATS) t.match(await exported(format, MIXED), begin[format] ?? /./, format);
  t.same(
    Object.keys(begin).filter((format) => !EXPORT_FORMATS.some((one) => one === format)),
    [],
    'none of these is gone',
  );
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
