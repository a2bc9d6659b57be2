import t from 'tap';
import { INSECURE, trustFrom } from '../../../src/dns/dnssec/trust.ts';
import {
  IANA_TRUST_ANCHORS,
  parseTrustAnchors,
  TrustAnchorError,
  trustFromAnchors,
} from '../../../src/dns/dnssec/trust-anchors.ts';
import { validateKeys } from '../../../src/dns/dnssec/verify.ts';
import { keyOf, NOW, recordLines, signingZone } from './signing.ts';
import { nxdomain, validationAt, verdictOn, verdictText } from './verdicts.ts';

const ZONE = signingZone('zone.test');
const NEXT = signingZone('zone.test', 13, 'next');
const ED25519 = signingZone('zone.test', 15);
const PARENT = signingZone('test');
const answer = { kind: 'answer' } as const;

interface Row {
  readonly says: string;
  /** DS records, or DNSKEY records as trust anchors have them. */
  readonly trust: string;
  readonly dnskey: string;
  readonly is: string;
}

const BOTH = `${ZONE.dnskey}\n${NEXT.dnskey}`;
const withFlags = (flags: number) => ZONE.dnskey.replace('DNSKEY 257', `DNSKEY ${flags}`);
const dsOf = (text: string, change: (data: string) => string) => text.replace(/(?<= DS ).*/, change);
const sha1 = 'zone.test. 3600 DS 1 13 1 0000000000000000000000000000000000000000';

const ROWS: readonly Row[] = [
  { says: 'the key that the DS names', trust: ZONE.ds, dnskey: ZONE.sign(ZONE.dnskey), is: '1 key' },
  { says: 'that key and another', trust: ZONE.ds, dnskey: ZONE.sign(BOTH), is: '2 keys' },
  {
    says: 'signed by the other alone',
    trust: ZONE.ds,
    dnskey: ZONE.sign(BOTH, { key: keyOf('zone.test', 13, 'next') }),
    is: 'wrong-key',
  },
  {
    says: 'two DS, one without a key',
    trust: `${ED25519.ds}\n${ZONE.ds}`,
    dnskey: ZONE.sign(BOTH),
    is: '2 keys',
  },
  { says: 'a DS without a key', trust: NEXT.ds, dnskey: ZONE.sign(ZONE.dnskey), is: 'no-matching-ds' },
  {
    says: 'a DS with another digest',
    trust: dsOf(ZONE.ds, (data) => data.replace(/..$/, '00')),
    dnskey: ZONE.sign(ZONE.dnskey),
    is: 'no-matching-ds',
  },
  {
    says: 'a DS with another tag',
    trust: dsOf(ZONE.ds, (data) => data.replace(/^\d+/, '1')),
    dnskey: ZONE.sign(ZONE.dnskey),
    is: 'no-matching-ds',
  },
  { says: 'not signed', trust: ZONE.ds, dnskey: ZONE.dnskey, is: 'no-signature' },
  {
    says: 'an expired signature',
    trust: ZONE.ds,
    dnskey: ZONE.sign(ZONE.dnskey, { expiration: -1 }),
    is: 'expired',
  },
  { says: 'another zone’s keys', trust: ZONE.ds, dnskey: PARENT.sign(ZONE.dnskey), is: 'wrong-signer' },
  { says: 'a trust anchor that is the key', trust: ZONE.dnskey, dnskey: ZONE.sign(ZONE.dnskey), is: '1 key' },
  {
    says: 'a trust anchor that is another',
    trust: NEXT.dnskey,
    dnskey: ZONE.sign(ZONE.dnskey),
    is: 'no-matching-ds',
  },
  {
    says: 'a key without the Zone flag',
    trust: withFlags(1),
    dnskey: ZONE.sign(withFlags(1)),
    is: 'insecure',
  },
  {
    says: 'a key that is revoked, beside its DS',
    trust: ZONE.ds,
    dnskey: ZONE.sign(withFlags(0x181)),
    is: 'no-matching-ds',
  },
  {
    says: 'a key of another protocol',
    trust: ZONE.ds,
    dnskey: ZONE.sign(ZONE.dnskey.replace('257 3', '257 2')),
    is: 'no-matching-ds',
  },
  {
    says: 'a wildcard’s keys',
    trust: ZONE.ds,
    dnskey: ZONE.sign(ZONE.dnskey, { wildcard: '*.test' }),
    is: 'bad-signature',
  },
  {
    says: 'SHA-1 beside SHA-256: SHA-1 does not count',
    trust: `${sha1}\n${ZONE.ds}`,
    dnskey: ZONE.sign(ZONE.dnskey),
    is: '1 key',
  },
  {
    says: 'an algorithm that nobody supports',
    trust: dsOf(ZONE.ds, (data) => data.replace(' 13 ', ' 12 ')),
    dnskey: '',
    is: 'insecure',
  },
  {
    says: 'a digest that nobody supports',
    trust: dsOf(ZONE.ds, (data) => data.replace(' 13 2 ', ' 13 3 ')),
    dnskey: '',
    is: 'insecure',
  },
];

