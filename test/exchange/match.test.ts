import t from 'tap';
import { decodeMessage } from '../../src/dns/decode.ts';
import { encodeQuery } from '../../src/dns/encode.ts';
import { type Name, parseName, ROOT } from '../../src/dns/name.ts';
import { compose, type Expected, mixCase, type Random } from '../../src/exchange/compose.ts';
import { EXCHANGE_DEFAULTS } from '../../src/exchange/exchange.ts';
import { match } from '../../src/exchange/match.ts';
import { altered, type Craft, replyTo } from './servers.ts';

/** What a query for the name asks for once each letter has drawn its case. */
function sentAs(name: Name, random: Random): string | undefined {
  const query = encodeQuery({ id: 1, nameAsSent: name, type: 'A' });
  mixCase(query, random);
  const [question] = decodeMessage(query).questions;
  t.equal(question?.name, name);
  return question?.nameAsSent;
}

t.test('0x20 changes the case of letters and nothing else', async (t) => {
  const name = parseName('a1-_z.\\.b\\032\\255\\000.example');
  const lower = () => 0;
  t.equal(sentAs(name, lower), name);
  const upper = (below: number) => below - 1;
  t.equal(sentAs(name, upper), 'A1-_Z.\\.B\\032\\255\\000.EXAMPLE.');
  const alternating = (below: number) => 0x5555_5555 % below;
  t.equal(sentAs(name, alternating), 'A1-_z.\\.B\\032\\255\\000.eXaMpLe.');
  t.equal(sentAs(ROOT, upper), '.');
});

t.test('every letter of a long name has a chance of its own', async (t) => {
  const name = parseName(`${'a'.repeat(40)}.${'b'.repeat(40)}`);
  const numbers = [0, 2 ** 32 - 1, 1];
  const cased = sentAs(name, () => numbers.shift() ?? 0);
  t.equal(cased, `${'a'.repeat(32)}${'A'.repeat(8)}.${'B'.repeat(24)}B${'b'.repeat(15)}.`);
});

t.test('queries for the same differ in their ID and in the case of the name, in nothing else', async (t) => {
  const query = { address: '192.0.2.1', question: { name: parseName('www.example'), type: 'A' } };
  const stage = { transport: 'udp', edns: true, nameCase: 'mixed' } as const;
  const numbers = [0x1234, 2 ** 32 - 1, 0xfffe, 0];
  const random = () => numbers.shift() ?? 0;
  const composed = [1, 2].map(() => compose(query, stage, { ...EXCHANGE_DEFAULTS, random }));
  const [first, second] = composed.map(({ sent }) => decodeMessage(sent));
  t.match(first, { id: 0x1234, questions: [{ nameAsSent: 'WWW.EXAMPLE.' }] });
  t.match(second, { id: 0xfffe, questions: [{ nameAsSent: 'www.example.' }] });
  t.same({ ...first, id: 0, questions: [] }, { ...second, id: 0, questions: [] });
});

t.test('queries that differ in anything else are not taken for each other', async (t) => {
  const question = { name: parseName('www.example'), type: 'A' };
  const query = { address: '192.0.2.1', question };
  const stage = { transport: 'udp', edns: true, nameCase: 'lower' } as const;
  const options = { ...EXCHANGE_DEFAULTS, random: () => 0 };
  const all = [
    compose(query, stage, options),
    compose({ ...query, question: { ...question, type: 'AAAA' } }, stage, options),
    compose({ ...query, question: { ...question, name: parseName('example') } }, stage, options),
    compose({ ...query, class: 'CH' }, stage, options),
    compose({ ...query, flags: ['rd'] }, stage, options),
    compose({ ...query, ednsVersion: 1 }, stage, options),
    compose({ ...query, ednsOptions: [{ code: 3, data: '' }] }, stage, options),
    compose(query, { ...stage, edns: false }, options),
    compose(query, stage, { ...options, payloadSize: 512 }),
    compose(query, stage, { ...options, random: () => 1 }),
  ];
  const octets = all.map(({ sent }) => Buffer.from(sent).toString('hex'));
  t.equal(new Set(octets).size, all.length);
});

t.test('a query asks for signatures where it has EDNS', async (t) => {
  const query = { address: '192.0.2.1', question: { name: parseName('a.example'), type: 'A' } };
  const stage = { transport: 'udp', nameCase: 'lower' } as const;
  for (const edns of [true, false]) {
    const { sent } = compose(query, { ...stage, edns }, EXCHANGE_DEFAULTS);
    t.equal(decodeMessage(sent).edns?.do, edns ? true : undefined);
  }
});

