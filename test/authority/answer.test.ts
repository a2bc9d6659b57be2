import t from 'tap';
import { type Answer, answerFrom } from '../../src/authority/answer.ts';
import { readZone } from '../../src/authority/zone.ts';
import { parseName } from '../../src/dns/name.ts';
import { zoneText } from '../../src/lab/zone-text.ts';

const LONG = Array.from({ length: 3 }, () => 'x'.repeat(60)).join('.');

const zones = [
  zoneText(
    'example.',
    `
      @                NS     ns1
      @                NS     ns.hoster.test.
      ns1              A      192.0.2.1
                       AAAA   2001:db8::1
      www              A      192.0.2.80
      www              A      192.0.2.81
      a.ent            A      192.0.2.2
      *.wild           A      192.0.2.3
                       TXT    "any"
      sub.wild         TXT    "not wild"
      *.aliases        CNAME  www
      cut              NS     ns.cut
                       NS     ns.sibling
                       NS     ns.hoster.test.
                       DS     1 8 2 abcd
      ns.cut           A      192.0.2.4
                       AAAA   2001:db8::4
      below.cut        A      192.0.2.99
      sibling          NS     ns.sibling
      ns.sibling       A      192.0.2.5
      alias            CNAME  www
      chain            CNAME  alias
      out              CNAME  www.elsewhere.invalid.
      to-cut           CNAME  www.cut
      to-nothing       CNAME  nothing
      to-nodata        CNAME  a.ent
      to-child         CNAME  www.child
      loop1            CNAME  loop2
      loop2            CNAME  loop1
      self             CNAME  self
      old              DNAME  new
      old              TXT    "beside"
      www.new          A      192.0.2.6
      long             DNAME  ${LONG}.new
      child            NS     ns1.child
      ns1.child        A      192.0.2.7
    `,
  ),
  zoneText('child.example.', '@ NS ns1\nns1 A 192.0.2.7\nwww A 192.0.2.8'),
].map(readZone);

/** A row: the question, then the answer: rcode with aa, answer, authority and additional section. */
type Row = [question: string, header: string, answer: string, authority: string, additional: string];

const ask = (question: string): Answer => {
  const [name = '', type = 'A'] = question.split(' ');
  return answerFrom(zones, { name: parseName(name), type });
};

