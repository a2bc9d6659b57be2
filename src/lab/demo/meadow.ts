import type { ServerSpec } from '../world.ts';
import { zoneText } from '../zone-text.ts';
import { mixedZone } from './customers.ts';

const meadow = zoneText(
  'meadow.test.',
  `
    @    NS    ns1
    @    NS    ns2
    ns1  A     203.0.113.1
         AAAA  2001:db8:2::1
    ns2  A     203.0.113.2
         AAAA  2001:db8:2::2
    www  A     203.0.113.10
  `,
);

/** A zone that both of Meadow's servers should serve. */
const customer = (apex: string, records: string, serial?: number) =>
  zoneText(apex, `@ NS ns1.meadow.test.\n@ NS ns2.meadow.test.\n${records}`, serial);

const onBoth = [
  meadow,
  customer('blog.test.', 'www A 203.0.113.110\nwww AAAA 2001:db8:2::110'),
  customer('circle.test.', 'www CNAME www.circle.example.'),
  customer('launch.test.', 'www A 203.0.113.111'),
];

/** What Meadow still has of customers who moved to Harbour. One of them did change the NS records, but only here. */
const movedAway = [
  zoneText('moved.example.', '@ NS ns1.harbour.example.\n@ NS ns2.harbour.example.\nwww A 203.0.113.103', 12),
  customer('copied.example.', 'www A 203.0.113.114', 33),
];

const cdn = zoneText(
  'cdn.test.',
  `
    @        NS    ns1
    @        NS    ns2
    @        NS    ns3
    @        NS    ns4
    ns1      A     203.0.113.21
             AAAA  2001:db8:2::21
    ns2      A     203.0.113.22
             AAAA  2001:db8:2::22
    ns3      A     203.0.113.23
             AAAA  2001:db8:2::23
    ns4      A     203.0.113.24
             AAAA  2001:db8:2::24
    magazine 60 A  203.0.113.200
  `,
);

/** One of the four servers of cdn.test. */
function cdnServer(number: 1 | 2 | 3 | 4, fault: 'none' | 'dead'): ServerSpec {
  return {
    name: `ns${number}.cdn.test.`,
    addresses: [`203.0.113.2${number}`, `2001:db8:2::2${number}`],
    zones: [cdn],
    faults: [{ kind: 'latency', ms: number }, ...(fault === 'dead' ? [{ kind: 'dead' } as const] : [])],
    version: 'NSD 4.9.1',
    id: `ns${number}.cdn.test`,
  };
}

/** The hoster Meadow with two servers, and the content network cdn.test with four, one of them dead. */
export const MEADOW_SERVERS: readonly ServerSpec[] = [
  {
    name: 'ns1.meadow.test.',
    addresses: ['203.0.113.1', '2001:db8:2::1'],
    zones: [...onBoth, ...movedAway, mixedZone],
    faults: [{ kind: 'latency', ms: 1 }],
    version: '9.20.4',
  },
  {
    name: 'ns2.meadow.test.',
    addresses: ['203.0.113.2', '2001:db8:2::2'],
    zones: [...onBoth, ...movedAway],
    faults: [{ kind: 'latency', ms: 1 }],
    version: '9.18.24',
  },
  cdnServer(1, 'none'),
  cdnServer(2, 'none'),
  cdnServer(3, 'none'),
  cdnServer(4, 'dead'),
];
