import t from 'tap';
import { readShape } from '../../src/base/shape.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { type Times, WHEN } from '../../src/document/when.ts';
import type { ProfileName } from '../../src/explore/profiles/profiles.ts';
import { curveSvg } from '../../src/report/when/curve-svg.ts';
import { timesOfChange } from '../../src/report/when/times.ts';
import { timesText } from '../../src/report/when/times-text.ts';
import { type TimesWorld, timesResult } from './times-world.ts';

const AT = new Date('2026-11-27T12:00:00Z');

async function changeOf(before: TimesWorld, after: TimesWorld): Promise<Times> {
  const times = timesOfChange(await timesResult(before), await timesResult(after), AT);
  return readShape(WHEN, JSON.parse(JSON.stringify(times)));
}

const seconds = (moment: string | null) =>
  moment === null ? 'endless' : Math.round((Date.parse(moment) - AT.getTime()) / 1_000);

/** "192.0.2.1: bind 301 half 150" */
function words({ changes = [] }: Times, ...names: readonly ProfileName[]): readonly string[] {
  return changes.map(({ before, profiles }) => {
    const what = before.kind === 'answer' ? before.records.map(({ data }) => data).join() : before.kind;
    const told = profiles.filter(({ name }) => names.includes(name));
    const times = told.map(({ name, lastAt, points }) => {
      const [first] = points;
      const half = points.find(({ share }) => share <= (first?.share ?? 0) / 2);
      return `${name} ${first?.share} ${seconds(half?.at ?? null)} ${seconds(lastAt)}`;
    });
    return `${what}: ${times.join(', ')}`;
  });
}

const NEW = 'www 300 A 192.0.2.2';
const TWO = { ns1: '11.0.0.11', ns2: '11.0.0.12' };
const ELSEWHERE = { ns3: '11.0.0.13' };

t.test('until when users get an old end', async (t) => {
  const rows: readonly (readonly [
    what: string,
    before: TimesWorld,
    after: TimesWorld,
    names: readonly ProfileName[],
    expected: readonly string[],
  ])[] = [
    ['nothing changed', {}, {}, ['bind'], []],
    ['data', {}, { data: NEW }, ['bind'], ['192.0.2.1: bind 1 150 301']],
    ['data that nobody may keep', { m: 0 }, { data: NEW }, ['bind'], ['192.0.2.1: bind 0 0 1']],
    [
      'data that nobody may keep, at resolvers that do',
      { m: 0 },
      { data: NEW },
      ['knot', 'powerdns'],
      ['192.0.2.1: knot 1 3 6, powerdns 1 1 2'],
    ],
    ['a name that was not there', { data: '' }, {}, ['bind'], ['nxdomain: bind 1 30 61']],
    ['a name that is gone', {}, { data: '' }, ['bind'], ['192.0.2.1: bind 1 150 301']],
    [
      'half of the servers had it already: what is left is the other half',
      { servers: TWO, dataOf: { ns2: NEW } },
      { servers: TWO, data: NEW },
      ['bind'],
      ['192.0.2.1: bind 0.5 150 301'],
    ],
    [
      'servers with different TTLs: three quarters hold the one that lives longer',
      { servers: TWO, dataOf: { ns1: 'www 100 A 192.0.2.2' } },
      { servers: TWO, data: 'www 100 A 192.0.2.2' },
      ['bind'],
      ['192.0.2.1: bind 0.75 150 301'],
    ],
    [
      'an alias: its target does not count',
      { data: 'www 60 CNAME a\na 900 A 192.0.2.1' },
      { data: 'www 60 CNAME b\nb 900 A 192.0.2.2\na 900 A 192.0.2.1' },
      ['bind'],
      ['192.0.2.1: bind 1 30 61'],
    ],
    [
      'an alias and its target: gone with the first of them',
      { data: 'www 100 CNAME a\na 100 A 192.0.2.1' },
      { data: 'www 100 CNAME b\nb 100 A 192.0.2.2' },
      ['bind'],
      ['192.0.2.1: bind 1 30 101'],
    ],
    [
      'other name servers with other data',
      { carries: true, m: 100, c: 100 },
      { carries: true, servers: ELSEWHERE, data: NEW },
      ['bind', 'unbound', 'knot', 'powerdns'],
      ['192.0.2.1: bind 1 350 702, unbound 1 350 803, knot 1 endless endless, powerdns 1 100 202'],
    ],
    [
      'no delegation any more: the old servers go on answering',
      {},
      { servers: {} },
      ['bind', 'unbound'],
      ['192.0.2.1: bind 1 450 902, unbound 1 450 4903'],
    ],
    [
      'a server at another address: by the longer of glue and own record, or by both',
      { m: 100, c: 100 },
      { servers: { ns1: '11.0.0.14' }, data: NEW },
      ['bind', 'unbound', 'knot'],
      ['192.0.2.1: bind 1 315 714, unbound 1 315 803, knot 1 315 702'],
    ],
  ];
  for (const [what, before, after, names, expected] of rows)
    t.same(words(await changeOf(before, after), ...names), expected, what);
});

