import type { ServerSpec } from '../world.ts';
import { zoneText } from '../zone-text.ts';

const example = zoneText(
  'example.',
  `
    @                NS    a.nic
    @                NS    b.nic
    a.nic            A     192.0.2.11
                     AAAA  2001:db8::11
    b.nic            A     192.0.2.12
                     AAAA  2001:db8::12

    ; the hoster Harbour
    harbour          NS    ns1.harbour
    harbour          NS    ns2.harbour
    ns1.harbour      A     198.51.100.1
                     AAAA  2001:db8:1::1
    ns2.harbour      A     198.51.100.2
                     AAAA  2001:db8:1::2

    ; its customers
    shop             NS    ns1.harbour
    shop             NS    ns2.harbour
    lame             NS    ns1.harbour
    lame             NS    ns2.harbour
    forgotten        NS    ns1.harbour
    forgotten        NS    ns2.harbour
    stale            NS    ns1.harbour
    stale            NS    ns2.harbour
    sale             NS    ns1.harbour
    sale             NS    ns2.harbour
    circle           NS    ns1.harbour
    circle           NS    ns2.harbour
    magazine         NS    ns1.harbour
    magazine         NS    ns2.harbour

    ; signed, and not quite as they should be; the last one is not signed
    expired          NS    ns1.harbour
    expired          NS    ns2.harbour
    rollover         NS    ns1.harbour
    rollover         NS    ns2.harbour
    lost-key         NS    ns1.harbour
    lost-key         NS    ns2.harbour
    denial           NS    ns1.harbour
    denial           NS    ns2.harbour
    unsigned         NS    ns1.harbour
    unsigned         NS    ns2.harbour

    ; one of two servers is the customer's own
    dead             NS    ns1.harbour
    dead             NS    ns.dead
    ns.dead          A     198.51.100.66
                     AAAA  2001:db8:1::66
    old              NS    ns1.harbour
    old              NS    ns.old
    ns.old           A     198.51.100.67
                     AAAA  2001:db8:1::67
    letters          NS    ns1.harbour
    letters          NS    ns.letters
    ns.letters       A     198.51.100.68
                     AAAA  2001:db8:1::68
    intranet         NS    ns1.harbour
    intranet         NS    ns.intranet
    ns.intranet      A     10.0.0.53

    ; moved from Meadow to Harbour; nobody told the registry
    moved            NS    ns1.meadow.test.
    moved            NS    ns2.meadow.test.

    ; moved too, with a copy of the old zone
    copied           NS    ns1.harbour
    copied           NS    ns2.harbour

    offices          NS    ns1.harbour
    offices          NS    ns2.harbour

    ; no address for ns2
    missing-glue     NS    ns1.missing-glue
    missing-glue     NS    ns2.missing-glue
    ns1.missing-glue A     198.51.100.71
                     AAAA  2001:db8:1::71

    ; ns2 has moved to 198.51.100.73
    wrong-glue       NS    ns1.wrong-glue
    wrong-glue       NS    ns2.wrong-glue
    ns1.wrong-glue   A     198.51.100.72
                     AAAA  2001:db8:1::72
    ns2.wrong-glue   A     198.51.100.99

    six              NS    ns1.six
    six              NS    ns2.six
    ns1.six          A     198.51.100.74
                     AAAA  2001:db8:1::74
    ns2.six          A     198.51.100.75
                     AAAA  2001:db8:1::75

    left             NS    ns.right.test.

    mixed            NS    ns1.harbour
    mixed            NS    ns2.harbour
    mixed            NS    ns1.meadow.test.
    mixed            NS    ns.mixed
    ns.mixed         A     198.51.100.81
    ns.mixed         A     198.51.100.82
  `,
  2026112107,
);

const testRecords = `
    @                NS    a.nic
    @                NS    b.nic
    a.nic            A     192.0.2.21
                     AAAA  2001:db8::21
    b.nic            A     192.0.2.22
                     AAAA  2001:db8::22

    ; the hoster Meadow
    meadow           NS    ns1.meadow
    meadow           NS    ns2.meadow
    ns1.meadow       A     203.0.113.1
                     AAAA  2001:db8:2::1
    ns2.meadow       A     203.0.113.2
                     AAAA  2001:db8:2::2

    ; its customers
    blog             NS    ns1.meadow
    blog             NS    ns2.meadow
    circle           NS    ns1.meadow
    circle           NS    ns2.meadow

    right            NS    ns.left.example.

    cdn              NS    ns1.cdn
    cdn              NS    ns2.cdn
    cdn              NS    ns3.cdn
    cdn              NS    ns4.cdn
    ns1.cdn          A     203.0.113.21
                     AAAA  2001:db8:2::21
    ns2.cdn          A     203.0.113.22
                     AAAA  2001:db8:2::22
    ns3.cdn          A     203.0.113.23
                     AAAA  2001:db8:2::23
    ns4.cdn          A     203.0.113.24
                     AAAA  2001:db8:2::24
`;

const testYesterday = zoneText('test.', testRecords, 2026112001);
const testToday = zoneText(
  'test.',
  `${testRecords}
    ; registered today
    launch           NS    ns1.meadow
    launch           NS    ns2.meadow
  `,
  2026112101,
);

/** The servers of the two top-level domains. The second one of `test` has missed an update. */
export const REGISTRY_SERVERS: readonly ServerSpec[] = [
  {
    name: 'a.nic.example.',
    addresses: ['192.0.2.11', '2001:db8::11'],
    zones: [example],
    faults: [{ kind: 'latency', ms: 1 }],
    version: '9.18.49',
  },
  {
    name: 'b.nic.example.',
    addresses: ['192.0.2.12', '2001:db8::12'],
    zones: [example],
    faults: [{ kind: 'latency', ms: 1 }],
    version: 'NSD 4.8.0',
  },
  {
    name: 'a.nic.test.',
    addresses: ['192.0.2.21', '2001:db8::21'],
    zones: [testToday],
    faults: [{ kind: 'latency', ms: 1 }],
    version: 'Knot DNS 3.3.8',
  },
  {
    name: 'b.nic.test.',
    addresses: ['192.0.2.22', '2001:db8::22'],
    zones: [testYesterday],
    faults: [{ kind: 'latency', ms: 1 }],
    version: 'Knot DNS 3.2.6',
  },
];