t.test('a zone’s keys under trust', async (t) => {
  for (const { says, trust, dnskey, is } of ROWS) t.equal(found(trust, dnskey), is, says);
});

function found(trusted: string, dnskey: string): string {
  const trust = trustFrom(recordLines(trusted));
  if (trust.kind === 'insecure') return 'insecure';
  const question = { name: ZONE.apex, type: 'DNSKEY' };
  const reply = { question, claim: answer, answer: recordLines(dnskey), authority: [] };
  const keys = validateKeys(reply, ZONE.apex, trust, validationAt(NOW));
  if (keys.kind === 'bogus') return keys.reason;
  return keys.keys.keys.length === 1 ? '1 key' : `${keys.keys.keys.length} keys`;
}

t.test('a reply to DNSKEY that is no answer gives no keys', async (t) => {
  const trust = trustFrom(recordLines(ZONE.ds));
  if (trust.kind === 'insecure') throw new Error('trust was read');
  const question = { name: ZONE.apex, type: 'DNSKEY' };
  const link = { owner: ZONE.apex, target: PARENT.apex };
  for (const claim of [{ kind: 'nodata' } as const, { kind: 'alias', link } as const]) {
    const reply = { question, claim, answer: recordLines(ZONE.sign(ZONE.dnskey)), authority: [] };
    t.same(
      validateKeys(reply, ZONE.apex, trust, validationAt(NOW)),
      { kind: 'bogus', reason: 'no-keys' },
      claim.kind,
    );
  }
});

t.test('what hostile zones can cost is bounded', async (t) => {
  const A = 'www.zone.test. 300 A 192.0.2.1';
  const spoil = (by: number) => (signature: Uint8Array) => signature.map((octet) => octet ^ by);
  const signatures = Array.from({ length: 100 }, (_, n) =>
    ZONE.sign(A, { spoil: spoil(n + 1) }).replace(`${A}\n`, ''),
  );
  const [key] = ZONE.keys.keys;
  if (key === undefined) throw new Error('the zone has a key');
  // Keys with one tag: what differs in two octets of one half, and back again in two others of it, adds up to the same.
  const alike = Array.from({ length: 100 }, (_, n) => {
    const rdata = Uint8Array.from(key.rdata);
    const view = new DataView(rdata.buffer);
    view.setUint16(10, (view.getUint16(10) & 0xff) + 256 * n);
    view.setUint16(20, (view.getUint16(20) & 0xff) + 256 * (100 - n));
    return `zone.test. 300 DNSKEY 257 3 13 ${Buffer.from(rdata.subarray(4)).toString('base64')}`;
  });
  const trust = trustFrom(recordLines(alike.join('\n')));
  if (trust.kind === 'insecure') throw new Error('trust was read');
  t.equal(new Set(trust.keys.map(({ tag }) => tag)).size, 1, 'a hundred keys have one tag');

  const validation = validationAt(NOW);
  const [tag] = trust.keys.map(({ tag }) => tag);
  const signed = signatures.map((line) =>
    line
      .replace(/(\d{14} \d{14}) \d+/, `$1 ${tag}`)
      .replace(' RRSIG A ', ' RRSIG DNSKEY ')
      .replace('www.zone', 'zone')
      .replace(' 13 3 ', ' 13 2 '),
  );
  const reply = {
    question: { name: ZONE.apex, type: 'DNSKEY' },
    claim: answer,
    answer: recordLines([...alike, ...signed].join('\n')),
    authority: [],
  };
  t.match(validateKeys(reply, ZONE.apex, trust, validation), { kind: 'bogus', reason: 'bad-signature' });
  t.equal(
    validation.checks.found.size,
    4 * 8,
    'four keys, eight signatures of a hundred each (CVE-2023-50387)',
  );

  const spoiltReply = { claim: answer, answer: [A, ...signatures].join('\n') };
  const once = validationAt(NOW);
  for (let times = 0; times < 3; times += 1)
    t.equal(verdictText(verdictOn('www.zone.test A', spoiltReply, ZONE.keys, once)), 'bogus bad-signature');
  t.equal(once.checks.found.size, 8, 'and each is checked once');
});

