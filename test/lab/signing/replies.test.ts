import t from 'tap';
import type { Fault } from '../../../src/lab/faults.ts';
import { reactionTo } from '../../../src/lab/reaction.ts';
import type { Signings, ZoneSigning } from '../../../src/lab/signing/zone-signing.ts';
import { readWorld } from '../../../src/lab/world.ts';
import { zoneText } from '../../../src/lab/zone-text.ts';
import { decodeMessage } from '../../../src/wire/decode.ts';
import { encodeQuery } from '../../../src/wire/encode.ts';
import type { Message } from '../../../src/wire/message.ts';
import type { ResourceRecord } from '../../../src/wire/record.ts';

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
