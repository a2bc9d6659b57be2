import t from 'tap';
import { parseName } from '../../src/dns/name.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { copiesIn, lifetimeMs, lifetimes } from '../../src/report/views/old-copies.ts';

/** Records of a section: "www.x. 300 A 192.0.2.1". */
type Section = readonly string[];

interface Reply {
  readonly question: string;
  readonly answer?: Section;
  readonly authority?: Section;
  readonly additional?: Section;
}

function records(section: Section = []) {
  return section.map((line) => {
    const [name = '', ttl = '', type = '', ...data] = line.split(' ');
    return { name: parseName(name), ttl: Number(ttl), type, data: data.join(' ') };
  });
}

function result(...replies: readonly Reply[]): Pick<TraversalResult, 'exchanges'> {
  return {
    exchanges: replies.map(({ question, answer, authority, additional }, at) => {
      const [name = '', type = ''] = question.split(' ');
      return {
        id: `x${at + 1}`,
        server: { address: '192.0.2.53', names: [] },
        question: { name: parseName(name), type },
        transport: 'udp',
        elapsedMs: 1,
        attempts: 1,
        answer: records(answer),
        authority: records(authority),
        additional: records(additional),
        tries: [],
        traffic: { packetsSent: 1, packetsReceived: 1, bytesSent: 1, bytesReceived: 1 },
      };
    }),
  };
}

/** A delegation of x. to ns.x., as the root and the zone have it. */
const referral = (ns = 'ns.x.', address = '11.0.0.2', p = 6): Reply => ({
  question: 'www.x. A',
  authority: [`x. ${p} NS ${ns}`],
  additional: [`${ns} 7 A ${address}`],
});
const own = (ns = 'ns.x.', c = 40): Reply => ({ question: 'x. NS', answer: [`x. ${c} NS ${ns}`] });
const www = (data: string, ttl = 4): Reply => ({ question: 'www.x. A', answer: [`www.x. ${ttl} A ${data}`] });
const denied: Reply = { question: 'www.x. A', authority: ['x. 9 SOA ns.x. hostmaster.x. 1 2 3 4 5'] };

t.test('the TTLs of what has changed', async (t) => {
  const [old, fresh] = ['192.0.2.1', '192.0.2.2'];
  const rows: readonly (readonly [
    what: string,
    before: readonly Reply[],
    now: readonly Reply[],
    lives: readonly string[],
  ])[] = [
    ['data', [referral(), own(), www(old)], [referral(), own(), www(fresh)], ['4 www.x A']],
    ['nothing', [referral(), own(), www(old)], [referral(), own(), www(old)], []],
    ['servers that differ: the longest', [www(old, 4), www(old, 8)], [www(fresh)], ['8 www.x A']],
    ['a name that was not there', [referral(), denied], [referral(), www(fresh)], ['9 www.x A']],
    ['a TTL of 0 lives nowhere', [www(old, 0)], [www(fresh)], []],
    [
      'an alias, whose target goes on',
      [{ question: 'www.x. A', answer: ['www.x. 30 CNAME a.x.', `a.x. 99 A ${old}`] }],
      [
        { question: 'www.x. A', answer: [`www.x. 30 A ${fresh}`] },
        { question: 'a.x. A', answer: [`a.x. 99 A ${old}`] },
      ],
      ['30 www.x CNAME'],
    ],
    [
      'name servers: those of the parent, then the old zone’s own, then the old data',
      [referral(), own(), www(old)],
      [referral('ns.y.', '11.0.0.3'), own('ns.y.'), www(fresh)],
      ['6 the NS records of x at its parent', "40 x's own NS records", '4 www.x A'],
    ],
    [
      'the address of a server: by the longer of glue and own record',
      [referral(), own(), { question: 'ns.x. A', answer: ['ns.x. 50 A 11.0.0.2'] }, www(old)],
      [referral('ns.x.', '11.0.0.3'), own(), www(fresh)],
      ['50 an address of a server of x', '4 www.x A'],
    ],
    [
      'signatures and serial numbers do not count',
      [{ question: 'www.x. A', answer: [`www.x. 4 A ${old}`, 'www.x. 999 RRSIG A 13 2 4 1'] }, denied],
      [{ question: 'www.x. A', answer: [`www.x. 4 A ${old}`, 'www.x. 999 RRSIG A 13 2 4 2'] }, denied],
      [],
    ],
    [
      'keys',
      [{ question: 'x. DNSKEY', answer: ['x. 70 DNSKEY 257 3 13 old'] }, www(old)],
      [{ question: 'x. DNSKEY', answer: ['x. 70 DNSKEY 257 3 13 new'] }, www(old)],
      ['70 x DNSKEY'],
    ],
  ];
  for (const [what, before, now, expected] of rows) {
    const lives = lifetimes(copiesIn(result(...before)), result(...now));
    t.same(
      lives.map(({ what, ttl }) => `${ttl} ${what}`),
      expected,
      what,
    );
  }
});

t.test('several rounds, and a second more for each copy', async (t) => {
  const seen = copiesIn(
    result(www('192.0.2.3', 2)),
    copiesIn(result(referral(), own(), www('192.0.2.1', 10))),
  );
  const lives = lifetimes(seen, result(referral('ns.y.'), own('ns.y.'), www('192.0.2.2')));
  t.equal(lifetimeMs(lives), 7_000 + 41_000 + 11_000);
  t.equal(lifetimeMs([]), 0);
});
