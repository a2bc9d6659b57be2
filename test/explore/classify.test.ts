import t from 'tap';
import type { Flag } from '../../src/dns/message.ts';
import { parseName } from '../../src/dns/name.ts';
import type { ResourceRecord } from '../../src/dns/record.ts';
import type { Failure, Reply } from '../../src/exchange/exchanged.ts';
import { classifier } from '../../src/explore/classify.ts';
import type { Meaning } from '../../src/explore/meaning.ts';

/** "owner type data": a record, class IN, TTL 300; "owner CH type data" for another class. */
function record(line: string): ResourceRecord {
  const [owner = '', ...rest] = line.split(' ');
  const chaos = rest[0] === 'CH' ? { class: 'CH' } : {};
  const [type = '', ...data] = rest[0] === 'CH' ? rest.slice(1) : rest;
  return { name: parseName(owner), type, ...chaos, ttl: 300, data: data.join(' ') };
}

interface Seen {
  readonly rcode?: string;
  readonly flags?: readonly Flag[];
  readonly answer?: readonly string[];
  readonly authority?: readonly string[];
  readonly additional?: readonly string[];
}

function reply({ rcode = 'NOERROR', flags = ['qr'], ...sections }: Seen): Reply {
  const read = (lines: readonly string[] = []) => lines.map(record);
  const [answer, authority, additional] = [sections.answer, sections.authority, sections.additional].map(
    read,
  );
  if (answer === undefined || authority === undefined || additional === undefined)
    throw new Error('no sections');
  return { kind: 'reply', rcode, flags, rttMs: 1, bytes: 100, answer, authority, additional };
}

interface Case {
  /** The number of the rule in svc-model(7), EXCHANGES, and the case. */
  readonly rule: string;
  readonly ask?: string;
  readonly zone?: string;
  readonly seen: Seen | Failure;
  /** The class, with what matters of it. */
  readonly means: string;
}

const SOA = 'example. SOA ns. host. 1 2 3 4 5';
const LONG = 'x'.repeat(60);

