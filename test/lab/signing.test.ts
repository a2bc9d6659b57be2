import t from 'tap';
import { decodeMessage } from '../../src/dns/decode.ts';
import { trustFrom } from '../../src/dns/dnssec/trust.ts';
import { validateReply } from '../../src/dns/dnssec/validate-reply.ts';
import { NO_ZONE_FACTS } from '../../src/dns/dnssec/verdict.ts';
import { validateKeys } from '../../src/dns/dnssec/verify.ts';
import { encodeQuery } from '../../src/dns/encode.ts';
import type { Message } from '../../src/dns/message.ts';
import { parseName, ROOT } from '../../src/dns/name.ts';
import type { ResourceRecord } from '../../src/dns/record.ts';
import { replyClaim } from '../../src/explore/reply-verdict.ts';
import type { Fault } from '../../src/lab/faults.ts';
import { reactionTo } from '../../src/lab/reaction.ts';
import type { Signings, ZoneSigning } from '../../src/lab/signing/zone-signing.ts';
import { readWorld, trustAnchorOf } from '../../src/lab/world.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { recordLines } from '../dns/dnssec/signing.ts';
import { validationAt, verdictText } from '../dns/dnssec/verdicts.ts';
import { labExchange } from './lab-exchange.ts';

const ZONE = zoneText(
  'example.',
  `
    @        NS     ns
    ns       A      192.0.2.1
    www      A      192.0.2.80
    www      A      192.0.2.81
    alias    CNAME  www
    a.ent    A      192.0.2.2
    *.wild   A      192.0.2.3
    old      DNAME  ent
    signed   NS     ns.signed
    ns.signed A     192.0.2.4
    plain    NS     ns.plain
    ns.plain A      192.0.2.5
  `,
);

type How = 'with DO' | 'without DO';

function ask(question: string, how: How, signing: Signings, faults: readonly Fault[] = []): Message {
  const world = {
    servers: [{ name: 'ns.example.', addresses: ['192.0.2.1'], zones: [ZONE], faults }],
    signed: { 'signed.example.': {}, ...signing },
  };
  const [server] = readWorld(world);
  if (server === undefined) throw new Error('the world has a server');
  const [name = '', type = ''] = question.split(' ');
  const edns = { version: 0, payloadSize: 1232, do: how === 'with DO', options: [] };
  const nameAsSent = name === '@' ? 'example.' : `${name}.example.`;
  const query = decodeMessage(encodeQuery({ id: 1, nameAsSent, type, edns }));
  const received = { query, transport: 'tcp', address: '192.0.2.1', count: 1 } as const;
  const [sent] = reactionTo(received, server).sends;
  return decodeMessage((sent?.octets ?? new Uint8Array()).subarray(2));
}

/** Each RRset as "OWNER TYPE", signatures as "TYPE*" behind what they cover. */
function section(records: Iterable<ResourceRecord>): string {
  const parts = Array.from(records, ({ name, type, data }) =>
    type === 'RRSIG' ? `${data.split(' ')[0]}*` : `${shortened(name)} ${type}`,
  );
  return [...new Set(parts)].join(', ');
}

/** Hashes differ from zone to zone, and a reader does not know them. */
function shortened(name: string): string {
  return name.replace(/^[0-9a-v]{32}\./, 'HASH.').replace(/\.?example\.$/, '') || '@';
}

const NSEC: ZoneSigning = {};
const NSEC3: ZoneSigning = { denial: { kind: 'nsec3', salt: 'ab', iterations: 1 } };
const OPT_OUT: ZoneSigning = { denial: { kind: 'nsec3', optOut: true } };

type Row = [question: string, signing: ZoneSigning, answer: string, authority: string];