t.test('other addresses of a rotation replace nothing', async (t) => {
  const seen = (result: TraversalResult, ...addresses: readonly string[]): TraversalResult => {
    const outcomes = result.views.resolver.outcomes.map((end) =>
      end.kind === 'answer'
        ? {
            ...end,
            varies: true as const,
            records: [...end.records].flatMap((record) => addresses.map((data) => ({ ...record, data }))),
          }
        : end,
    );
    return { ...result, views: { ...result.views, resolver: { ...result.views.resolver, outcomes } } };
  };
  const result = await timesResult({});
  const before = seen(result, '192.0.2.7', '192.0.2.8');
  t.same(timesOfChange(before, seen(result, '192.0.2.8', '192.0.2.9'), AT).changes, []);
  t.equal(timesOfChange(before, await timesResult({ data: NEW }), AT).changes?.length, 1);
});

t.test('what can go wrong', async (t) => {
  const SIGNED = { '.': {}, 'x.test.': {} } as const;
  const OTHER_KEY = { '.': {}, 'x.test.': { keys: [{ label: 'other' }] } } as const;
  const rows: readonly (readonly [
    what: string,
    before: TimesWorld,
    after: TimesWorld,
    dangers: readonly (readonly [kind: string, until: number, message: RegExp])[],
  ])[] = [
    ['data', {}, { data: NEW }, []],
    [
      'other name servers',
      {},
      { servers: ELSEWHERE },
      [
        [
          'old-servers',
          4_602,
          /^Keep ns1\.x\.test \(11\.0\.0\.11\) running as servers of x\.test until then/,
        ],
        ['old-names', 4_602, /^Keep the address records of ns1\.x\.test in the new zone until then/],
      ],
    ],
    [
      'products that renew the old NS records',
      { carries: true },
      { carries: true, servers: { ...ELSEWHERE, ns1: '11.0.0.14' } },
      [
        [
          'old-servers',
          4_602,
          /hold the old address\. Without it, users get SERVFAIL, which BIND keeps for 12 seconds, .* and PowerDNS Recursor for 1 minute$/,
        ],
      ],
    ],
    ['keys that stay', { signed: SIGNED }, { signed: SIGNED }, []],
    [
      'all keys at once',
      { signed: SIGNED },
      { signed: OTHER_KEY },
      [
        [
          'validation',
          421,
          /hold the old keys get SERVFAIL until then: the new DS records of x\.test match none/,
        ],
        ['validation', 421, /hold the old keys get SERVFAIL until then: none of them signed/],
        [
          'validation',
          661,
          /hold the old DS records get SERVFAIL until then: no new key of x\.test matches them/,
        ],
      ],
    ],
    [
      'keys that DS records are taken from',
      { signed: SIGNED },
      { signed: { '.': {}, 'x.test.': { ds: [] } } },
      [],
    ],
    [
      'a zone that is no longer signed',
      { signed: SIGNED },
      { signed: { '.': {} } },
      [['validation', 661, /^Users of validating resolvers that hold the old DS records get SERVFAIL/]],
    ],
    ['a zone that is signed now', { signed: { '.': {} } }, { signed: SIGNED }, []],
  ];
  for (const [what, before, after, expected] of rows) {
    const { dangers = [] } = await changeOf(before, after);
    t.matchOnly(
      dangers.map(({ kind, until, message }) => ({ kind, until: seconds(until), message })),
      expected.map(([kind, until, message]) => ({ kind, until, message })),
      what,
    );
  }
});