const CASES: readonly Case[] = [
  { rule: '1 nothing came', seen: { kind: 'timeout' }, means: 'timeout' },
  {
    rule: '1 the network said so',
    seen: { kind: 'unreachable', detail: 'ECONNREFUSED' },
    means: 'unreachable',
  },
  { rule: '1 what came cannot be read', seen: { kind: 'malformed' }, means: 'malformed' },
  { rule: '2 an error', seen: { rcode: 'SERVFAIL' }, means: 'error SERVFAIL' },
  {
    rule: '2 goes before an answer',
    seen: { rcode: 'REFUSED', answer: ['www.example. A 192.0.2.1'] },
    means: 'error REFUSED',
  },
  { rule: '2 unknown codes by number', seen: { rcode: 'RCODE17' }, means: 'error RCODE17' },
  {
    rule: '3 a CNAME to itself',
    seen: { answer: ['www.example. CNAME www.example.'] },
    means: 'alias-loop www.example.',
  },
  {
    rule: '3 a DNAME that leads to the same name',
    ask: 'a.b.example. A',
    seen: { answer: ['b.example. DNAME b.example.'] },
    means: 'alias-loop a.b.example.',
  },
  {
    rule: '4 the target is asked anew',
    seen: { answer: ['www.example. CNAME b.example.', 'b.example. A 192.0.2.1'] },
    means: 'alias b.example.',
  },
  {
    rule: '4 a CNAME that comes back by way of another',
    seen: { answer: ['www.example. CNAME b.example.', 'b.example. CNAME www.example.'] },
    means: 'alias b.example.',
  },
  {
    rule: '4 goes before records of the name itself',
    seen: { answer: ['www.example. A 192.0.2.1', 'www.example. CNAME b.example.'] },
    means: 'alias b.example.',
  },
  {
    rule: '4 a DNAME above the zone is not believed',
    zone: 'b.example.',
    ask: 'a.b.example. A',
    seen: { answer: ['example. DNAME test.'] },
    means: 'lame empty',
  },
  { rule: '5 an answer', seen: { answer: ['www.example. A 192.0.2.1'] }, means: 'answer [192.0.2.1]' },
  {
    rule: '5 with AA',
    seen: { flags: ['qr', 'aa'], answer: ['www.example. A 192.0.2.1'] },
    means: 'answer [192.0.2.1] aa',
  },
  {
    rule: '5 even with NXDOMAIN as its code',
    seen: { rcode: 'NXDOMAIN', answer: ['www.example. A 192.0.2.1'] },
    means: 'answer [192.0.2.1]',
  },
  {
    rule: '5 other types are no answer',
    seen: { answer: ['www.example. AAAA 2001:db8::1'], authority: [SOA] },
    means: 'nodata',
  },
  {
    rule: '5 other owners are no answer',
    seen: { answer: ['x.example. A 192.0.2.1'], authority: [SOA] },
    means: 'nodata',
  },
  {
    rule: '5 other classes are no answer',
    seen: { answer: ['www.example. CH A 192.0.2.1'], authority: [SOA] },
    means: 'nodata',
  },
  {
    rule: '5 data that do not fit their type are data all the same',
    seen: { answer: ['www.example. A \\# 3 c00002'] },
    means: 'answer [\\# 3 c00002]',
  },
  {
    rule: '4 but they are no alias',
    seen: { flags: ['qr', 'aa'], answer: ['www.example. CNAME \\# 1 05', 'example. DNAME \\# 1 05'] },
    means: 'nodata',
  },
  {
    rule: '4 the first CNAME that fits counts',
    seen: { answer: ['www.example. CNAME \\# 1 05', 'www.example. CNAME b.test.'] },
    means: 'alias b.test.',
  },
  {
    rule: '4 a CNAME of another class is no alias',
    seen: { answer: ['www.example. CH CNAME b.test.', 'www.example. A 192.0.2.1'] },
    means: 'answer [192.0.2.1]',
  },
  {
    rule: '5 type CNAME follows nothing',
    ask: 'www.example. CNAME',
    seen: { answer: ['www.example. CNAME b.example.', 'b.example. CNAME www.example.'] },
    means: 'answer [b.example.]',
  },
  {
    rule: '5 type ANY follows nothing and takes every type',
    ask: 'www.example. ANY',
    seen: { answer: ['www.example. CNAME b.example.', 'www.example. TXT "x"', 'b.example. A 192.0.2.1'] },
    means: 'answer [b.example. "x"]',
  },
  {
    rule: '5 type ANY: signatures are no content',
    ask: 'www.example. ANY',
    seen: { answer: ['www.example. RRSIG A 13 2 300 0 0 1 example. AAAA', 'www.example. A 192.0.2.1'] },
    means: 'answer [192.0.2.1]',
  },
  {
    rule: '5 type RRSIG: they are',
    ask: 'www.example. RRSIG',
    seen: { answer: ['www.example. RRSIG A 13 2 300 0 0 1 example. AAAA'] },
    means: 'answer [A 13 2 300 0 0 1 example. AAAA]',
  },
  {
    rule: '4 an alias out of the zone',
    seen: { answer: ['www.example. CNAME b.test.'] },
    means: 'alias b.test.',
  },
  {
    rule: '4 several CNAMEs: the first',
    seen: { answer: ['www.example. CNAME b.test.', 'www.example. CNAME c.test.'] },
    means: 'alias b.test.',
  },
  {
    rule: '4 goes before NXDOMAIN',
    seen: { rcode: 'NXDOMAIN', answer: ['www.example. CNAME gone.example.'], authority: [SOA] },
    means: 'alias gone.example.',
  },
  { rule: '4 a DNAME', seen: { answer: ['example. DNAME test.'] }, means: 'alias www.test.' },
  {
    rule: '4 the longest DNAME',
    ask: 'a.b.example. A',
    seen: { answer: ['example. DNAME x.', 'b.example. DNAME y.'] },
    means: 'alias a.y.',
  },
  {
    rule: '4 CNAME before DNAME',
    seen: { answer: ['example. DNAME test.', 'www.example. CNAME b.test.'] },
    means: 'alias b.test.',
  },
  {
    rule: '4 a DNAME result over 255 octets is not followed',
    ask: `${LONG}.${LONG}.${LONG}.example. A`,
    seen: { answer: [`example. DNAME ${LONG}.${LONG}.`], authority: [SOA] },
    means: 'nodata',
  },
  {
    rule: '4 a DNAME does not redirect its owner',
    ask: 'example. A',
    seen: { answer: ['example. DNAME test.'], authority: [SOA] },
    means: 'nodata',
  },
  { rule: '6 NXDOMAIN', seen: { rcode: 'NXDOMAIN', authority: [SOA] }, means: 'nxdomain' },
  {
    rule: '6 goes before a referral',
    seen: { rcode: 'NXDOMAIN', authority: ['www.example. NS ns.test.'] },
    means: 'nxdomain',
  },
  { rule: '7 a SOA', seen: { authority: [SOA] }, means: 'nodata' },
  {
    rule: '7 goes before a referral',
    seen: { authority: ['www.example. NS ns.test.', SOA] },
    means: 'nodata',
  },
  {
    rule: '8 a referral with glue',
    seen: { authority: ['www.example. NS ns.www.example.'], additional: ['ns.www.example. A 192.0.2.53'] },
    means: 'referral www.example. (ns.www.example. 192.0.2.53)',
  },
  {
    rule: '8 glue for sibling names in the zone asked for',
    zone: '.',
    seen: {
      authority: ['example. NS ns.test.'],
      additional: ['ns.test. A 192.0.2.53', 'ns.test. AAAA 2001:db8::53'],
    },
    means: 'referral example. (ns.test. 192.0.2.53 2001:db8::53)',
  },
  {
    rule: '8 no glue from outside the zone asked for',
    seen: { authority: ['www.example. NS ns.test.'], additional: ['ns.test. A 192.0.2.66'] },
    means: 'referral www.example. (ns.test.)',
  },
  {
    rule: '8 no glue for names that are no name servers',
    seen: { authority: ['www.example. NS ns.example.'], additional: ['mail.example. A 192.0.2.66'] },
    means: 'referral www.example. (ns.example.)',
  },
  {
    rule: '8 the deepest cut',
    ask: 'a.b.example. A',
    seen: { authority: ['b.example. NS ns1.test.', 'a.b.example. NS ns2.test.'] },
    means: 'referral a.b.example. (ns2.test.)',
  },
  {
    rule: '8 a cut that does not enclose the name is none',
    seen: { authority: ['other.example. NS ns.test.'] },
    means: 'lame sideways other.example.',
  },
  {
    rule: '8 also with AA',
    seen: { flags: ['qr', 'aa'], authority: ['www.example. NS ns.test.'] },
    means: 'referral www.example. (ns.test.)',
  },
  {
    rule: '8 NS records whose data do not fit do not count',
    seen: { authority: ['www.example. NS \\# 2 0561', 'www.example. NS ns.test.'] },
    means: 'referral www.example. (ns.test.)',
  },
  {
    rule: '8 nor does glue whose data do not fit',
    seen: {
      authority: ['www.example. NS ns.example.'],
      additional: ['ns.example. A \\# 3 c00002', 'ns.example. A 192.0.2.1'],
    },
    means: 'referral www.example. (ns.example. 192.0.2.1)',
  },
  { rule: '8, 9 none whose data fit', seen: { authority: ['www.example. NS \\# 0'] }, means: 'lame empty' },
  {
    rule: '8, 9 NS records and a SOA of another class are passed over',
    seen: {
      authority: ['www.example. CH NS ns.test.', '. CH NS a.root.', 'example. CH SOA ns. h. 1 2 3 4 5'],
    },
    means: 'lame empty',
  },
  { rule: '9 upward to the root', seen: { authority: ['. NS a.root.'] }, means: 'lame upward .' },
  {
    rule: '9 upward to an ancestor',
    zone: 'b.example.',
    ask: 'a.b.example. A',
    seen: { authority: ['example. NS ns.example.'] },
    means: 'lame upward example.',
  },
  { rule: '9 to itself', seen: { authority: ['example. NS ns.example.'] }, means: 'lame self example.' },
  { rule: '9 sideways', seen: { authority: ['test. NS ns.test.'] }, means: 'lame sideways test.' },
  {
    rule: '9 the first owner names it',
    seen: { authority: ['test. NS ns.test.', '. NS a.root.'] },
    means: 'lame sideways test.',
  },
  { rule: '10 nothing, with AA', seen: { flags: ['qr', 'aa'] }, means: 'nodata' },
  { rule: '11 nothing, without AA', seen: {}, means: 'lame empty' },
];

