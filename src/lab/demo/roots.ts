import type { Fault } from '../faults.ts';
import type { ServerSpec } from '../world.ts';
import { zoneText } from '../zone-text.ts';

const root = zoneText(
  '.',
  `
    @              NS    a.root.
    @              NS    b.root.
    @              NS    c.root.
    a.root.        A     192.0.2.1
                   AAAA  2001:db8::1
    b.root.        A     192.0.2.2
                   AAAA  2001:db8::2
    c.root.        A     192.0.2.3
                   AAAA  2001:db8::3

    example.       NS    a.nic.example.
    example.       NS    b.nic.example.
    a.nic.example. A     192.0.2.11
                   AAAA  2001:db8::11
    b.nic.example. A     192.0.2.12
                   AAAA  2001:db8::12

    test.          NS    a.nic.test.
    test.          NS    b.nic.test.
    a.nic.test.    A     192.0.2.21
                   AAAA  2001:db8::21
    b.nic.test.    A     192.0.2.22
                   AAAA  2001:db8::22

    100.51.198.in-addr.arpa.           NS  ns1.harbour.example.
    100.51.198.in-addr.arpa.           NS  ns2.harbour.example.
    1.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa.  NS  ns1.harbour.example.
    1.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa.  NS  ns2.harbour.example.
  `,
  2026112100,
);

/** Where the network is a hotel's, a resolver answers in the place of every root server. */
const hotel = zoneText('hotel.example.', '@ NS a.root.\nwww A 198.51.100.116');

const INTERCEPTED: readonly Fault[] = [
  { kind: 'not-authoritative', only: { zone: 'hotel.example.' } },
  { kind: 'recursion-available', only: { zone: 'hotel.example.' } },
];

/** The root servers of the demo. */
export const ROOT_SERVERS: readonly ServerSpec[] = [
  {
    name: 'a.root.',
    addresses: ['192.0.2.1', '2001:db8::1'],
    zones: [root, hotel],
    faults: [{ kind: 'latency', ms: 1 }, ...INTERCEPTED],
    version: 'NSD 4.8.0',
    id: 'a1.fra',
  },
  {
    name: 'b.root.',
    addresses: ['192.0.2.2', '2001:db8::2'],
    zones: [root, hotel],
    faults: [{ kind: 'latency', ms: 1 }, ...INTERCEPTED],
    version: 'Knot DNS 3.3.8',
    id: 'b3.ams',
  },
  {
    name: 'c.root.',
    addresses: ['192.0.2.3', '2001:db8::3'],
    zones: [root, hotel],
    faults: [{ kind: 'latency', ms: 1 }, ...INTERCEPTED],
    version: '9.18.49',
    id: 'c2.lhr',
    nsid: 'c2.lhr.root',
  },
];
