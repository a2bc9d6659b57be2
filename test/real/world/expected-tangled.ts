import { type Expectation, toExample, toTest, vanishedBy } from './expectation.ts';
import { address } from './zone.ts';

/** Zones with several troubles, or which need themselves. */
export const tangled: readonly Expectation[] = [
  {
    // The second server's address is looked up at the registry of test., whose delegation of down.test
    // leads to two servers that refuse: 1/2 · 1/2 each.
    name: 'www.sunk.test.',
    type: 'A',
    status: 1,
    paths: `${toTest * (1 + 2 * 2)}`,
    path: [
      ['1/2', 'answer 192.0.2.75', 'www.sunk.test. A in sunk.test.', `ns1.sunk.test. ${address.knot}`],
      ['1/4', refusedBy(`ns1.down.test. ${address.nsd}`), 'www.sunk.test. A in sunk.test.', '-'],
      ['1/4', refusedBy(`ns2.down.test. ${address.knot}`), 'www.sunk.test. A in sunk.test.', '-'],
    ],
    resolver: [
      ['1', 'answer 192.0.2.75', 'www.sunk.test. A in sunk.test.', `ns1.sunk.test. ${address.knot}`],
    ],
  },
  {
    // Five servers, of which a resolver can use two.
    name: 'www.mess.test.',
    type: 'A',
    status: 1,
    paths: `${toTest * (4 + toExample)}`,
    path: [
      ['1/5', 'answer 192.0.2.100', 'www.mess.test. A in mess.test.', `ns1.mess.test. ${address.nsd}`],
      ['1/5', 'answer 192.0.2.101', 'www.mess.test. A in mess.test.', `ns2.mess.test. ${address.knot}`],
      ['1/5', 'error REFUSED', 'www.mess.test. A in mess.test.', `ns3.mess.test. ${address.powerdns}`],
      ['1/5', 'timeout', 'www.mess.test. A in mess.test.', `ns4.mess.test. ${address.silent}`],
      ['1/10', vanishedBy(`a.nic.example. ${address.exampleNsd}`), 'www.mess.test. A in mess.test.', '-'],
      ['1/10', vanishedBy(`b.nic.example. ${address.exampleBind}`), 'www.mess.test. A in mess.test.', '-'],
    ],
    resolver: [
      ['1/2', 'answer 192.0.2.100', 'www.mess.test. A in mess.test.', `ns1.mess.test. ${address.nsd}`],
      ['1/2', 'answer 192.0.2.101', 'www.mess.test. A in mess.test.', `ns2.mess.test. ${address.knot}`],
    ],
  },
  {
    // ns1 has glue: 1/2. For ns.ring.example, ring.example needs the address of ns.ring.test, which comes
    // from ring.test again: from ns1 with 1/2; with 1/2 ns.ring.example is picked, whose address is just
    // being looked up: loop. So 1/2 · 1/2 answer at ns.ring.example and 1/2 · 1/2 cannot find it.
    // Paths: 1 by ns1; by the other toExample · (toTest · 2). A resolver tries ns1 instead of the loop.
    name: 'www.ring.test.',
    type: 'A',
    status: 1,
    paths: `${toTest * (1 + toExample * (toTest * 2))}`,
    path: [
      ['1/2', 'answer 192.0.2.80', 'www.ring.test. A in ring.test.', `ns1.ring.test. ${address.powerdns}`],
      ['1/4', 'answer 192.0.2.80', 'www.ring.test. A in ring.test.', `ns.ring.example. ${address.bind}`],
      [
        '1/4',
        'unresolvable-ns ns.ring.example. because loop ns.ring.example., ns.ring.test. A in ring.test., -',
        'www.ring.test. A in ring.test.',
        '-',
      ],
    ],
    resolver: [
      ['1/2', 'answer 192.0.2.80', 'www.ring.test. A in ring.test.', `ns1.ring.test. ${address.powerdns}`],
      ['1/2', 'answer 192.0.2.80', 'www.ring.test. A in ring.test.', `ns.ring.example. ${address.bind}`],
    ],
  },
  {
    // ns2 has glue: 1/2. ns1's address is asked for at the registry's two servers, which refer to
    // noglue.test again: by ns2 the address comes (1/2), by ns1 there is no way (1/2).
    name: 'www.noglue.test.',
    type: 'A',
    status: 1,
    paths: `${toTest * (1 + 2 * (1 + 1))}`,
    path: [
      ['1/2', 'answer 192.0.2.90', 'www.noglue.test. A in noglue.test.', `ns2.noglue.test. ${address.nsd}`],
      ['1/4', 'answer 192.0.2.90', 'www.noglue.test. A in noglue.test.', `ns1.noglue.test. ${address.knot}`],
      ['1/4', 'no-glue ns1.noglue.test.', 'www.noglue.test. A in noglue.test.', '-'],
    ],
    resolver: [
      ['1/2', 'answer 192.0.2.90', 'www.noglue.test. A in noglue.test.', `ns1.noglue.test. ${address.knot}`],
      ['1/2', 'answer 192.0.2.90', 'www.noglue.test. A in noglue.test.', `ns2.noglue.test. ${address.nsd}`],
    ],
  },
];

function refusedBy(server: string): string {
  return `unresolvable-ns ns.down.test. because error REFUSED, ns.down.test. A in down.test., ${server}`;
}
