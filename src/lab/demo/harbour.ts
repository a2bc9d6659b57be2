import type { ServerSpec } from '../world.ts';
import { zoneText } from '../zone-text.ts';
import { deadZone, intranetZone, lettersZone, mixedZone, oldZone } from './customers.ts';
import { SECOND_SIGNED } from './signed.ts';

const harbour = zoneText(
  'harbour.example.',
  `
    @     NS    ns1
    @     NS    ns2
    @     A     198.51.100.10
    ns1   A     198.51.100.1
          AAAA  2001:db8:1::1
    ns2   A     198.51.100.2
          AAAA  2001:db8:1::2
    www   CNAME @
    mail  A     198.51.100.25
  `,
);

/** A zone that both of Harbour's servers should serve. */
const customer = (apex: string, records: string, serial?: number) =>
  zoneText(apex, `@ NS ns1.harbour.example.\n@ NS ns2.harbour.example.\n${records}`, serial);

const shop = customer(
  'shop.example.',
  `
@     A     198.51.100.80
      AAAA  2001:db8:1::80
      MX    10 mail.harbour.example.
      TXT   "v=spf1 mx -all"
      CAA   0 issue "ca.example"
www   A     198.51.100.80
      AAAA  2001:db8:1::80
      HTTPS 1 . alpn="h2,h3"
*.img CNAME www
  `,
);

const reverseIpv4 = customer(
  '100.51.198.in-addr.arpa.',
  `
1  PTR ns1.harbour.example.
2  PTR ns2.harbour.example.
10 PTR harbour.example.
25 PTR mail.harbour.example.
80 PTR www.shop.example.
  `,
);

const reverseIpv6 = customer(
  '1.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa.',
  `
$ORIGIN ${'0.'.repeat(18)}1.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa.
1.0 PTR ns1.harbour.example.
2.0 PTR ns2.harbour.example.
0.8 PTR www.shop.example.
  `,
);

const lame = customer('lame.example.', 'www A 198.51.100.101');
const forgotten = customer('forgotten.example.', 'www A 198.51.100.102');
const magazine = customer('magazine.example.', 'www CNAME magazine.cdn.test.');
const circle = customer('circle.example.', 'www CNAME www.circle.test.');
const moved = customer('moved.example.', 'www A 198.51.100.103');
const offices = customer('offices.example.', 'www.berlin A 198.51.100.115');

/** Signed, one way or another; see `DEMO_SIGNED`. */
const expired = customer('expired.example.', 'www A 198.51.100.117');
const rollover = customer('rollover.example.', 'www A 198.51.100.118');
const lostKey = customer('lost-key.example.', 'www A 198.51.100.119');
const denial = customer('denial.example.', 'www A 198.51.100.120');
const unsigned = customer('unsigned.example.', 'www A 198.51.100.121');

/** Copied from Meadow, NS records and all. */
const copied = zoneText(
  'copied.example.',
  '@ NS ns1.meadow.test.\n@ NS ns2.meadow.test.\nwww A 198.51.100.114',
  34,
);

const staleToday = customer('stale.example.', 'www A 198.51.100.104', 57);
const staleLastYear = customer('stale.example.', 'www A 192.0.2.104', 41);

const saleToday = customer('sale.example.', 'www A 198.51.100.105\nspring A 198.51.100.106', 8);
const saleYesterday = customer('sale.example.', 'www A 198.51.100.105', 7);

const onBoth = [
  harbour,
  shop,
  reverseIpv4,
  reverseIpv6,
  magazine,
  circle,
  moved,
  copied,
  offices,
  mixedZone,
  expired,
  rollover,
  lostKey,
  denial,
  unsigned,
];

/** Their software denies names with records that prove nothing. */
const WRONG_DENIALS = { kind: 'wrong-proof', only: { zone: 'denial.example.' } } as const;

/** The hoster Harbour: two servers, the second of which is not as well kept as the first. */
export const HARBOUR_SERVERS: readonly ServerSpec[] = [
  {
    name: 'ns1.harbour.example.',
    addresses: ['198.51.100.1', '2001:db8:1::1'],
    zones: [...onBoth, lame, forgotten, staleToday, saleToday, deadZone, oldZone, lettersZone, intranetZone],
    faults: [{ kind: 'latency', ms: 1 }, WRONG_DENIALS],
    version: 'PowerDNS Authoritative Server 4.9.1',
    hostname: 'ns1.harbour.example',
  },
  {
    name: 'ns2.harbour.example.',
    addresses: ['198.51.100.2', '2001:db8:1::2'],
    zones: [...onBoth, staleLastYear, saleYesterday],
    signed: SECOND_SIGNED,
    faults: [
      { kind: 'latency', ms: 1 },
      { kind: 'lame', zone: '.', ns: ['a.root.', 'b.root.', 'c.root.'], only: { zone: 'lame.example.' } },
      WRONG_DENIALS,
      { kind: 'rcode', rcode: 'NXDOMAIN', only: { name: 'berlin.offices.example.' } },
    ],
    version: 'PowerDNS Authoritative Server 4.7.4',
    hostname: 'ns2.harbour.example',
  },
];