t.test('what one reply can cost is bounded', async (t) => {
  const rrsets = Array.from({ length: 300 }, (_, n) => `a.zone.test. 300 TYPE${40_000 + n} \\# 1 00`);
  const spoilt = (rrset: string, by: number) =>
    ZONE.sign(rrset, { spoil: (signature) => signature.map((octet) => octet ^ by) }).replace(
      `${rrset}\n`,
      '',
    );
  const validation = validationAt(NOW);
  const hostile = rrsets.map((rrset) => ZONE.sign(rrset) + [1, 2, 3].map((by) => spoilt(rrset, by)).join(''));
  t.equal(
    verdictText(
      verdictOn('a.zone.test ANY', { claim: answer, answer: hostile.join('') }, ZONE.keys, validation),
    ),
    'bogus bad-signature',
  );
  t.ok(validation.checks.found.size <= 64 + 300, 'so many may fail', { made: validation.checks.found.size });
  const honest = rrsets.map((rrset) => ZONE.sign(rrset)).join('');
  t.equal(
    verdictText(
      verdictOn('a.zone.test ANY', { claim: answer, answer: honest }, ZONE.keys, validationAt(NOW)),
    ),
    'secure',
  );
});

t.test('what hashing can cost is bounded', async (t) => {
  const validation = validationAt(NOW);
  let digests = 0;
  const counting = {
    ...validation,
    digest: (kind: Parameters<typeof validation.digest>[0], data: Uint8Array) => {
      digests += 1;
      return validation.digest(kind, data);
    },
  };
  const name = `${Array.from({ length: 120 }, () => 'a').join('.')}.zone.test`;
  const nsec3 = (n: number, iterations: number) =>
    ZONE.sign(
      `${n.toString(32).padStart(32, '0')}.zone.test. 300 NSEC3 1 0 ${iterations} - ${(n + 1).toString(32).padStart(32, '0')} A`,
    );
  const of = (iterations: number) => Array.from({ length: 60 }, (_, n) => nsec3(n, iterations)).join('\n');
  const verdictAfter = (iterations: number) =>
    verdictText(verdictOn(`${name} A`, nxdomain(of(iterations)), ZONE.keys, counting));
  t.equal(verdictAfter(150), 'bogus no-proof');
  t.ok(digests <= 151 * 123, 'each name above once (CVE-2023-50868)', { digests });
  t.ok(counting.checks.found.size <= 16, 'and few of the records', { made: counting.checks.found.size });
  digests = 0;
  t.equal(verdictAfter(2500), 'insecure');
  t.equal(digests, 0, 'none after more than 150 iterations (RFC 9276 3.2)');
});

const KEY = 'AwEAAcFcGsaxxdgiuuGmCkVImy4h99CqT7jwY3pexPGcnUFtR2Fh36BponcwtkZ4cAgtvd4Qs8PkxUdp6p/DlUmObdk=';
const DIGEST = 'e06d44b80b8f1d39a95c0b0d7c65d08458e880409bbc683457104237c7f8ec8d';

