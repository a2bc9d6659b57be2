import t from 'tap';
import { parseName } from '../../src/wire/name.ts';
import { judged, keysIn, type ReplyRow, validationAt, verdictText } from './judged.ts';
import {
  MOMENT,
  MX_WILD,
  NSEC3_0P9,
  NSEC3_2T7,
  NSEC3_35M,
  NSEC3_B4U,
  NSEC3_JI6,
  NSEC3_K8U,
  NSEC3_Q04,
  NSEC3_R53,
  SOA,
  ZSK,
} from './vectors/rfc5155-zone.ts';

const nodata = { kind: 'nodata' } as const;
const nxdomain = { kind: 'nxdomain' } as const;
const answer = { kind: 'answer', links: [] } as const;

/** All NSEC3 records of the zone have the Opt-Out flag, so what rests on the denial of a next closer name is insecure. */
const ROWS: readonly (ReplyRow & { readonly says: string; readonly is: string })[] = [
  {
    says: 'B.1 name error',
    name: 'a.c.x.w.example',
    type: 'A',
    claim: nxdomain,
    authority: SOA + NSEC3_0P9 + NSEC3_B4U + NSEC3_35M,
    is: 'insecure',
  },
  {
    says: 'B.1 without the closest encloser',
    name: 'a.c.x.w.example',
    type: 'A',
    claim: nxdomain,
    authority: SOA + NSEC3_0P9 + NSEC3_35M,
    is: 'bogus no-proof',
  },
  {
    says: 'B.1 without the next closer name',
    name: 'a.c.x.w.example',
    type: 'A',
    claim: nxdomain,
    authority: SOA + NSEC3_B4U + NSEC3_35M,
    is: 'bogus no-proof',
  },
  {
    says: 'B.1 without the wildcard',
    name: 'a.c.x.w.example',
    type: 'A',
    claim: nxdomain,
    authority: SOA + NSEC3_0P9 + NSEC3_B4U,
    is: 'bogus no-proof',
  },
  {
    says: 'B.2 no data error',
    name: 'ns1.example',
    type: 'MX',
    claim: nodata,
    authority: SOA + NSEC3_2T7,
    is: 'secure',
  },
  {
    says: 'B.2 of a type that is there',
    name: 'ns1.example',
    type: 'A',
    claim: nodata,
    authority: SOA + NSEC3_2T7,
    is: 'bogus no-proof',
  },
  {
    says: 'B.2.1 no data error, empty non-terminal',
    name: 'y.w.example',
    type: 'A',
    claim: nodata,
    authority: SOA + NSEC3_JI6,
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
    answer: MX_WILD,
    authority: NSEC3_Q04,
    is: 'insecure',
  },
  {
    says: 'B.4 without the next closer name',
    name: 'a.z.w.example',
    type: 'MX',
    claim: answer,
    answer: MX_WILD,
    authority: NSEC3_R53,
    is: 'bogus no-proof',
  },
  {
    says: 'B.5 wildcard no data error',
    name: 'a.z.w.example',
    type: 'AAAA',
    claim: nodata,
    authority: SOA + NSEC3_K8U + NSEC3_Q04 + NSEC3_R53,
    is: 'insecure',
  },
  {
    says: 'B.6 DS child zone no data error',
    name: 'example',
    type: 'DS',
    claim: nodata,
    authority: SOA + NSEC3_0P9,
    is: 'bogus no-proof',
  },
];

t.test('the responses of RFC 5155 appendix B', async (t) => {
  const validation = validationAt(MOMENT);
  for (const row of ROWS)
    t.equal(verdictText(judged(row, keysIn('example', ZSK), validation)), row.is, row.says);
});