t.test('one exchange means one thing for a zone', async (t) => {
  for (const { rule, ask = 'www.example. A', zone = 'example.', seen, means } of CASES) {
    const [name = '', type = ''] = ask.split(' ');
    const outcome = 'kind' in seen ? seen : reply(seen);
    t.equal(spelled(classifier(outcome, { name: parseName(name), type })(parseName(zone))), means, rule);
  }
});

t.test('the same exchange can mean something else for another zone', async (t) => {
  const outcome = reply({ authority: ['b.example. NS ns.test.'] });
  const question = { name: parseName('a.b.example.'), type: 'A' };
  t.equal(spelled(classifier(outcome, question)(parseName('example.'))), 'referral b.example. (ns.test.)');
  t.equal(spelled(classifier(outcome, question)(parseName('b.example.'))), 'lame self b.example.');
});

t.test('a reply is read as often for thousands of aliases as for one', async (t) => {
  let reads = 0;
  const counted = (line: string) => {
    const { type, ...rest } = record(line);
    return {
      ...rest,
      get type() {
        reads += 1;
        return type;
      },
    };
  };
  const lines = Array.from({ length: 4_000 }, (_, n) => `c${n}.example. CNAME c${n + 1}.example.`);
  const outcome = { ...reply({}), answer: lines.map(counted) };
  const means = classifier(outcome, { name: parseName('c0.example.'), type: 'A' });
  t.equal(spelled(means(parseName('example.'))), 'alias c1.example.');
  t.ok(reads <= 4_000 * 10, `${reads} reads`);
  const before = reads;
  t.equal(spelled(means(parseName('c0.example.'))), 'alias c1.example.');
  t.equal(reads, before, 'nothing is read again for another zone');
});

function spelled(meaning: Meaning): string {
  switch (meaning.kind) {
    case 'error':
      return `error ${meaning.rcode}`;
    case 'answer': {
      const data = meaning.records.map((one) => one.data).join(' ');
      return `answer [${data}]${meaning.authoritative ? ' aa' : ''}`;
    }
    case 'alias':
    case 'alias-loop':
      return `${meaning.kind} ${meaning.target}`;
    case 'referral': {
      const servers = meaning.delegation.nameservers.map(
        ({ name, glue }) => `(${[name, ...glue].join(' ')})`,
      );
      return `referral ${meaning.delegation.zone} ${servers.join(' ')}`;
    }
    case 'lame':
      return meaning.referredTo === undefined
        ? `lame ${meaning.reason}`
        : `lame ${meaning.reason} ${meaning.referredTo}`;
    default:
      return meaning.kind;
  }
}
