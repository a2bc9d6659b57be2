import { address } from './addresses.ts';
import type { Expectation } from './expectation.ts';

/** The registries of test. and example. have two servers each, as the root has; all are healthy. */
const toTest = 2 * 2;
const toExample = 2 * 2;

/** Picks on the way to the address of a hoster's server, from the root: hoster.example has two servers. */
const toHosterAddress = toExample * 2;

const shop = [
  ['1/2', 'answer 192.0.2.10 192.0.2.11', 'www.shop.test. A in shop.test.', `ns1.shop.test. ${address.nsd}`],
  ['1/2', 'answer 192.0.2.99', 'www.shop.test. A in shop.test.', `ns2.shop.test. ${address.knot}`],
] as const;

const fresh = [
  ['1/2', 'answer 192.0.2.12', 'new.shop.test. A in shop.test.', `ns1.shop.test. ${address.nsd}`],
  ['1/2', 'nxdomain', 'new.shop.test. A in shop.test.', `ns2.shop.test. ${address.knot}`],
] as const;

const noMail = [
  ['1/2', 'nodata', 'www.shop.test. MX in shop.test.', `ns1.shop.test. ${address.nsd}`],
  ['1/2', 'nodata', 'www.shop.test. MX in shop.test.', `ns2.shop.test. ${address.knot}`],
] as const;

const nosuch = [
  ['1/2', 'nxdomain', 'nosuch.shop.test. A in shop.test.', `ns1.shop.test. ${address.nsd}`],
  ['1/2', 'nxdomain', 'nosuch.shop.test. A in shop.test.', `ns2.shop.test. ${address.knot}`],
] as const;

const news = [
  [
    '1/2',
    'answer 192.0.2.40 following www.news.test.',
    'www.news.test. A in news.test.',
    `ns1.hoster.example. ${address.powerdns}`,
  ],
  [
    '1/2',
    'answer 192.0.2.40 following www.news.test.',
    'www.news.test. A in news.test.',
    `ns2.hoster.example. ${address.bind}`,
  ],
] as const;

const market = [
  [
    '1/2',
    'answer 192.0.2.60',
    'www.market.example. A in market.example.',
    `ns1.market.example. ${address.nsd}`,
  ],
  [
    '1/2',
    'answer 192.0.2.60',
    'www.market.example. A in market.example.',
    `ns2.hoster.example. ${address.bind}`,
  ],
] as const;

