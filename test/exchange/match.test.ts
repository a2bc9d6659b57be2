import t from 'tap';

import type { Expected } from '../../src/exchange/compose.ts';
import { match } from '../../src/exchange/match.ts';
import { encodeQuery } from '../../src/wire/encode.ts';
import { parseName } from '../../src/wire/name.ts';
import { altered, type Craft, replyTo } from './servers.ts';

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
