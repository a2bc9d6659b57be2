import t from 'tap';
import { answerFrom, secured } from '../../src/authority/answer.ts';
import { openZone } from '../../src/authority/open-zone-file.ts';
import { presignedZoneOf } from '../../src/authority/presigned.ts';
import { readZoneFile } from '../../src/authority/zone-file.ts';
import { NODE_CRYPTO } from '../../src/dns/dnssec/node-crypto.ts';
import { nameHasher } from '../../src/dns/dnssec/nsec3.ts';
import { parseName } from '../../src/dns/name.ts';

const DATA = `
  @          SOA    ns1 host 1 2 3 4 60
  @          NS     ns1
  ns1        A      192.0.2.1
  *.w        A      192.0.2.2
  a.ent      A      192.0.2.3
  safe       NS     ns.safe
  safe       DS     1 13 2 ${'ab'.repeat(32)}
  ns.safe    A      192.0.2.4
  bare       NS     ns1
`;

const NSEC = `
  @      NSEC  bare.x. NS SOA RRSIG NSEC
  bare   NSEC  a.ent.x. NS RRSIG NSEC
  a.ent  NSEC  ns1.x. A RRSIG NSEC
  ns1    NSEC  safe.x. A RRSIG NSEC
  safe   NSEC  *.w.x. NS DS RRSIG NSEC
  *.w    NSEC  x. A RRSIG NSEC
`;

/** Names that have hashes of their own, and the types that they have. */
const HASHED: readonly (readonly [name: string, types: string])[] = [
  ['x.', 'NS SOA RRSIG'],
  ['ns1.x.', 'A RRSIG'],
  ['w.x.', ''],
  ['*.w.x.', 'A RRSIG'],
  ['ent.x.', ''],
  ['a.ent.x.', 'A RRSIG'],
  ['safe.x.', 'NS DS RRSIG'],
];

const hash = nameHasher({ iterations: 1, salt: 'ab' }, NODE_CRYPTO.digest);
const chain = HASHED.map(([name, types]) => ({ name, hash: hash(parseName(name)), types })).sort((a, b) =>
  a.hash < b.hash ? -1 : 1,
);
const NSEC3 = chain
  .map(
    ({ hash, types }, at) =>
      `${hash} NSEC3 1 1 1 ab ${chain[at + 1]?.hash ?? chain[0]?.hash} ${types}\n${signature(hash, 'NSEC3')}`,
  )
  .join('\n');
/** The name whose hash is meant. */
const byHash = new Map(chain.map(({ name, hash }) => [`${hash}.x.`, name]));

/** Every set but NS and addresses at a cut, signed. */
const SIGNATURES = [
  signature('@', 'SOA'),
  signature('@', 'NS'),
  signature('ns1', 'A'),
  signature('*.w', 'A'),
  signature('a.ent', 'A'),
  signature('safe', 'DS'),
].join('\n');
const NSEC_SIGNATURES = ['@', 'bare', 'a.ent', 'ns1', 'safe', '*.w']
  .map((name) => signature(name, 'NSEC'))
  .join('\n');

function signature(name: string, type: string): string {
  return `${name} RRSIG ${type} 13 1 60 20300101000000 20200101000000 1 x. AAAA`;
}

const zones = {
  nsec: zoneOf(`${DATA}${NSEC}${SIGNATURES}\n${NSEC_SIGNATURES}`),
  nsec3: zoneOf(`${DATA}${NSEC3}\n${SIGNATURES}`),
};

/** As a zone file. */
function unindented(lines: string): string {
  return lines.replaceAll(/^ +/gm, '');
}

function zoneOf(lines: string) {
  return presignedZoneOf(readZoneFile(`$TTL 60\n${unindented(lines)}`, { origin: parseName('x.') })).zone;
}

