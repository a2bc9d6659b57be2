import t from 'tap';
import { INSECURE } from '../../src/validate/trust.ts';
import {
  IANA_TRUST_ANCHORS,
  parseTrustAnchors,
  TrustAnchorError,
  trustFromAnchors,
} from '../../src/validate/trust-anchors.ts';

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
  ];

t.test('files of trust anchors', async (t) => {
  for (const { says, text, anchors } of READ) t.same(parseTrustAnchors(text), anchors, says);
  for (const { says, anchors } of READ)
    t.same(parseTrustAnchors(anchors.join('\n')), anchors, `${says}, again`);
});

const REFUSED: readonly (readonly [text: string, message: string])[] = [
  ['', 'no DS or DNSKEY record in it'],
  ['; nothing yet', 'no DS or DNSKEY record in it'],
  [
    `. IN DS 20326 8 2 ${DIGEST}\n. IN NS a.root-servers.net.`,
    'line 2: not a DS or DNSKEY record (. IN DS 20326 8 2 E06D...)',
  ],
  [`example. IN DS 20326 8 2 ${DIGEST}`, 'line 1: "example." is not the root (".")'],
  [`a..b IN DS 20326 8 2 ${DIGEST}`, 'line 1: "a..b" is not the root (".")'],
  ['. IN DS 20326 8 2', 'line 1: the last field is missing'],
  ['. IN DS 20326 8 2 xyz', 'line 1: hexadecimal digits must come in pairs, one for each octet'],
  ['. IN DNSKEY 65536 3 8 AwEAAQ==', 'line 1: "65536" is not a number from 0 to 65535'],
  ['. IN DNSKEY \\# 2 0101', 'line 1: these are no data of a DNSKEY record'],
];

t.test('what is none', async (t) => {
  for (const [text, message] of REFUSED)
    t.throws(() => parseTrustAnchors(text), new TrustAnchorError(message), message);
});

t.test('the trust that they give', async (t) => {
  t.match(trustFromAnchors(IANA_TRUST_ANCHORS), {
    kind: 'secure',
    signers: [{ keyTag: 20326 }, { keyTag: 38696 }],
  });
  t.match(trustFromAnchors([`. IN DNSKEY 257 3 8 ${KEY}`]), { kind: 'secure', keys: [{ tag: 9034 }] });
  t.equal(trustFromAnchors([`. IN DS 20326 12 2 ${DIGEST}`]), INSECURE, 'an algorithm that nobody supports');
});
