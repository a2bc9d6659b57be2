import t from 'tap';
import { readShape } from '../../src/base/shape.ts';
import { type LeadRow, type Times, WHEN } from '../../src/document/when.ts';
import type { ProfileName } from '../../src/explore/profiles/profiles.ts';
import { longest, momentOfShare, shareLeft, timeLeft } from '../../src/report/when/curve.ts';
import { leadTimesOf } from '../../src/report/when/times.ts';
import { timesText } from '../../src/report/when/times-text.ts';
import { type TimesWorld, timesResult } from './times-world.ts';

t.test('the share of users who are left', async (t) => {
  const alike = (...ttls: readonly number[]) => ttls.map((ttl) => timeLeft([{ ttl, share: 1 }]));
  const rows: readonly (readonly [what: string, share: number, expected: number])[] = [
    ['nobody has asked', shareLeft(alike(0), 0), 0],
    ['before the change', shareLeft(alike(100), -1), 1],
    ['at once', shareLeft(alike(100), 0), 1],
    ['a copy: evenly', shareLeft(alike(100), 25), 0.75],
    ['at its end', shareLeft(alike(100), 100), 0],
    ['two copies, alike: early', shareLeft(alike(100, 100), 50), 7 / 8],
    ['in the middle', shareLeft(alike(100, 100), 100), 1 / 2],
    ['late', shareLeft(alike(100, 100), 150), 1 / 8],
    ['a short one after a long one', shareLeft(alike(10, 100), 50), 0.55],
    ['three', shareLeft(alike(60, 60, 60), 60), 5 / 6],
    ['three, very different', shareLeft(alike(1, 172_800, 172_800), 172_800.5), 0.5],
  ];
  for (const [what, share, expected] of rows) t.ok(Math.abs(share - expected) < 1e-9, `${what}: ${share}`);
  // 1/4 of the copies is from the first server in numbers; the second one's live three times as long.
  const mixed = [
    timeLeft([
      { ttl: 100, share: 1 },
      { ttl: 300, share: 1 },
    ]),
  ];
  t.ok(
    Math.abs(shareLeft(mixed, 100) - (3 / 4) * (2 / 3)) < 1e-9,
    'a copy with a long TTL is held more often',
  );
  t.equal(longest(mixed), 300);
  t.ok(Math.abs(momentOfShare(mixed, shareLeft(mixed, 77)) - 77) < 0.001);
  const many = timeLeft(Array.from({ length: 1_000 }, (_, ttl) => ({ ttl: ttl + 1, share: 1 })));
  t.ok(many.length <= 8, 'many TTLs are few');
  t.equal(longest([many]), 1_000);
});

/** A row in words: "nameservers x.test. NS: bind 902 450". */
function words({ change, rrset, profiles }: LeadRow, ...names: readonly ProfileName[]): string {
  const seconds = (ms: number | null) => (ms === null ? 'endless' : Math.round(ms / 1_000));
  const told = profiles.filter(({ name }) => names.includes(name));
  const times = told.map(({ name, lastMs, halfMs }) => `${name} ${seconds(lastMs)} ${seconds(halfMs)}`);
  return `${change} ${rrset.name} ${rrset.type}: ${times.join(', ')}`;
}

async function timesOf(world: TimesWorld): Promise<Times> {
  const times = leadTimesOf(await timesResult(world));
  return readShape(WHEN, JSON.parse(JSON.stringify(times)));
}

t.test('a chain of many zones, each with many TTLs, takes no longer than few', async (t) => {
  const ttls = Array.from({ length: 8 }, (_, at) => ({ ttl: 300 * (at + 1), share: 1 / 8 }));
  const times = Array.from({ length: 60 }, () => timeLeft(ttls));
  t.equal(longest(times), 60 * 2_400);
  const half = momentOfShare(times, 1 / 2);
  t.ok(half > 0.4 * longest(times) && half < 0.6 * longest(times), `${half}`);
  t.equal(shareLeft(times, longest(times)), 0);
});