t.test('replies have the signatures and denials of the file', async (t) => {
  const rows: [denial: 'nsec' | 'nsec3', question: string, answer: string, authority: string][] = [
    ['nsec', 'ns1.x. A', 'ns1.x. A, ns1.x. RRSIG', ''],
    ['nsec', 'ns1.x. RRSIG', 'ns1.x. RRSIG, ns1.x. RRSIG', ''],
    ['nsec', 'ns1.x. TXT', '', 'x. SOA, x. RRSIG, ns1.x. NSEC, ns1.x. RRSIG'],
    ['nsec', 'ent.x. A', '', 'x. SOA, x. RRSIG, bare.x. NSEC, bare.x. RRSIG'],
    ['nsec', 'q.x. A', '', 'x. SOA, x. RRSIG, ns1.x. NSEC, ns1.x. RRSIG, x. NSEC, x. RRSIG'],
    ['nsec', 'q.w.x. A', 'q.w.x. A, q.w.x. RRSIG', '*.w.x. NSEC, *.w.x. RRSIG'],
    ['nsec', 'safe.x. A', '', 'safe.x. NS, safe.x. DS, safe.x. RRSIG'],
    ['nsec', 'bare.x. A', '', 'bare.x. NS, bare.x. NSEC, bare.x. RRSIG'],
    ['nsec3', 'ns1.x. TXT', '', 'x. SOA, x. RRSIG, ns1.x. NSEC3, ns1.x. RRSIG'],
    ['nsec3', 'ent.x. A', '', 'x. SOA, x. RRSIG, ent.x. NSEC3, ent.x. RRSIG'],
    ['nsec3', 'safe.x. A', '', 'safe.x. NS, safe.x. DS, safe.x. RRSIG'],
  ];
  for (const [denial, question, answer, authority] of rows) {
    const said = ask(denial, question);
    t.same([said.answer, said.authority].map(summary), [answer, authority], `${denial}: ${question}`);
  }
});

t.test('the owner of an NSEC3 record is no name of the zone', async (t) => {
  const [owner] = byHash.keys();
  t.equal(ask('nsec3', `${owner} NSEC3`).rcode, 'NXDOMAIN');
});

t.test(
  'a denial by NSEC3 shows the closest encloser, and covers the next closer name and the wildcard',
  async (t) => {
    const { authority } = ask('nsec3', 'q.r.x. A');
    const covers = (name: string) =>
      chain.findLast((one) => one.hash < hash(parseName(name))) ?? chain.at(-1);
    const expected = ['x.', covers('r.x.')?.name, covers('*.x.')?.name];
    const shown = authority.filter(({ type }) => type === 'NSEC3').map(({ name }) => byHash.get(name));
    t.same(shown, [...new Set(expected)]);
  },
);

t.test('a delegation that opt-out leaves out is covered', async (t) => {
  const { authority } = ask('nsec3', 'bare.x. A');
  t.same(
    authority.map(({ type }) => type),
    ['NS', 'NSEC3', 'RRSIG', 'NSEC3', 'RRSIG'],
  );
});

function ask(denial: keyof typeof zones, question: string) {
  const [name = '', type = ''] = question.split(' ');
  const asked = { name: parseName(name), type };
  return secured(answerFrom([zones[denial]], asked), [zones[denial]], asked);
}

function summary(records: readonly { readonly name: string; readonly type: string }[]): string {
  return records.map(({ name, type }) => `${byHash.get(name) ?? name} ${type}`).join(', ');
}

t.test('the chain of NSEC3 records is checked, hashes included', async (t) => {
  const found = (text: string) =>
    openZone(parseName('x.'), { octets: Buffer.from(text) }, 0)
      .faults.filter(({ code }) => code === 'FILE_DENIAL_BROKEN')
      .map(({ type, detail }) => `${type}: ${detail}`);
  const whole = `$ORIGIN x.\n$TTL 60\n${unindented(`${DATA}${NSEC3}\n${SIGNATURES}`)}`;
  t.same(found(whole), [], 'opt-out leaves out an unsigned cut');
  t.same(found(`${whole}\nnew A 192.0.2.9\n`), ['A: new.x has no NSEC3 record']);
  t.same(found(`${whole}\nns1 TXT "x"\n`), ['NSEC3: ns1.x: the listed types lack TXT']);
  const [, second, third] = chain;
  const skipping = whole.replace(` ${second?.hash} `, ` ${third?.hash} `);
  t.same(found(skipping), [`NSEC3: the next name is ${third?.hash} instead of ${second?.hash}`]);
  const plain = `$ORIGIN x.\n$TTL 60\n${unindented(`${DATA}${NSEC}${SIGNATURES}\n${NSEC_SIGNATURES}`)}`;
  t.same(found(plain), []);
  t.same(
    found(plain.replace('NSEC  a.ent.x.', 'NSEC  A.eNT.x.')),
    [],
    'names in other letters are the same names',
  );
});
