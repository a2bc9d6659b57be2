import t from 'tap';
import { rrsetsIn } from '../../../src/dns/dnssec/rrset.ts';
import { INSECURE, trustFrom } from '../../../src/dns/dnssec/trust.ts';
import { keysUnder } from '../../../src/dns/dnssec/verify.ts';
import { parseName } from '../../../src/dns/name.ts';
import { recordLines } from './signing.ts';
import {
  DS_A,
  KEY_SIGNATURE,
  KSK,
  MOMENT,
  MX_WILD,
  MX_XW,
  NSEC_APEX,
  NSEC_B,
  NSEC_NS1,
  NSEC_STAR,
  NSEC_XYW,
  SOA,
  ZSK,
} from './vectors/rfc4035-zone.ts';
import {
  MOMENT as MOMENT_RFC5155,
  MX_WILD as MX_WILD_RFC5155,
  NSEC3_0P9,
  NSEC3_2T7,
  NSEC3_35M,
  NSEC3_B4U,
  NSEC3_JI6,
  NSEC3_K8U,
  NSEC3_Q04,
  NSEC3_R53,
  SOA as SOA_RFC5155,
  ZSK as ZSK_RFC5155,
} from './vectors/rfc5155-zone.ts';
import { keysIn, type ReplyRow, validationAt, verdictOn, verdictText } from './verdicts.ts';

const EXAMPLE = parseName('example');
const plain = { kind: 'answer', links: [] } as const;

const ROWS_4035: readonly (ReplyRow & { readonly says: string; readonly is: string })[] = [
  { says: 'B.1 answer', name: 'x.w.example', type: 'MX', claim: plain, answer: MX_XW, is: 'secure' },
  {
    says: 'B.2 name error',
    name: 'ml.example',
    type: 'A',
    claim: { kind: 'nxdomain' },
    authority: SOA + NSEC_B + NSEC_APEX,
    is: 'secure',
  },
  {
    says: 'B.2 without the wildcard’s denial',
    name: 'ml.example',
    type: 'A',
    claim: { kind: 'nxdomain' },
    authority: SOA + NSEC_B,
    is: 'bogus no-proof',
  },
  {
    says: 'B.2 of a name that exists',
    name: 'ns1.example',
    type: 'A',
    claim: { kind: 'nxdomain' },
    authority: SOA + NSEC_B + NSEC_APEX,
    is: 'bogus no-proof',
  },
  {
    says: 'B.3 no data error',
    name: 'ns1.example',
    type: 'MX',
    claim: { kind: 'nodata' },
    authority: SOA + NSEC_NS1,
    is: 'secure',
  },
  {
    says: 'B.3 of a type that is there',
    name: 'ns1.example',
    type: 'A',
    claim: { kind: 'nodata' },
    authority: SOA + NSEC_NS1,
    is: 'bogus no-proof',
  },
  {
    says: 'B.4 referral to signed zone',
    name: 'mc.a.example',
    type: 'MX',
    claim: { kind: 'referral', to: parseName('a.example') },
    authority: DS_A,
    is: 'secure, zone secure',
  },
  {
    says: 'B.5 referral to unsigned zone',
    name: 'mc.b.example',
    type: 'MX',
    claim: { kind: 'referral', to: parseName('b.example') },
    authority: NSEC_B,
    is: 'secure, zone insecure',
  },
  {
    says: 'B.6 wildcard expansion',
    name: 'a.z.w.example',
    type: 'MX',
    claim: plain,
    answer: MX_WILD,
    authority: NSEC_XYW,
    is: 'secure',
  },
  {
    says: 'B.6 without the denial of the name itself',
    name: 'a.z.w.example',
    type: 'MX',
    claim: plain,
    answer: MX_WILD,
    is: 'bogus no-proof',
  },
  {
    says: 'B.7 wildcard no data error',
    name: 'a.z.w.example',
    type: 'AAAA',
    claim: { kind: 'nodata' },
    authority: SOA + NSEC_XYW + NSEC_STAR,
    is: 'secure',
  },
  {
    says: 'B.7 without the wildcard',
    name: 'a.z.w.example',
    type: 'AAAA',
    claim: { kind: 'nodata' },
    authority: SOA + NSEC_XYW,
    is: 'bogus no-proof',
  },
  {
    // The child's word on DS, which is the parent's matter (RFC 6840 4.1).
    says: 'B.8 DS child zone no data error',
    name: 'example',
    type: 'DS',
    claim: { kind: 'nodata' },
    authority: SOA + NSEC_APEX,
    is: 'bogus no-proof',
  },
];

t.test('the responses of RFC 4035 appendix B', async (t) => {
  const validation = validationAt(MOMENT);
  for (const row of ROWS_4035)
    t.equal(verdictText(verdictOn(row, keysIn('example', ZSK), validation)), row.is, row.says);
});