t.test('lead times', async (t) => {
  const rows: readonly (readonly [
    what: string,
    world: TimesWorld,
    change: LeadRow['change'],
    names: readonly ProfileName[],
    expected: readonly string[],
  ])[] = [
    ['data', {}, 'data', ['bind'], ['data www.x.test. A: bind 301 150']],
    [
      'a long TTL is cut',
      { m: 700_000 },
      'data',
      ['bind', 'knot'],
      ['data www.x.test. A: bind 604801 302400, knot 86401 43200'],
    ],
    [
      'an alias and its target',
      { data: 'www 30 CNAME a\na 99 A 192.0.2.1' },
      'data',
      ['bind'],
      ['data www.x.test. CNAME: bind 31 15', 'data a.x.test. A: bind 100 50'],
    ],
    [
      'servers that differ: the longest, and more hold it',
      {
        servers: { ns1: '11.0.0.11', ns2: '11.0.0.12' },
        dataOf: { ns1: 'www 100 A 192.0.2.1', ns2: 'www 300 A 192.0.2.1' },
      },
      'data',
      ['bind'],
      ['data www.x.test. A: bind 301 100'],
    ],
    [
      'a name that does not exist',
      { ask: 'new.x.test. A' },
      'new-name',
      ['bind'],
      ['new-name new.x.test. A: bind 61 30'],
    ],
    [
      'a new name, where the zone denied something else',
      { options: { check: true } },
      'new-name',
      ['bind'],
      ['new-name x.test. SOA: bind 61 30'],
    ],
    [
      'a move: those who take the own NS records from no answer hold those of the parent, and perhaps the own after them',
      {},
      'nameservers',
      ['bind', 'unbound'],
      ['nameservers x.test. NS: bind 902 450, unbound 4903 450'],
    ],
    [
      'a move where answers bring the own NS records',
      { carries: true },
      'nameservers',
      ['bind', 'unbound', 'knot', 'powerdns'],
      ['nameservers x.test. NS: bind 902 450, unbound 4903 450, knot endless endless, powerdns 4302 2150'],
    ],
    [
      'a move, seen by a denial, which brings no NS records along',
      { carries: true, ask: 'new.x.test. A' },
      'nameservers',
      ['bind', 'knot'],
      ['nameservers x.test. NS: bind 662 330, knot 4663 330'],
    ],
    [
      'a move, if the own NS records were not asked for',
      { options: { views: ['resolver'] } },
      'nameservers',
      ['bind'],
      ['nameservers x.test. NS: bind 902 450'],
    ],
    ['an address of a server', {}, 'address', ['bind'], ['address ns1.x.test. A: bind 4314 1850']],
    ['keys of an unsigned zone', {}, 'keys', ['bind'], []],
    ['keys', { signed: { '.': {}, 'x.test.': {} } }, 'keys', ['bind'], ['keys x.test. DNSKEY: bind 61 30']],
    ['DS records', { signed: { '.': {}, 'x.test.': {} } }, 'ds', ['bind'], ['ds x.test. DS: bind 301 150']],
    ['DS records that are not there', { signed: { '.': {} } }, 'ds', ['bind'], ['ds x.test. DS: bind 61 30']],
  ];
  for (const [what, world, change, names, expected] of rows) {
    const { lead } = await timesOf(world);
    const told = lead.filter((row) => row.change === change).map((row) => words(row, ...names));
    t.same(told, expected, what);
  }
});

t.test('the steps of a change, and why it takes so long', async (t) => {
  const { lead } = await timesOf({ carries: true, signed: { '.': {}, 'x.test.': {} } });
  const steps = (change: LeadRow['change']) =>
    lead.find((row) => row.change === change)?.steps?.map(({ waitMs }) => waitMs / 1_000);
  t.same(steps('nameservers'), [0, 4_001, 0], 'the old servers go on until the last NS records are gone');
  t.same(steps('keys'), [61, 4_001, 301, 0], 'signatures of the NS records are held longest');
  t.same(steps('ds'), [61, 301, 301, 0]);
  t.same(steps('data'), undefined);
  const keys = lead.find(({ change }) => change === 'keys');
  t.same(
    keys?.steps?.map(({ why }) => why.map(({ kind, ttl }) => `${kind} ${ttl}`)),
    [['keys 60'], ['own 4000'], ['ds 300'], []],
    'the copies that each step waits for',
  );
  const unsigned = (await timesOf({ signed: { '.': {} } })).lead.find(({ change }) => change === 'ds');
  t.same(
    unsigned?.steps?.map(({ waitMs }) => waitMs / 1_000),
    [4_001, 61],
    'unsigned copies of all records of the zone have to expire',
  );
  const move = lead.find(({ change }) => change === 'nameservers');
  t.same(
    move?.profiles.map(({ name, why }) => [name, ...why.map(({ kind, ttl }) => `${kind} ${ttl}`)]),
    [
      ['bind', 'parent 600', 'data 300'],
      ['unbound', 'parent 600', 'own 4000', 'data 300'],
      ['knot', 'parent 600', 'own 4000', 'data 300'],
      ['powerdns', 'own 4000', 'data 300'],
    ],
  );
  t.same(move?.profiles[0]?.why[0]?.ttls, [{ ttl: 600, servers: ['r (11.0.0.1)'] }]);
});

