import type { ServerSpec } from '../world.ts';
import { zoneText } from '../zone-text.ts';

/** Zones served by Harbour and by a server of the customer. */
const shared = (apex: string, records: string) =>
  zoneText(apex, `@ NS ns1.harbour.example.\n@ NS ns\n${records}`);

export const deadZone = shared(
  'dead.example.',
  `
ns    A     198.51.100.66
      AAAA  2001:db8:1::66
www   A     198.51.100.107
  `,
);

export const oldZone = shared(
  'old.example.',
  `
ns    A     198.51.100.67
      AAAA  2001:db8:1::67
www   A     198.51.100.108
  `,
);

/** Key material too long for a datagram. */
const key = Array.from({ length: 8 }, (_, row) => `"${'MIIBIjANBgkqhkiG9w0B'.repeat(10)}${row}"`).join(' ');

export const lettersZone = shared(
  'letters.example.',
  `
ns    A     198.51.100.68
      AAAA  2001:db8:1::68
post  TXT   ${key}
  `,
);

export const intranetZone = shared(
  'intranet.example.',
  `
ns    A     10.0.0.53
www   A     198.51.100.109
  `,
);

const mixed = (address: string, serial: number) =>
  zoneText(
    'mixed.example.',
    `
      @    NS  ns1.harbour.example.
      @    NS  ns2.harbour.example.
      @    NS  ns1.meadow.test.
      @    NS  ns
      ns   A   198.51.100.81
      ns   A   198.51.100.82
      www  A   ${address}
    `,
    serial,
  );

export const mixedZone = mixed('198.51.100.110', 23);
const mixedBefore = mixed('192.0.2.110', 19);

const missingGlue = zoneText(
  'missing-glue.example.',
  `
    @    NS    ns1
    @    NS    ns2
    ns1  A     198.51.100.71
         AAAA  2001:db8:1::71
    ns2  A     198.51.100.70
         AAAA  2001:db8:1::70
    www  A     198.51.100.111
  `,
);

const wrongGlue = zoneText(
  'wrong-glue.example.',
  `
    @    NS    ns1
    @    NS    ns2
    ns1  A     198.51.100.72
         AAAA  2001:db8:1::72
    ns2  A     198.51.100.73
    www  A     198.51.100.112
  `,
);

const six = zoneText(
  'six.example.',
  `
    @    NS    ns1
    @    NS    ns2
    ns1  A     198.51.100.74
         AAAA  2001:db8:1::74
    ns2  A     198.51.100.75
         AAAA  2001:db8:1::75
    www  A     198.51.100.113
  `,
);

/** Servers that customers run themselves. */
export const CUSTOMER_SERVERS: readonly ServerSpec[] = [
  { name: 'ns.dead.example.', addresses: ['198.51.100.66', '2001:db8:1::66'], faults: [{ kind: 'dead' }] },
  {
    name: 'ns.old.example.',
    addresses: ['198.51.100.67', '2001:db8:1::67'],
    zones: [oldZone],
    faults: [
      { kind: 'latency', ms: 3 },
      { kind: 'rejects-edns', with: 'FORMERR' },
    ],
    version: '4.9.11-REL',
  },
  {
    name: 'ns.letters.example.',
    addresses: ['198.51.100.68', '2001:db8:1::68'],
    zones: [lettersZone],
    faults: [
      { kind: 'latency', ms: 1 },
      { kind: 'closed-port', only: { transport: 'tcp' } },
    ],
    version: 'dnsmasq-2.89',
  },
  // Unreachable from outside.
  { name: 'ns.intranet.example.', addresses: ['10.0.0.53'], faults: [{ kind: 'dead' }] },
  {
    name: 'ns1.missing-glue.example.',
    addresses: ['198.51.100.71', '2001:db8:1::71'],
    zones: [missingGlue],
    faults: [{ kind: 'latency', ms: 1 }],
  },
  {
    name: 'ns2.missing-glue.example.',
    addresses: ['198.51.100.70', '2001:db8:1::70'],
    zones: [missingGlue],
    faults: [{ kind: 'latency', ms: 1 }],
  },
  {
    name: 'ns1.wrong-glue.example.',
    addresses: ['198.51.100.72', '2001:db8:1::72'],
    zones: [wrongGlue],
    faults: [{ kind: 'latency', ms: 1 }],
  },
  {
    name: 'ns2.wrong-glue.example.',
    addresses: ['198.51.100.73'],
    zones: [wrongGlue],
    faults: [{ kind: 'latency', ms: 1 }],
  },
  // The address's new owner serves other zones.
  {
    name: 'ns.someone-else.test.',
    addresses: ['198.51.100.99'],
    faults: [{ kind: 'latency', ms: 1 }],
    version: '9.16.1',
  },
  {
    name: 'ns1.six.example.',
    addresses: ['198.51.100.74', '2001:db8:1::74'],
    zones: [six],
    faults: [
      { kind: 'latency', ms: 1 },
      { kind: 'dead', only: { address: '2001:db8:1::74' } },
    ],
  },
  {
    name: 'ns2.six.example.',
    addresses: ['198.51.100.75', '2001:db8:1::75'],
    zones: [six],
    faults: [{ kind: 'latency', ms: 1 }],
  },
  {
    name: 'ns.mixed.example.',
    addresses: ['198.51.100.81'],
    zones: [mixedBefore],
    faults: [{ kind: 'latency', ms: 3 }],
    version: '9.11.36',
  },
  { name: 'ns.mixed.example.', addresses: ['198.51.100.82'], faults: [{ kind: 'dead' }] },
];