const READ: readonly { readonly says: string; readonly text: string; readonly anchors: readonly string[] }[] =
  [
    {
      says: 'DS lines, as dns-root-data has them',
      text: `. IN DS 20326 8 2 ${DIGEST.toUpperCase()}\n. IN DS 38696 8 2 683D2D0ACB8C9B712A1948B27F741219298D0A450D612C483AF444A4C0FB2B16\n`,
      anchors: IANA_TRUST_ANCHORS,
    },
    {
      says: 'a DNSKEY line, as unbound keeps it, with its state in a comment',
      text: `; autotrust\n.\t172800\tIN\tDNSKEY\t257 3 8 ${KEY.slice(0, 40)} ${KEY.slice(40)} ;{id = 9033 (ksk)} ;;state=2\n`,
      anchors: [`. IN DNSKEY 257 3 8 ${KEY}`],
    },
    {
      says: 'both, in any case, the class before the TTL',
      text: `\r\n. in 60 ds 20326 8 2 ${DIGEST}\r\n. dnskey 257 3 8 ${KEY}`,
      anchors: [`. IN DS 20326 8 2 ${DIGEST}`, `. IN DNSKEY 257 3 8 ${KEY}`],
    },
    {
      says: 'records over several lines, as dig +multiline prints them',
      text: `.\t86400 IN DNSKEY 257 3 8 (\n\t${KEY.slice(0, 40)}\n\t${KEY.slice(40)}\n\t) ; KSK; key id = 9034\n. IN DS ( 20326 8\n2 ${DIGEST} )`,
      anchors: [`. IN DNSKEY 257 3 8 ${KEY}`, `. IN DS 20326 8 2 ${DIGEST}`],
    },
    {
      says: "BIND's statements, the older ones as well",
      text: `/* keys
 of the root */ // and nothing else
trust-anchors {
  . initial-key 257 3 8 "${KEY.slice(0, 40)}
    ${KEY.slice(40)}"; # KSK
  "." static-ds 20326 8 2 "${DIGEST}";
};
managed-keys { . initial-key 257 3 8 "${KEY}"; };
trusted-keys { . 257 3 8 ${KEY}; };
`,
      anchors: [
        `. IN DNSKEY 257 3 8 ${KEY}`,
        `. IN DS 20326 8 2 ${DIGEST}`,
        `. IN DNSKEY 257 3 8 ${KEY}`,
        `. IN DNSKEY 257 3 8 ${KEY}`,
      ],
    },
    {
      says: "IANA's XML, without what is no longer valid",
      text: xml('', `${xmlDigest('validUntil="2019-01-11T00:00:00+00:00"')}${xmlDigest('')}`),
      anchors: [`. IN DS 20326 8 2 ${DIGEST}`],
    },
    {
      says: 'one anchor that counts is enough',
      text: `. IN DS 20326 12 2 ${DIGEST}\n. IN DS 20326 8 2 ${DIGEST}`,
      anchors: [`. IN DS 20326 12 2 ${DIGEST}`, `. IN DS 20326 8 2 ${DIGEST}`],
    },
  ];

/** A moment at which anchors must be valid. */
const ON = new Date('2026-11-23T12:00:00Z');

t.test('files of trust anchors', async (t) => {
  for (const { says, text, anchors } of READ) t.same(parseTrustAnchors(text, ON), anchors, says);
  for (const { says, anchors } of READ)
    t.same(parseTrustAnchors(anchors.join('\n')), anchors, `${says}, again`);
});