t.test('notices', async (t) => {
  const two = { ns1: '11.0.0.11', ns2: '11.0.0.12' };
  const rows: readonly (readonly [what: string, world: TimesWorld, kind: string, message: RegExp])[] = [
    [
      'different TTLs',
      { servers: two, dataOf: { ns2: 'www 60 A 192.0.2.1' } },
      'ttls-differ',
      /^Servers give different TTLs for www\.x\.test A: 5 minutes at ns1\.x\.test \(11\.0\.0\.11\) and 1 minute at ns2/,
    ],
    [
      'the parent’s TTL',
      { p: 172_800, c: 300 },
      'slow',
      /^The NS records of x\.test have a TTL of 2 days at its parent and of 5 minutes in the zone: /,
    ],
    [
      'a long negative TTL',
      { ask: 'new.x.test. A', negative: 86_400 },
      'slow',
      /^Resolvers keep denials of x\.test for 1 day/,
    ],
    ['no denial was seen', {}, 'unknown', /add --check/],
    [
      'no own NS records were asked for',
      { options: { views: ['resolver'], profiles: [] } },
      'unknown',
      /add warm to --views/,
    ],
    ['a limit', { options: { maxQueries: 1 } }, 'unknown', /^A limit was reached/],
  ];
  for (const [what, world, kind, message] of rows) {
    const { notices } = await timesOf(world);
    const found = notices.filter((one) => one.kind === kind && message.test(one.message));
    t.equal(found.length, 1, `${what}: ${JSON.stringify(notices)}`);
  }
  const { notices } = await timesOf({ options: { check: true } });
  t.same(notices, [], 'nothing to say');
});

t.test('where nobody caches the answer, a move still lasts as long as the NS records', async (t) => {
  const { lead } = await timesOf({ ask: 'www.x.test. CAA', bare: true });
  const move = lead.find(({ change }) => change === 'nameservers');
  t.equal(move && words(move, 'bind', 'unbound'), 'nameservers x.test. NS: bind 601 300, unbound 4602 300');
  t.equal(move?.steps?.[1]?.waitMs, 4_001_000);
});

t.test('the text', async (t) => {
  const look = {
    colour: 'off',
    detail: 'terse',
    width: 120,
    sums: 'hidden',
    now: new Date('2026-11-27T12:00:00Z'),
    timeZone: 'Europe/Berlin',
  } as const;
  const result = await timesResult({ carries: true, options: { check: true } });
  const times = leadTimesOf(result, new Date('2026-11-27T12:00:00Z'));
  t.matchOnly(timesText(times, look).split('\n'), [
    'www.x.test A',
    '',
    /^ +last user +half of users +if changed now, until$/,
    /^www\.x\.test A, changed or removed +5 minutes +2 minutes 30 seconds +13:05:01 \(12:05:01 UTC\)$/,
    /^a new name in x\.test +1 minute +30 seconds +13:01:01 \(12:01:01 UTC\)$/,
    /^other name servers of x\.test +never while the old servers answer$/,
    /^ {2}BIND +15 minutes +7 minutes 30 seconds +13:15:02 \(12:15:02 UTC\)$/,
    /^ {2}Unbound +1 hour 22 minutes +7 minutes 30 seconds +14:21:43 \(13:21:43 UTC\)$/,
    /^ {2}Knot Resolver +never while the old servers answer$/,
    /^ {2}PowerDNS Recursor +1 hour 12 minutes +35 minutes 50 seconds +14:11:42 \(13:11:42 UTC\)$/,
    /^another address of ns1\.x\.test +1 hour 22 minutes/,
    /^ {2}BIND and Knot Resolver +1 hour 12 minutes/,
    /^ {2}Unbound and PowerDNS Recursor +1 hour 22 minutes/,
    '',
    'other name servers of x.test, in this order',
    '1.  serve the zone with the new NS records from both old and new servers',
    '2.  change the NS records at the parent; then wait 1 hour 7 minutes',
    '3.  stop the old servers',
    '',
    /^Not checked: DNSSEC: --views; rotation: /,
    '',
  ]);
  const explained = timesText(times, { ...look, sums: 'shown' });
  t.match(
    explained,
    /^ {6}5 minutes 1 second: +www\.x\.test A \(TTL 300, from ns1\.x\.test \(11\.0\.0\.11\)\)$/m,
  );
  t.match(explained, /^ {4}\+ 5 minutes 1 second: +www\.x\.test A/m);
  t.match(explained, /the NS records of x\.test at its parent \(TTL 600, from r \(11\.0\.0\.1\)\)/);
  t.match(
    explained,
    /then wait 1 hour 7 minutes\n {4}1 hour 7 minutes: x\.test's own NS/m,
    'why a step waits: no old copy follows another, since the first step replaced both',
  );
  const signed = await timesResult({ signed: { '.': {}, 'x.test.': {} } });
  const ofDs = timesText(leadTimesOf(signed), look);
  t.match(ofDs, /^new DS records of x\.test\s+5 minutes /m);
  t.match(
    ofDs,
    /^2\. {2}add the new DS records at the parent; then wait 5 minutes 1 second$/m,
    'no wait is rounded down',
  );
  const far = leadTimesOf(await timesResult({ m: 700_000 }), new Date('2026-11-27T12:00:00Z'));
  t.match(timesText(far, { ...look, sums: 'shown' }), /\(TTL 604800, cut from 8 days 2 hours, from ns1/);
});