t.test('questions and their answers', async (t) => {
  const soa = 'example. SOA';
  const glue = 'ns.cut.example. A, ns.cut.example. AAAA, ns.sibling.example. A';
  const rows: Row[] = [
    ['www.example. A', 'NOERROR aa', 'www.example. A, www.example. A', '', ''],
    ['www.example. AAAA', 'NOERROR aa', '', soa, ''],
    ['www.example. ANY', 'NOERROR aa', 'www.example. A, www.example. A', '', ''],
    ['nothing.example. A', 'NXDOMAIN aa', '', soa, ''],
    ['x.www.example. A', 'NXDOMAIN aa', '', soa, ''],
    ['ent.example. A', 'NOERROR aa', '', soa, ''],
    ['b.ent.example. A', 'NXDOMAIN aa', '', soa, ''],
    ['example. NS', 'NOERROR aa', 'example. NS, example. NS', '', 'ns1.example. A, ns1.example. AAAA'],
    ['example. SOA', 'NOERROR aa', 'example. SOA', '', ''],
    ['example. DS', 'NOERROR aa', '', soa, ''],
    ['test. A', 'REFUSED', '', '', ''],
    ['. NS', 'REFUSED', '', '', ''],
    // RFC 4592: wildcards.
    ['x.wild.example. A', 'NOERROR aa', 'x.wild.example. A', '', ''],
    ['x.y.wild.example. A', 'NOERROR aa', 'x.y.wild.example. A', '', ''],
    ['x.wild.example. MX', 'NOERROR aa', '', soa, ''],
    ['x.wild.example. ANY', 'NOERROR aa', 'x.wild.example. A, x.wild.example. TXT', '', ''],
    ['wild.example. A', 'NOERROR aa', '', soa, ''],
    ['*.wild.example. A', 'NOERROR aa', '*.wild.example. A', '', ''],
    ['sub.wild.example. A', 'NOERROR aa', '', soa, ''],
    ['x.sub.wild.example. A', 'NXDOMAIN aa', '', soa, ''],
    ['x.*.wild.example. A', 'NXDOMAIN aa', '', soa, ''],
    [
      'x.aliases.example. A',
      'NOERROR aa',
      'x.aliases.example. CNAME, www.example. A, www.example. A',
      '',
      '',
    ],
    // Referrals, with in-domain and sibling glue.
    ['cut.example. A', 'NOERROR', '', 'cut.example. NS, cut.example. NS, cut.example. NS', glue],
    ['below.cut.example. A', 'NOERROR', '', 'cut.example. NS, cut.example. NS, cut.example. NS', glue],
    ['ns.cut.example. A', 'NOERROR', '', 'cut.example. NS, cut.example. NS, cut.example. NS', glue],
    ['cut.example. NS', 'NOERROR', '', 'cut.example. NS, cut.example. NS, cut.example. NS', glue],
    ['cut.example. DS', 'NOERROR aa', 'cut.example. DS', '', ''],
    ['sibling.example. DS', 'NOERROR aa', '', soa, ''],
    ['x.cut.example. DS', 'NOERROR', '', 'cut.example. NS, cut.example. NS, cut.example. NS', glue],
    // Two zones on one server: the deepest answers, for DS the parent.
    ['www.child.example. A', 'NOERROR aa', 'www.child.example. A', '', ''],
    ['child.example. DS', 'NOERROR aa', '', soa, ''],
    ['child.example. TXT', 'NOERROR aa', '', 'child.example. SOA', ''],
    // Aliases.
    [
      'chain.example. A',
      'NOERROR aa',
      'chain.example. CNAME, alias.example. CNAME, www.example. A, www.example. A',
      '',
      '',
    ],
    ['chain.example. CNAME', 'NOERROR aa', 'chain.example. CNAME', '', ''],
    ['chain.example. ANY', 'NOERROR aa', 'chain.example. CNAME', '', ''],
    ['out.example. A', 'NOERROR aa', 'out.example. CNAME', '', ''],
    [
      'to-cut.example. A',
      'NOERROR aa',
      'to-cut.example. CNAME',
      'cut.example. NS, cut.example. NS, cut.example. NS',
      glue,
    ],
    ['to-nothing.example. A', 'NXDOMAIN aa', 'to-nothing.example. CNAME', soa, ''],
    ['to-nodata.example. MX', 'NOERROR aa', 'to-nodata.example. CNAME', soa, ''],
    ['to-child.example. A', 'NOERROR aa', 'to-child.example. CNAME, www.child.example. A', '', ''],
    ['loop1.example. A', 'NOERROR aa', 'loop1.example. CNAME, loop2.example. CNAME', '', ''],
    ['self.example. A', 'NOERROR aa', 'self.example. CNAME', '', ''],
    // RFC 6672.
    [
      'www.old.example. A',
      'NOERROR aa',
      'old.example. DNAME, www.old.example. CNAME, www.new.example. A',
      '',
      '',
    ],
    ['www.old.example. CNAME', 'NOERROR aa', 'old.example. DNAME, www.old.example. CNAME', '', ''],
    ['old.example. DNAME', 'NOERROR aa', 'old.example. DNAME', '', ''],
    ['old.example. TXT', 'NOERROR aa', 'old.example. TXT', '', ''],
    ['old.example. A', 'NOERROR aa', '', soa, ''],
    [`${'y'.repeat(60)}.long.example. A`, 'YXDOMAIN aa', 'long.example. DNAME', '', ''],
  ];
  for (const [question, header, ...sections] of rows) {
    const { rcode, authoritative, answer, authority, additional } = ask(question);
    t.equal(authoritative ? `${rcode} aa` : rcode, header, question);
    t.same([answer, authority, additional].map(summary), sections, question);
  }
});

t.test('a negative answer’s TTL is at most what the SOA says', async (t) => {
  t.same(
    ask('nothing.example.').authority.map(({ ttl }) => ttl),
    [60],
  );
  const short = readZone('$ORIGIN x.\n@ 10 SOA n h 1 2 3 4 60');
  const { authority } = answerFrom([short], { name: parseName('y.x.'), type: 'A' });
  t.same(
    authority.map(({ ttl }) => ttl),
    [10],
  );
});

t.test('a CNAME made from a DNAME has its TTL and the right target', async (t) => {
  const [dname, cname] = ask('www.old.example. A').answer;
  t.equal(cname?.ttl, dname?.ttl);
  t.equal(cname?.target, 'www.new.example.');
});

t.test('a DNAME that leads below itself is followed once, and aliases only so far', async (t) => {
  const endless = readZone(
    zoneText('x.', 'd DNAME e.d\nl1 CNAME l2\nl2 CNAME l3\nl3 CNAME l4\nl4 A 192.0.2.1'),
  );
  const asked = (name: string, most?: number) => {
    const { rcode, answer } = answerFrom([endless], { name: parseName(name), type: 'A' }, most);
    return `${rcode} ${summary(answer)}`;
  };
  t.equal(asked('a.d.x.'), 'NOERROR d.x. DNAME, a.d.x. CNAME');
  t.equal(asked('l1.x.', 3), 'SERVFAIL l1.x. CNAME, l2.x. CNAME, l3.x. CNAME');
  t.equal(asked('l1.x.', 4), 'NOERROR l1.x. CNAME, l2.x. CNAME, l3.x. CNAME, l4.x. A');
});

t.test('a wildcard right below the root', async (t) => {
  const root = readZone(zoneText('.', '@ NS a.\n* TXT x\na A 192.0.2.1'));
  const { answer } = answerFrom([root], { name: parseName('no.such'), type: 'TXT' });
  t.equal(summary(answer), 'no.such. TXT');
});

function summary(records: Answer['answer']): string {
  return records.map(({ name, type }) => `${name} ${type}`).join(', ');
}