const REFUSED: readonly (readonly [text: string, message: string])[] = [
  ['', 'no DS or DNSKEY record'],
  ['; nothing yet', 'no DS or DNSKEY record'],
  [
    `. IN DS 20326 8 2 ${DIGEST}\n. IN NS a.root-servers.net.`,
    'line 2: not a DS or DNSKEY record, such as ". IN DS 20326 8 2 E06D..."',
  ],
  [`example. IN DS 20326 8 2 ${DIGEST}`, 'line 1: "example." is not the root (".")'],
  [`a..b IN DS 20326 8 2 ${DIGEST}`, 'line 1: "a..b" is not the root (".")'],
  ['. IN DS 20326 8 2', 'line 1: the last field is missing'],
  ['. IN DS 20326 8 2 xyz', 'line 1: hexadecimal digits must come in pairs, one for each octet'],
  ['. IN DNSKEY 65536 3 8 AwEAAQ==', 'line 1: "65536" is not a number from 0 to 65535'],
  ['. IN DNSKEY \\# 2 0101', 'line 1: malformed data of a DNSKEY record'],
  [`. IN DS (\n20326 8 2\n${DIGEST}`, 'line 1: "(" is never closed'],
  [`; first\n. IN DS 20326 8 2 ${DIGEST} )`, 'line 2: ")" without "("'],
  [
    `options { };\n. IN DS 20326 8 2 ${DIGEST}`,
    'line 1: not a DS or DNSKEY record, such as ". IN DS 20326 8 2 E06D..."',
  ],
  [
    `trust-anchors { };\noptions { };`,
    'line 2: "options" where one of trust-anchors, managed-keys, trusted-keys is expected',
  ],
  ['trust-anchors { };', 'no DS or DNSKEY record'],
  [
    `trust-anchors {\n  . current-key 257 3 8 "${KEY}"; };`,
    'line 2: "current-key" where one of initial-key, static-key, initial-ds, static-ds is expected',
  ],
  [`trusted-keys {\n"example." 257 3 8 "${KEY}"; };`, 'line 2: "example." is not the root (".")'],
  [`trusted-keys {\n. 257 3 8 "${KEY}" };`, 'line 2: a field is missing before "}"'],
  [`trusted-keys {\n. 257 3 8 "${KEY}"; }`, 'line 2: the file ends in the middle of a statement'],
  [`trusted-keys {\n. 257 3 8 "${KEY}; };`, 'line 2: a quote is not closed'],
  ['trusted-keys { /* all }', 'line 1: a comment is not closed'],
  ['toString { };', 'line 1: not a DS or DNSKEY record, such as ". IN DS 20326 8 2 E06D..."'],
  ['<html></html>', 'line 1: <html> where <TrustAnchor> is expected'],
  ['<!DOCTYPE x>', 'line 1: not the XML of root-anchors.xml'],
  [xml('', ''), 'no DS or DNSKEY record'],
  [xml('validUntil="2019-01-11T00:00:00+00:00"'), 'line 1: no <KeyDigest> is valid on 2026-11-23'],
  [xml('validFrom="2027-01-11T00:00:00+00:00"'), 'line 1: no <KeyDigest> is valid on 2026-11-23'],
  [xml('validUntil="soon"'), 'line 3: validUntil="soon" is not a date and time'],
  [xml('trusted="yes"'), 'line 3: <KeyDigest> has the unknown attribute "trusted"'],
  [xml().replace('<Zone>.<', '<Zone>example.<'), 'line 3: "example." is not the root (".")'],
  [xml().replace('</Zone>', '</Zone><Zone>.</Zone>'), 'line 2: <TrustAnchor> has more than one <Zone>'],
  [xml().replace('</Zone>', '</Zone>&lt;'), 'line 2: not the XML of root-anchors.xml'],
  [xml().replace('</Zone>', '</Zone>text'), 'line 1: <TrustAnchor> has text of its own'],
  [xml().replace(/<\/TrustAnchor>/, ''), 'line 1: <TrustAnchor> has no end tag'],
  [xml().replace(/<KeyTag>.*<\/KeyTag>/, ''), 'line 3: <KeyDigest> lacks <KeyTag>'],
  [xml().replace(/KeyTag/g, 'Tag'), 'line 4: <Tag> is an unknown element'],
  [xml().replace('</KeyTag>', '</Tag>'), 'line 4: </Tag> has no start tag'],
  [
    `. IN DS 20326 12 2 ${DIGEST}\n. IN DS 20326 8 3 ${DIGEST}`,
    'no usable trust anchor: algorithm 12 of DS 20326 is not supported, digest type 3 of DS 20326 is not supported',
  ],
  [
    ['0 3 8', '385 3 8', '257 2 8', '257 3 12'].map((fields) => `. DNSKEY ${fields} ${KEY}`).join('\n'),
    'no usable trust anchor: DNSKEY 8777 lacks the Zone flag, DNSKEY 9162 is revoked, DNSKEY 8778 has protocol 2, not 3, and 1 more',
  ],
  [`. DNSKEY 257 3 12 ${KEY}`, 'no usable trust anchor: algorithm 12 of DNSKEY 9038 is not supported'],
];

/** IANA's file with one key, whose digest is said to be valid so. */
function xml(valid = 'validFrom="2017-02-02T00:00:00+00:00"', digest = xmlDigest(valid)): string {
  return `<?xml version="1.0" encoding="UTF-8"?><TrustAnchor id="1" source="http://data.iana.org/root-anchors/root-anchors.xml">
<Zone>.</Zone> <!-- <Zone>example.</Zone> -->
${digest}</TrustAnchor>
`;
}

function xmlDigest(valid: string): string {
  return `<KeyDigest id='K' ${valid}>
  <KeyTag>20326</KeyTag><Algorithm>8</Algorithm>
  <DigestType>2</DigestType><Digest>${DIGEST}</Digest><PublicKey>${KEY}</PublicKey><Flags>257</Flags>
</KeyDigest>
`;
}

t.test('what is none', async (t) => {
  for (const [text, message] of REFUSED)
    t.throws(() => parseTrustAnchors(text, ON), new TrustAnchorError(message), message);
});

t.test('the trust that they give', async (t) => {
  t.match(trustFromAnchors(IANA_TRUST_ANCHORS), {
    kind: 'secure',
    signers: [{ keyTag: 20326 }, { keyTag: 38696 }],
  });
  t.match(trustFromAnchors([`. IN DNSKEY 257 3 8 ${KEY}`]), { kind: 'secure', keys: [{ tag: 9034 }] });
  t.match(
    trustFromAnchors([`. IN DS 20326 12 2 ${DIGEST}`]),
    { id: INSECURE.id, why: { reason: 'unsupported-ds', zone: '.', algorithms: [12], digests: [] } },
    'an algorithm that nobody supports',
  );
});