t.test('its keys, under trust in the one that signs keys', async (t) => {
  const validation = validationAt(MOMENT);
  const rrset = rrsetsIn(recordLines(KSK + ZSK + KEY_SIGNATURE)).find(EXAMPLE, 'DNSKEY');
  const trust = trustFrom(recordLines(KSK));
  if (rrset === undefined || trust.kind === 'insecure') throw new Error('keys and trust were read');
  const found = keysUnder(trust, EXAMPLE, rrset, validation);
  t.match(found, { kind: 'keys' });
  t.same(found.kind === 'keys' && found.keys.keys.map(({ tag }) => tag).sort(), [38519, 9465]);
  t.not(trust, INSECURE);
});

const nodata = { kind: 'nodata' } as const;
const nxdomain = { kind: 'nxdomain' } as const;
const answer = { kind: 'answer', links: [] } as const;

/** All NSEC3 records of the zone have the Opt-Out flag, so what rests on the denial of a next closer name is insecure. */
const ROWS_5155: readonly (ReplyRow & { readonly says: string; readonly is: string })[] = [
  {
    says: 'B.1 name error',
    name: 'a.c.x.w.example',
    type: 'A',
    claim: nxdomain,
    authority: SOA_RFC5155 + NSEC3_0P9 + NSEC3_B4U + NSEC3_35M,
    is: 'insecure',
  },
  {
    says: 'B.1 without the closest encloser',
    name: 'a.c.x.w.example',
    type: 'A',
    claim: nxdomain,
    authority: SOA_RFC5155 + NSEC3_0P9 + NSEC3_35M,
    is: 'bogus no-proof',
  },
  {
    says: 'B.1 without the next closer name',
    name: 'a.c.x.w.example',
    type: 'A',
    claim: nxdomain,
    authority: SOA_RFC5155 + NSEC3_B4U + NSEC3_35M,
    is: 'bogus no-proof',
  },
  {
    says: 'B.1 without the wildcard',
    name: 'a.c.x.w.example',
    type: 'A',
    claim: nxdomain,
    authority: SOA_RFC5155 + NSEC3_0P9 + NSEC3_B4U,
    is: 'bogus no-proof',
  },
  {
    says: 'B.2 no data error',
    name: 'ns1.example',
    type: 'MX',
    claim: nodata,
    authority: SOA_RFC5155 + NSEC3_2T7,
    is: 'secure',
  },
  {
    says: 'B.2 of a type that is there',
    name: 'ns1.example',
    type: 'A',
    claim: nodata,
    authority: SOA_RFC5155 + NSEC3_2T7,
    is: 'bogus no-proof',
  },
  {
    says: 'B.2.1 no data error, empty non-terminal',
    name: 'y.w.example',
    type: 'A',
    claim: nodata,
    authority: SOA_RFC5155 + NSEC3_JI6,
    is: 'secure',
  },
  {
    says: 'B.3 referral to an opt-out unsigned zone',
    name: 'mc.c.example',
    type: 'MX',
    claim: { kind: 'referral', to: parseName('c.example') },
    authority: NSEC3_35M + NSEC3_0P9,
    is: 'insecure, zone insecure',
  },
  {
    says: 'B.3 without the closest encloser',
    name: 'mc.c.example',
    type: 'MX',
    claim: { kind: 'referral', to: parseName('c.example') },
    authority: NSEC3_35M,
    is: 'unproven',
  },
  {
    says: 'B.4 wildcard expansion',
    name: 'a.z.w.example',
    type: 'MX',
    claim: answer,
    answer: MX_WILD_RFC5155,
    authority: NSEC3_Q04,
    is: 'insecure',
  },
  {
    says: 'B.4 without the next closer name',
    name: 'a.z.w.example',
    type: 'MX',
    claim: answer,
    answer: MX_WILD_RFC5155,
    authority: NSEC3_R53,
    is: 'bogus no-proof',
  },
  {
    says: 'B.5 wildcard no data error',
    name: 'a.z.w.example',
    type: 'AAAA',
    claim: nodata,
    authority: SOA_RFC5155 + NSEC3_K8U + NSEC3_Q04 + NSEC3_R53,
    is: 'insecure',
  },
  {
    says: 'B.6 DS child zone no data error',
    name: 'example',
    type: 'DS',
    claim: nodata,
    authority: SOA_RFC5155 + NSEC3_0P9,
    is: 'bogus no-proof',
  },
];

t.test('the responses of RFC 5155 appendix B', async (t) => {
  const validation = validationAt(MOMENT_RFC5155);
  for (const row of ROWS_5155)
    t.equal(verdictText(verdictOn(row, keysIn('example', ZSK_RFC5155), validation)), row.is, row.says);
});
