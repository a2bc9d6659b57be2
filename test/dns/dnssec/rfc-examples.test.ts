import t from 'tap';
import { rrsetsIn } from '../../../src/dns/dnssec/rrset.ts';
import { INSECURE, trustFrom } from '../../../src/dns/dnssec/trust.ts';
import { keysUnder } from '../../../src/dns/dnssec/verify.ts';
import { parseName } from '../../../src/dns/name.ts';
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
} from './rfc4035-zone.ts';
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
} from './rfc5155-zone.ts';
import { recordLines } from './signing.ts';
import {
  answer,
  checkReplies,
  keysIn,
  nodata,
  nxdomain,
  type ReplyRow,
  referral,
  validationAt,
} from './verdicts.ts';

const EXAMPLE = parseName('example');

const ROWS_4035: readonly ReplyRow[] = [
  ['B.1 answer', 'x.w.example MX', answer(MX_XW), 'secure'],
  ['B.2 name error', 'ml.example A', nxdomain(SOA + NSEC_B + NSEC_APEX), 'secure'],
  ['B.2 without the wildcard’s denial', 'ml.example A', nxdomain(SOA + NSEC_B), 'bogus no-proof'],
  ['B.2 of a name that exists', 'ns1.example A', nxdomain(SOA + NSEC_B + NSEC_APEX), 'bogus no-proof'],
  ['B.3 no data error', 'ns1.example MX', nodata(SOA + NSEC_NS1), 'secure'],
  ['B.3 of a type that is there', 'ns1.example A', nodata(SOA + NSEC_NS1), 'bogus no-proof'],
  ['B.4 referral to signed zone', 'mc.a.example MX', referral('a.example', DS_A), 'secure, zone secure'],
  [
    'B.5 referral to unsigned zone',
    'mc.b.example MX',
    referral('b.example', NSEC_B),
    'secure, zone insecure',
  ],
  ['B.6 wildcard expansion', 'a.z.w.example MX', answer(MX_WILD, NSEC_XYW), 'secure'],
  ['B.6 without the denial of the name itself', 'a.z.w.example MX', answer(MX_WILD), 'bogus no-proof'],
  ['B.7 wildcard no data error', 'a.z.w.example AAAA', nodata(SOA + NSEC_XYW + NSEC_STAR), 'secure'],
  ['B.7 without the wildcard', 'a.z.w.example AAAA', nodata(SOA + NSEC_XYW), 'bogus no-proof'],
  // The child's word on DS, which is the parent's matter (RFC 6840 4.1).
  ['B.8 DS child zone no data error', 'example DS', nodata(SOA + NSEC_APEX), 'bogus no-proof'],
];

checkReplies('the responses of RFC 4035 appendix B', ROWS_4035, keysIn('example', ZSK), MOMENT);

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

/** All NSEC3 records of the zone have the Opt-Out flag, so what rests on the denial of a next closer name is insecure. */
const ROWS_5155: readonly ReplyRow[] = [
  [
    'B.1 name error',
    'a.c.x.w.example A',
    nxdomain(SOA_RFC5155 + NSEC3_0P9 + NSEC3_B4U + NSEC3_35M),
    'insecure',
  ],
  [
    'B.1 without the closest encloser',
    'a.c.x.w.example A',
    nxdomain(SOA_RFC5155 + NSEC3_0P9 + NSEC3_35M),
    'bogus no-proof',
  ],
  [
    'B.1 without the next closer name',
    'a.c.x.w.example A',
    nxdomain(SOA_RFC5155 + NSEC3_B4U + NSEC3_35M),
    'bogus no-proof',
  ],
  [
    'B.1 without the wildcard',
    'a.c.x.w.example A',
    nxdomain(SOA_RFC5155 + NSEC3_0P9 + NSEC3_B4U),
    'bogus no-proof',
  ],
  ['B.2 no data error', 'ns1.example MX', nodata(SOA_RFC5155 + NSEC3_2T7), 'secure'],
  ['B.2 of a type that is there', 'ns1.example A', nodata(SOA_RFC5155 + NSEC3_2T7), 'bogus no-proof'],
  ['B.2.1 no data error, empty non-terminal', 'y.w.example A', nodata(SOA_RFC5155 + NSEC3_JI6), 'secure'],
  [
    'B.3 referral to an opt-out unsigned zone',
    'mc.c.example MX',
    referral('c.example', NSEC3_35M + NSEC3_0P9),
    'insecure, zone insecure',
  ],
  ['B.3 without the closest encloser', 'mc.c.example MX', referral('c.example', NSEC3_35M), 'unproven'],
  ['B.4 wildcard expansion', 'a.z.w.example MX', answer(MX_WILD_RFC5155, NSEC3_Q04), 'insecure'],
  [
    'B.4 without the next closer name',
    'a.z.w.example MX',
    answer(MX_WILD_RFC5155, NSEC3_R53),
    'bogus no-proof',
  ],
  [
    'B.5 wildcard no data error',
    'a.z.w.example AAAA',
    nodata(SOA_RFC5155 + NSEC3_K8U + NSEC3_Q04 + NSEC3_R53),
    'insecure',
  ],
  ['B.6 DS child zone no data error', 'example DS', nodata(SOA_RFC5155 + NSEC3_0P9), 'bogus no-proof'],
];

checkReplies(
  'the responses of RFC 5155 appendix B',
  ROWS_5155,
  keysIn('example', ZSK_RFC5155),
  MOMENT_RFC5155,
);
