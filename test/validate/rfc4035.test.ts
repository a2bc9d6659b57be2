import t from 'tap';
import { keysUnder } from '../../src/validate/keys-under.ts';
import { rrsetsIn } from '../../src/validate/rrset.ts';
import { INSECURE, trustFrom } from '../../src/validate/trust.ts';
import { parseName } from '../../src/wire/name.ts';
import { judged, keysIn, type ReplyRow, validationAt, verdictText } from './judged.ts';
import { recordLines } from './record-lines.ts';
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

const EXAMPLE = parseName('example');
const plain = { kind: 'answer', links: [] } as const;

const ROWS: readonly (ReplyRow & { readonly says: string; readonly is: string })[] = [
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
  for (const row of ROWS)
    t.equal(verdictText(judged(row, keysIn('example', ZSK), validation)), row.is, row.says);
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