t.test('what signed zones say to who asks with DO', async (t) => {
  const rows: Row[] = [
    ['www A', NSEC, 'www A, A*', ''],
    ['www RRSIG', NSEC, 'A*, NSEC*', ''],
    ['www NSEC', NSEC, 'www NSEC, NSEC*', ''],
    ['alias A', NSEC, 'alias CNAME, CNAME*, www A, A*', ''],
    ['a.old A', NSEC, 'old DNAME, DNAME*, a.old CNAME, a.ent A, A*', ''],
    ['www AAAA', NSEC, '', '@ SOA, SOA*, www NSEC, NSEC*'],
    ['none A', NSEC, '', '@ SOA, SOA*, a.ent NSEC, NSEC*, @ NSEC'],
    ['ent A', NSEC, '', '@ SOA, SOA*, alias NSEC, NSEC*'],
    ['x.wild A', NSEC, 'x.wild A, A*', '*.wild NSEC, NSEC*'],
    ['x.wild TXT', NSEC, '', '@ SOA, SOA*, *.wild NSEC, NSEC*'],
    ['a.signed A', NSEC, '', 'signed NS, signed DS, DS*'],
    ['a.plain A', NSEC, '', 'plain NS, plain NSEC, NSEC*'],
    ['signed DS', NSEC, 'signed DS, DS*', ''],
    ['plain DS', NSEC, '', '@ SOA, SOA*, plain NSEC, NSEC*'],
    ['none A', NSEC3, '', '@ SOA, SOA*, HASH NSEC3, NSEC3*'],
    ['www AAAA', NSEC3, '', '@ SOA, SOA*, HASH NSEC3, NSEC3*'],
    ['x.wild A', NSEC3, 'x.wild A, A*', 'HASH NSEC3, NSEC3*'],
    ['a.plain A', NSEC3, '', 'plain NS, HASH NSEC3, NSEC3*'],
    ['a.plain A', OPT_OUT, '', 'plain NS, HASH NSEC3, NSEC3*'],
    ['a.signed A', OPT_OUT, '', 'signed NS, signed DS, DS*'],
  ];
  for (const [question, signing, answer, authority] of rows) {
    const reply = ask(question, 'with DO', { 'example.': signing });
    t.same([section(reply.answer), section(reply.authority)], [answer, authority], question);
    t.equal(reply.edns?.do, true);
  }
});

t.test('without DO, and where nothing is signed, nothing is added', async (t) => {
  const sections = ({ answer, authority }: Message) => [section(answer), section(authority)];
  for (const question of ['www A', 'none A', 'ent A', 'x.wild A', 'a.signed A', 'a.plain A', '@ ANY']) {
    const unsigned = ask(question, 'without DO', {});
    t.same(ask(question, 'without DO', { 'example.': NSEC }), unsigned, question);
    t.same(sections(ask(question, 'with DO', {})), sections(unsigned), question);
  }
  t.same(sections(ask('@ DNSKEY', 'without DO', { 'example.': NSEC })), ['@ DNSKEY', '']);
});

/** The signature of the reply's first signed RRset, by its fields, and what the zone's own would be. */
const FIELDS = [
  'covered',
  'algorithm',
  'labels',
  'ttl',
  'expiration',
  'inception',
  'tag',
  'signer',
  'signature',
];

function differing(question: string, fault: Fault): string {
  const [right, wrong] = [[], [fault]].map((faults) => {
    const { answer } = ask(question, 'with DO', { 'example.': { algorithm: 15 } }, faults);
    return answer.find(({ type }) => type === 'RRSIG')?.data.split(' ') ?? [];
  });
  if (wrong?.length === 0) return 'missing';
  return FIELDS.filter((_, index) => right?.[index] !== wrong?.[index]).join(' ');
}

t.test('signatures have the flaws of their server', async (t) => {
  const rows: [fault: Fault, differing: string][] = [
    [{ kind: 'flawed-signatures', flaw: 'missing' }, 'missing'],
    [{ kind: 'flawed-signatures', flaw: 'expired' }, 'expiration signature'],
    [{ kind: 'flawed-signatures', flaw: 'not-yet-valid' }, 'inception signature'],
    [{ kind: 'flawed-signatures', flaw: 'wrong-key' }, 'tag signature'],
    [{ kind: 'flawed-signatures', flaw: 'wrong-signer' }, 'signer signature'],
    [{ kind: 'flawed-signatures', flaw: 'unsupported-algorithm' }, 'algorithm signature'],
    [{ kind: 'flawed-signatures', flaw: 'spoilt' }, 'signature'],
    [{ kind: 'flawed-signatures', flaw: 'spoilt', covering: 'A' }, 'signature'],
    [{ kind: 'flawed-signatures', flaw: 'spoilt', covering: 'SOA' }, ''],
    [{ kind: 'flawed-signatures', flaw: 'spoilt', only: { type: 'SOA' } }, ''],
    [{ kind: 'ignores-do' }, 'missing'],
  ];
  for (const [fault, expected] of rows) t.equal(differing('www A', fault), expected, JSON.stringify(fault));
});