/** Every question the suite asks, first of the traversal, then of the resolvers. */
export const expected: readonly Expectation[] = [
  // Healthy or stale servers: one pick of two decides, in both views.
  { name: 'www.shop.test.', type: 'A', status: 1, paths: `${toTest * 2}`, path: shop, resolver: shop },
  { name: 'new.shop.test.', type: 'A', status: 1, paths: `${toTest * 2}`, path: fresh, resolver: fresh },
  { name: 'www.shop.test.', type: 'MX', status: 0, paths: `${toTest * 2}`, path: noMail, resolver: noMail },
  { name: 'nosuch.shop.test.', type: 'A', status: 0, paths: `${toTest * 2}`, path: nosuch, resolver: nosuch },
  {
    // Four servers, of which a resolver can use one.
    name: 'www.care.test.',
    type: 'A',
    status: 1,
    paths: `${toTest * 4}`,
    path: [
      ['1/4', 'answer 192.0.2.20', 'www.care.test. A in care.test.', `ns1.care.test. ${address.powerdns}`],
      ['1/4', 'error REFUSED', 'www.care.test. A in care.test.', `ns2.care.test. ${address.bind}`],
      ['1/4', 'timeout', 'www.care.test. A in care.test.', `ns3.care.test. ${address.silent}`],
      ['1/4', 'unreachable', 'www.care.test. A in care.test.', `ns4.care.test. ${address.closed}`],
    ],
    resolver: [
      ['1', 'answer 192.0.2.20', 'www.care.test. A in care.test.', `ns1.care.test. ${address.powerdns}`],
    ],
  },
  {
    // Three servers. The root's answers with the NS records of test., which encloses lame.test.
    name: 'www.lame.test.',
    type: 'A',
    status: 1,
    paths: `${toTest * 3}`,
    path: [
      ['1/3', 'answer 192.0.2.30', 'www.lame.test. A in lame.test.', `ns1.lame.test. ${address.bind}`],
      ['1/3', 'lame upward to test.', 'www.lame.test. A in lame.test.', `ns2.lame.test. ${address.rootNsd}`],
      ['1/3', 'error SERVFAIL', 'www.lame.test. A in lame.test.', `ns3.lame.test. ${address.nsd}`],
    ],
    resolver: [
      ['1', 'answer 192.0.2.30', 'www.lame.test. A in lame.test.', `ns1.lame.test. ${address.bind}`],
    ],
  },
  {
    // The registry's server answers with the delegation of echo.test, which is where the path is already.
    name: 'www.echo.test.',
    type: 'A',
    status: 1,
    paths: `${toTest * 2}`,
    path: [
      ['1/2', 'answer 192.0.2.35', 'www.echo.test. A in echo.test.', `ns1.echo.test. ${address.knot}`],
      [
        '1/2',
        'lame self to echo.test.',
        'www.echo.test. A in echo.test.',
        `ns2.echo.test. ${address.testPowerdns}`,
      ],
    ],
    resolver: [
      ['1', 'answer 192.0.2.35', 'www.echo.test. A in echo.test.', `ns1.echo.test. ${address.knot}`],
    ],
  },
  {
    // Both servers refuse: a resolver has none left.
    name: 'www.down.test.',
    type: 'A',
    status: 1,
    paths: `${toTest * 2}`,
    path: [
      ['1/2', 'error REFUSED', 'www.down.test. A in down.test.', `ns1.down.test. ${address.nsd}`],
      ['1/2', 'error REFUSED', 'www.down.test. A in down.test.', `ns2.down.test. ${address.knot}`],
    ],
    resolver: [['1', 'servfail', 'www.down.test. A in down.test.', '-']],
  },
  {
    // For either server its address is looked up from the root, where all paths give the same one.
    name: 'www.news.test.',
    type: 'A',
    status: 0,
    paths: `${toTest * 2 * toHosterAddress}`,
    path: news,
    resolver: news,
  },
  {
    // The only server's address comes from split.example, whose two servers differ: 1/2 each. With the
    // wrong one the resolver has no usable server, so its chance of one is 1/2 too.
    name: 'www.half.test.',
    type: 'A',
    status: 1,
    paths: `${toTest * toExample * 2}`,
    path: [
      ['1/2', 'answer 192.0.2.50', 'www.half.test. A in half.test.', `ns.split.example. ${address.knot}`],
      ['1/2', 'error REFUSED', 'www.half.test. A in half.test.', `ns.split.example. ${address.nsd}`],
    ],
    resolver: [
      ['1/2', 'answer 192.0.2.50', 'www.half.test. A in half.test.', `ns.split.example. ${address.knot}`],
      ['1/2', 'servfail', 'www.half.test. A in half.test.', '-'],
    ],
  },
  {
    // alias.test: one server with glue, one looked up. Then from the root again to market.example, whose
    // delegation comes with both addresses: ns2.hoster.example is within example., so its glue counts.
    name: 'www.alias.test.',
    type: 'A',
    status: 0,
    paths: `${toTest * (1 + toHosterAddress) * (toExample * 2)}`,
    path: market,
    resolver: market,
  },
  {
    // The DNAME leads below test., so the walk goes on at the registry of test., not at the root.
    name: 'www.old.test.',
    type: 'A',
    status: 1,
    paths: `${toTest * (2 * toHosterAddress) * (2 * 2)}`,
    path: shop,
    resolver: shop,
  },
  {
    // The second server's name is denied by either server of example.: 1/2 · 1/2 each.
    name: 'www.gone.test.',
    type: 'A',
    status: 1,
    paths: `${toTest * (1 + toExample)}`,
    path: [
      ['1/2', 'answer 192.0.2.70', 'www.gone.test. A in gone.test.', `ns1.gone.test. ${address.nsd}`],
      ['1/4', vanishedBy(`a.nic.example. ${address.exampleNsd}`), 'www.gone.test. A in gone.test.', '-'],
      ['1/4', vanishedBy(`b.nic.example. ${address.exampleBind}`), 'www.gone.test. A in gone.test.', '-'],
    ],
    resolver: [['1', 'answer 192.0.2.70', 'www.gone.test. A in gone.test.', `ns1.gone.test. ${address.nsd}`]],
  },
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

function vanishedBy(server: string): string {
  return `unresolvable-ns ns.vanished.example. because nxdomain, ns.vanished.example. A in example., ${server}`;
}

function refusedBy(server: string): string {
  return `unresolvable-ns ns.down.test. because error REFUSED, ns.down.test. A in down.test., ${server}`;
}