t.test('how much longer each product fails', async (t) => {
  const SIGNED = { '.': {}, 'x.test.': {} } as const;
  const failing = async (before: TimesWorld, after: TimesWorld, kind: string) => {
    const found = (await changeOf(before, after)).dangers?.find((one) => one.kind === kind);
    return found?.failing?.map(({ name, lastAt }) => `${name} ${seconds(lastAt)}`);
  };
  t.same(
    await failing({}, { servers: ELSEWHERE }, 'old-servers'),
    ['bind 613', 'unbound 4632', 'knot 4602', 'powerdns 4662'],
    'old servers that stop',
  );
  t.same(
    await failing({}, { servers: ELSEWHERE }, 'old-names'),
    ['knot 4602'],
    'only one product fails without the names of old servers',
  );
  t.same(
    await failing({ signed: SIGNED }, { signed: { '.': {} } }, 'validation'),
    ['bind 304', 'unbound 366', 'knot 302', 'powerdns 661'],
    'keys that are gone',
  );
});

const LOOK = {
  colour: 'off',
  detail: 'terse',
  width: 140,
  sums: 'hidden',
  now: new Date('2026-11-27T12:01:00Z'),
  timeZone: 'Europe/Berlin',
} as const;

t.test('the text has four moments', async (t) => {
  const times = await changeOf({}, { data: NEW });
  t.matchOnly(timesText(times, LOOK).split('\n'), [
    'www.x.test A',
    '',
    'changed 13:00:00 (12:00:00 UTC), 1 minute ago',
    '',
    '192.0.2.1, replaced by 192.0.2.2',
    /^ +still get it now +half of them until +a tenth until +the last until$/,
    /^ {2}all products +80 % +13:02:30 \(12:02:30 UTC\) +13:04:30 \(12:04:30 UTC\) +13:05:01 \(12:05:01 UTC\)$/,
    '',
    /^Not checked: DNSSEC: --views; rotation: /,
    '',
  ]);
  t.match(
    timesText(await changeOf({}, {}), LOOK),
    /users get the same as before: no old answer has to expire/,
  );
  const moved = await changeOf({ carries: true }, { carries: true, servers: ELSEWHERE, data: NEW });
  const text = timesText(moved, LOOK);
  t.match(text, /^ {2}Knot Resolver +100 % +as long as the old servers answer$/m);
  t.match(text, /^14:16:42 \(13:16:42 UTC\) +Keep ns1\.x\.test [^;]*; Knot\s+Resolver\s+will/m);
});

t.test('the picture', async (t) => {
  const moved = await changeOf({ carries: true }, { carries: true, servers: ELSEWHERE, data: NEW });
  const svg = curveSvg(moved, LOOK.now, LOOK.timeZone);
  t.equal([...svg.matchAll(/<polyline /g)].length, 4, 'a line for each product that differs');
  t.match(svg, /13:00:00 \(12:00:00 UTC\)/);
  t.match(svg, />Knot Resolver</);
  t.match(curveSvg(await changeOf({}, {}), LOOK.now), /users get the same as before/);
  const text = { ask: 'www.x.test. TXT', data: 'www TXT "<b>&\\027[2J"' };
  const hurt = curveSvg(await changeOf(text, { ...text, data: 'www TXT "new"' }), LOOK.now);
  t.match(hurt, '&#60;b&#62;&#38;');
  t.notOk(hurt.includes('<b>'));
});