t.test('faults in proofs and delegations', async (t) => {
  const authority = (question: string, fault: Fault) =>
    section(ask(question, 'with DO', { 'example.': NSEC }, [fault]).authority);
  t.equal(authority('none A', { kind: 'omits-proof' }), '@ SOA, SOA*');
  t.equal(authority('a.plain A', { kind: 'omits-proof' }), 'plain NS');
  t.equal(authority('a.signed A', { kind: 'omits-proof' }), 'signed NS, signed DS, DS*');
  t.equal(authority('a.signed A', { kind: 'omits-ds' }), 'signed NS');
  t.equal(authority('a.plain A', { kind: 'omits-ds' }), 'plain NS');
  const data = (question: string, type: string, faults: Fault[], signing = NSEC) => {
    const reply = ask(question, 'with DO', { 'example.': signing }, faults);
    return [...reply.answer, ...reply.authority].find((record) => record.type === type)?.data;
  };
  t.equal(data('www NSEC', 'NSEC', []), 'example. A RRSIG NSEC');
  t.equal(data('www AAAA', 'NSEC', [{ kind: 'wrong-proof' }]), '\\000.www.example. A AAAA DS RRSIG NSEC');
  t.match(data('www AAAA', 'NSEC3', [{ kind: 'wrong-proof' }], NSEC3), / A AAAA DS RRSIG$/);
  t.not(data('signed DS', 'DS', [{ kind: 'wrong-ds' }]), data('signed DS', 'DS', []));
});

t.test('a server may have a zone signed in a way of its own', async (t) => {
  const servers = [
    {
      name: 'ns.example.',
      addresses: ['192.0.2.1'],
      zones: [ZONE],
      signed: { 'example.': 'unsigned' as const },
    },
  ];
  const [server] = readWorld({ servers, signed: { Example: {} } });
  t.equal(server?.securedZones()[0]?.security, undefined);
});

const ADDRESS = '192.0.2.1';

const ZONE_VERDICTS = zoneText(
  '.',
  `
    @            NS     ns.
    ns.          A      192.0.2.1
    www          A      192.0.2.80
    www          A      192.0.2.81
    www          TXT    "b"  "a"
    alias        CNAME  www
    a.b.ent      A      192.0.2.2
    *.wild       A      192.0.2.3
    x.sub.wild   A      192.0.2.3
    *.walias     CNAME  www
    old          DNAME  b.ent
    signed       NS     ns.signed
    ns.signed    A      192.0.2.4
    plain        NS     ns.plain
    ns.plain     A      192.0.2.5
    far.away     NS     ns.plain
    mail         MX     10 MAIL.Example.
  `,
);

const NOW = validationAt('20261122000000');

/** What a reply of the root zone's server is under the world's trust anchor, if its keys are. */
function verdict(question: string, signing: ZoneSigning, faults: readonly Fault[] = []): string {
  const world = {
    servers: [{ name: 'ns.', addresses: [ADDRESS], zones: [ZONE_VERDICTS], faults }],
    signed: { '.': signing, 'signed.': {} },
  };
  const exchange = labExchange(world);
  const ask = (name: string, type: string) =>
    replyClaim(exchange({ address: ADDRESS, question: { name: parseName(name), type } }), ROOT);
  const trust = trustFrom(recordLines(trustAnchorOf(world)));
  if (trust.kind === 'insecure') return 'trusts nothing';
  const heard = ask('.', 'DNSKEY');
  if (heard === undefined) return 'keys unusable';
  const found = validateKeys(heard, ROOT, trust, NOW);
  if (found.kind === 'bogus') return `keys ${found.reason}`;
  const [name = '', type = 'A'] = question.split(' ');
  const reply = ask(name, type);
  return reply === undefined ? 'unusable' : verdictText(validateReply(reply, found.keys, NO_ZONE_FACTS, NOW));
}

const QUESTIONS: readonly [question: string, plain: string, optOut: string][] = [
  ['www', 'secure', 'secure'],
  ['www TXT', 'secure', 'secure'],
  ['www ANY', 'secure', 'secure'],
  ['. SOA', 'secure', 'secure'],
  ['mail MX', 'secure', 'secure'],
  ['alias', 'secure', 'secure'],
  ['a.old', 'secure', 'secure'],
  ['none.old', 'secure', 'secure'],
  ['x.wild', 'secure', 'insecure'],
  ['y.x.wild', 'secure', 'insecure'],
  ['x.walias', 'secure', 'insecure'],
  ['www AAAA', 'secure', 'secure'],
  ['ent', 'secure', 'secure'],
  ['b.ent', 'secure', 'secure'],
  ['none.b.ent', 'secure', 'insecure'],
  ['none', 'secure', 'insecure'],
  ['x.wild TXT', 'secure', 'insecure'],
  ['sub.wild', 'secure', 'secure'],
  ['www.signed', 'secure, zone secure', 'secure, zone secure'],
  ['www.plain', 'secure, zone insecure', 'insecure, zone insecure'],
  ['signed DS', 'secure, zone secure', 'secure, zone secure'],
  ['plain DS', 'secure, zone insecure', 'insecure, zone insecure'],
  ['away', 'secure', 'insecure'],
  ['www RRSIG', 'insecure', 'insecure'],
];