const SPEC = { id: 0x1234, nameAsSent: 'wWw.eXamPLe.Com.', type: 'A', class: 'IN' };
const QUERY = Buffer.from(encodeQuery(SPEC));
const { nameAsSent: _, ...REPEATED } = SPEC;
const ASKED: Expected = {
  ...REPEATED,
  sent: QUERY,
  name: parseName('www.example.com'),
  accept: 'exact-case',
};
const ANY_CASE: Expected = { ...ASKED, accept: 'any-case' };

function reply(craft: Craft = {}): Buffer {
  return replyTo(QUERY, { addresses: ['192.0.2.1'], ...craft });
}

/** A reply with the same ID that repeats another question. */
function replyAbout(question: Partial<typeof SPEC>): Buffer {
  return replyTo(Buffer.from(encodeQuery({ ...SPEC, ...question })));
}

function withFlags(octet: number): Buffer {
  return altered(reply(), 2, () => octet);
}

const OTHER_CASE = reply({ question: 'lower-case' });
const TWO_QUESTIONS = altered(reply({ addresses: [] }), 5, () => 2);

const TABLE: readonly (readonly [what: string, Expected, Uint8Array, expected: string])[] = [
  ['a reply', ASKED, reply(), 'reply NOERROR'],
  ['NXDOMAIN', ASKED, reply({ rcode: 3 }), 'reply NXDOMAIN'],
  ['a truncated reply', ASKED, reply({ truncated: true }), 'reply NOERROR'],
  ['another case', ASKED, OTHER_CASE, 'case-mismatch'],
  ['another case in an error', ASKED, reply({ rcode: 1, question: 'lower-case' }), 'case-mismatch'],
  ['another case where any will do', ANY_CASE, OTHER_CASE, 'reply NOERROR'],
  [
    'REFUSED without a question',
    ASKED,
    reply({ rcode: 5, question: 'left-out', addresses: [] }),
    'reply REFUSED',
  ],
  [
    'FORMERR, only a header',
    ASKED,
    reply({ rcode: 1, question: 'left-out', addresses: [] }),
    'reply FORMERR',
  ],
  ['NOERROR without a question', ASKED, reply({ question: 'left-out', addresses: [] }), 'wrong-question'],
  [
    'NXDOMAIN without a question',
    ASKED,
    reply({ rcode: 3, question: 'left-out', addresses: [] }),
    'wrong-question',
  ],
  ['another name', ASKED, replyAbout({ nameAsSent: 'www.example.org.' }), 'wrong-question'],
  [
    'another name where any case will do',
    ANY_CASE,
    replyAbout({ nameAsSent: 'www.example.org.' }),
    'wrong-question',
  ],
  ['another type', ASKED, replyAbout({ type: 'AAAA' }), 'wrong-question'],
  ['another class', ASKED, replyAbout({ class: 'CH' }), 'wrong-question'],
  [
    'another type in another case',
    ASKED,
    replyAbout({ type: 'AAAA', nameAsSent: 'www.example.com.' }),
    'wrong-question',
  ],
  ['another ID', ASKED, altered(reply(), 1, (octet) => octet + 1), 'wrong-id'],
  ['another ID on garbage', ASKED, Buffer.from('garbage'), 'wrong-id'],
  ['nothing', ASKED, Buffer.alloc(0), 'wrong-id'],
  ['one octet', ASKED, Buffer.of(0x12), 'wrong-id'],
  ['the ID alone', ASKED, Buffer.of(0x12, 0x34), 'undecodable'],
  ['a reply cut short', ASKED, reply().subarray(0, -1), 'undecodable'],
  ['a reply and more', ASKED, Buffer.concat([reply(), Buffer.of(0)]), 'undecodable'],
  ['two questions announced, one there', ASKED, TWO_QUESTIONS, 'undecodable'],
  ['the query itself', ASKED, QUERY, 'not-a-reply'],
  ['a notification', ASKED, withFlags(0x24), 'not-a-reply'],
  ['a reply to a notification', ASKED, withFlags(0xa4), 'not-a-reply'],
];

t.test('what a message that came in counts as', async (t) => {
  for (const [what, asked, bytes, expected] of TABLE) {
    const matched = match(asked, bytes);
    const seen = {
      reply: () => (matched.kind === 'reply' ? `reply ${matched.message.rcode}` : ''),
      'case-mismatch': () => 'case-mismatch',
      ignored: () => (matched.kind === 'ignored' ? matched.reason : ''),
    };
    t.equal(seen[matched.kind](), expected, what);
  }
});