t.test('what the lab signs verifies', async (t) => {
  const plain: readonly ZoneSigning[] = [
    ...[5, 7, 8, 10, 13, 14, 15, 16].map((algorithm) => ({ algorithm })),
    { denial: { kind: 'nsec3' } },
    { denial: { kind: 'nsec3', iterations: 150, salt: 'aabb' } },
    {
      keys: [
        { label: 'k', signs: 'keys' },
        { label: 'z', signs: 'data' },
        { label: 'n', signs: 'nothing' },
      ],
    },
    { ds: [{ key: {}, digest: 4 }] },
    { ds: [{ key: {}, digest: 1 }] },
    { ds: [{ key: { label: 'other' } }, { key: {} }] },
  ];
  for (const [question, secure, insecure] of QUESTIONS) {
    for (const signing of plain) t.equal(verdict(question, signing), secure, question, { signing });
    t.equal(verdict(question, { denial: { kind: 'nsec3', optOut: true } }), insecure, question);
  }
});

t.test('what is signed in a way that nobody accepts does not', async (t) => {
  const rows: [signing: ZoneSigning, verdict: string][] = [
    [{ algorithm: 12 }, 'trusts nothing'],
    [{ ds: [] }, 'trusts nothing'],
    [{ ds: [{ key: {}, digest: 3 }] }, 'trusts nothing'],
    [{ ds: [{ key: { label: 'lost' } }] }, 'keys no-matching-ds'],
    [{ ds: [{ key: {}, digest: 1 }, { key: { label: 'lost' } }] }, 'keys no-matching-ds'],
    [{ expiration: NOW.time - 1 }, 'keys expired'],
    [{ expiration: NOW.time }, 'secure'],
    [{ inception: NOW.time + 1 }, 'keys not-yet-valid'],
    [{ keys: [{ flags: 0 }] }, 'keys no-matching-ds'],
    [{ keys: [{ flags: 0x181 }] }, 'keys no-matching-ds'],
    [{ keys: [{ protocol: 2 }] }, 'keys no-matching-ds'],
    [{ keys: [{ label: 'k', signs: 'keys' }] }, 'needs cut www.'],
  ];
  for (const [signing, expected] of rows) t.equal(verdict('www', signing), expected, JSON.stringify(signing));
});

t.test('servers that do wrong are found out', async (t) => {
  const only = { type: 'A' } as const;
  const flaw = (kind: string) => `bogus ${kind}`;
  const rows: [question: string, fault: Fault, verdict: string][] = [
    ['www', { kind: 'flawed-signatures', flaw: 'missing', only }, 'needs cut www.'],
    ['www', { kind: 'flawed-signatures', flaw: 'wrong-signer', only }, 'needs cut www.'],
    [
      'www',
      { kind: 'flawed-signatures', flaw: 'unsupported-algorithm', only },
      flaw('unsupported-algorithm'),
    ],
    ['www', { kind: 'flawed-signatures', flaw: 'wrong-key', only }, flaw('wrong-key')],
    ['www', { kind: 'flawed-signatures', flaw: 'not-yet-valid', only }, flaw('not-yet-valid')],
    ['www', { kind: 'flawed-signatures', flaw: 'expired', only }, flaw('expired')],
    ['www', { kind: 'flawed-signatures', flaw: 'spoilt', only }, flaw('bad-signature')],
    ['www', { kind: 'flawed-signatures', flaw: 'spoilt' }, 'keys bad-signature'],
    ['www', { kind: 'ignores-do' }, 'keys no-signature'],
    ['www', { kind: 'ignores-do', only }, 'needs cut www.'],
    ['none', { kind: 'omits-proof' }, flaw('no-proof')],
    ['none', { kind: 'wrong-proof' }, flaw('no-proof')],
    ['www AAAA', { kind: 'wrong-proof' }, flaw('no-proof')],
    ['ent', { kind: 'wrong-proof' }, flaw('no-proof')],
    ['x.wild', { kind: 'wrong-proof' }, flaw('no-proof')],
    ['x.wild', { kind: 'omits-proof' }, flaw('no-proof')],
    ['www.signed', { kind: 'omits-ds' }, 'unproven'],
    ['www.plain', { kind: 'omits-proof' }, 'unproven'],
    ['www.signed', { kind: 'wrong-ds' }, 'secure, zone secure'],
    ['alias', { kind: 'flawed-signatures', flaw: 'spoilt', covering: 'CNAME' }, 'bogus bad-signature'],
    // Whoever follows an alias asks for its target anew.
    ['alias', { kind: 'flawed-signatures', flaw: 'spoilt', covering: 'A' }, 'secure'],
  ];
  for (const signing of [{}, { denial: { kind: 'nsec3' } }] as const)
    for (const [question, fault, expected] of rows)
      t.equal(verdict(question, signing, [fault]), expected, `${question} ${JSON.stringify(fault)}`);
});
